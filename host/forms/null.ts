/** Removes null from a schema, because a form offers it separately. @module */

import { plain, merge, typesOf, type Reading, type Schema } from './schema.ts'
import { MAX_VARIANTS } from './variant.ts'

/** Returns the schema without null, and whether null was allowed. */
export function withoutNull(schema: Schema, reading: Reading): { rest: Schema; nullable: boolean } {
  const types = typesOf(schema)
  if (types.length > 1 && types.includes('null')) {
    const rest = { ...schema, type: types.filter((type) => type !== 'null') }
    return { rest: withoutNullValue(rest), nullable: true }
  }
  if (schema['nullable'] === true) return { rest: schema, nullable: true }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const list = schema[keyword]
    if (!Array.isArray(list) || list.length < 2 || list.length > MAX_VARIANTS) continue
    const others: unknown[] = list.filter((each) => !isNull(plain(each, reading)))
    if (others.length === list.length || others.length === 0) continue
    const { [keyword]: _, ...rest } = schema
    const [only] = others
    return others.length === 1
      ? { rest: merge(plain(only, reading), rest), nullable: true }
      : { rest: { ...schema, [keyword]: others }, nullable: true }
  }
  return { rest: schema, nullable: false }
}

const withoutNullValue = (schema: Schema): Schema =>
  Array.isArray(schema['enum'])
    ? { ...schema, enum: schema['enum'].filter((value) => value !== null) }
    : schema

const isNull = (schema: Schema) => schema['type'] === 'null' || schema['const'] === null
