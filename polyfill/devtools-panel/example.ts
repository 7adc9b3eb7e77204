/**
 * Example arguments for a tool, from its input schema. `test/polyfill/devtools-calls.test.ts` covers it.
 *
 * @module
 */

import { isObject } from '../idl.ts'

/** Deepest level of objects and lists that is filled. */
const MAX_DEPTH = 4

/** Most members of an object that are filled. */
const MAX_MEMBERS = 50

/** Returns arguments with each member of the schema; an empty object without a schema. */
export function exampleOf(schema: unknown): object {
  const made = valueOf(schema, 0)
  return isObject(made) ? made : {}
}

function valueOf(schema: unknown, depth: number): unknown {
  if (!isObject(schema) || depth > MAX_DEPTH) return null
  const { default: initial, const: only, enum: choices, examples, type } = fieldsOf(schema)
  for (const known of [initial, only, firstOf(examples), firstOf(choices)])
    if (known !== undefined) return known
  if (type === 'string') return ''
  if (type === 'boolean') return false
  if (type === 'number' || type === 'integer') return numberOf(schema)
  if (type === 'array') return []
  return Object.fromEntries(
    Object.entries(membersOf(schema))
      .slice(0, MAX_MEMBERS)
      .map(([name, member]) => [name, valueOf(member, depth + 1)]),
  )
}

const fieldsOf = (schema: object): Readonly<Record<string, unknown>> => ({ ...schema })

function numberOf(schema: object): number {
  const { minimum } = fieldsOf(schema)
  return typeof minimum === 'number' ? minimum : 0
}

function membersOf(schema: object): object {
  const { properties } = fieldsOf(schema)
  return isObject(properties) ? properties : {}
}

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined)
