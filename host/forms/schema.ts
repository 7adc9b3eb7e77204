/**
 * Normalises schemas, which are untrusted input: resolves references, merges `allOf`, and reads the
 * alternatives of a schema.
 *
 * References are resolved only within the schema, and every step is charged to a budget, so that a
 * recursive schema costs no more than any other. `test/host/forms/model.test.ts` covers it.
 *
 * @module
 */

import { isRecord, own, type JsonRecord } from '#core/json.ts'
import { decodePercent } from '#core/percent.ts'

/** A JSON Schema object; its members are not validated. */
export type Schema = JsonRecord

/** A schema that no value satisfies. */
export const NEVER: Schema = { not: {} }

const MAX_REFERENCES = 50

/** A limit on the steps of one form. */
export class Budget {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  /** Spends steps and returns whether any are left. */
  spend(steps = 1): boolean {
    this.#left -= steps
    return this.#left > 0
  }
}

/** What is needed to resolve a schema: its root and the budget. */
export interface SchemaContext {
  readonly root: unknown
  readonly budget: Budget
}

/** Resolves references and `allOf`; an invalid schema permits anything. */
export function resolve(schema: unknown, context: SchemaContext, depth = 0): Schema {
  if (schema === false) return NEVER
  if (!isRecord(schema) || depth > MAX_REFERENCES || !context.budget.spend()) return {}
  const { $ref, allOf, ...rest } = schema
  const parts: Schema[] = []
  if (typeof $ref === 'string')
    parts.push(resolve(findTarget($ref, context.root), context, depth + 1))
  if (Array.isArray(allOf))
    for (const part of allOf.slice(0, MAX_REFERENCES)) parts.push(resolve(part, context, depth + 1))
  return parts.reduceRight<Schema>((merged, part) => mergeSchemas(part, merged), rest)
}

/** Resolves a reference within the schema. */
function findTarget(reference: string, root: unknown): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return findAnchor(reference, root)
  let at: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const name = decodePercent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) at = at[Number(name)]
    else at = isRecord(at) ? own(at, name) : undefined
  }
  return at
}

function findAnchor(reference: string, root: unknown): unknown {
  const definitions = isRecord(root) ? own(root, '$defs') : undefined
  if (!isRecord(definitions)) return undefined
  const name = reference.replace(/^#/, '')
  return Object.values(definitions).find(
    (each) => isRecord(each) && (each['$anchor'] === name || each['$id'] === reference),
  )
}

/** Combines two values of a keyword into one that satisfies both. */
type Join = (a: unknown, b: unknown) => unknown

const pickFrom = (pick: (a: number, b: number) => number): Join => {
  return (a, b) => (typeof a === 'number' && typeof b === 'number' ? pick(a, b) : b)
}

const JOINS: Readonly<Record<string, Join>> = {
  properties: joinProperties,
  $defs: (a, b) => ({ ...Object(a), ...Object(b) }),
  required: (a, b) => [...new Set([...listOf(a), ...listOf(b)])],
  enum: (a, b) => listOf(a).filter((value) => listOf(b).includes(value)),
  type: (a, b) => {
    const left = readTypes(a).filter((type) => readTypes(b).includes(type))
    return left.length === 0 ? b : left
  },
  minimum: pickFrom(Math.max),
  exclusiveMinimum: pickFrom(Math.max),
  minLength: pickFrom(Math.max),
  minItems: pickFrom(Math.max),
  maximum: pickFrom(Math.min),
  exclusiveMaximum: pickFrom(Math.min),
  maxLength: pickFrom(Math.min),
  maxItems: pickFrom(Math.min),
}

/** Merges two schemas; a value must satisfy both. Titles and descriptions come from the second. */
function mergeSchemas(first: Schema, second: Schema): Schema {
  const merged: Record<string, unknown> = { ...first }
  for (const [key, value] of Object.entries(second)) {
    const join = own(JOINS, key)
    const joins = typeof join === 'function' && Object.hasOwn(first, key)
    merged[key] = joins ? JOINS[key]?.(first[key], value) : value
  }
  return merged
}

function joinProperties(a: unknown, b: unknown): unknown {
  if (!isRecord(a) || !isRecord(b)) return b
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return Object.fromEntries(
    names.map((name) => {
      const [left, right] = [own(a, name), own(b, name)]
      const one = left === undefined ? right : right === undefined ? left : { allOf: [left, right] }
      return [name, one]
    }),
  )
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Reads `type` as a list; empty means any type. */
function readTypes(type: unknown): string[] {
  if (typeof type === 'string') return [type]
  return listOf(type).filter((each) => typeof each === 'string')
}

/** Returns the types of a schema, inferred from its keywords if `type` is missing. */
export function inferTypes(schema: Schema): string[] {
  const named = readTypes(schema['type'])
  if (named.length > 0) return named
  if (isRecord(schema['properties']) || isRecord(schema['additionalProperties'])) return ['object']
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return ['array']
  return []
}

/** Maximum number of variants that a field offers. */
const MAX_VARIANTS = 30

/** Names of the types, for people. */
export const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['string', 'Text'],
  ['number', 'Number'],
  ['integer', 'Whole number'],
  ['boolean', 'Yes or no'],
  ['array', 'List'],
  ['object', 'Object'],
])

/** Returns the schemas in `oneOf`, else in `anyOf`; null if there are none. */
export function readAlternatives({ oneOf, anyOf }: Schema): readonly unknown[] | null {
  const list = Array.isArray(oneOf) ? oneOf : anyOf
  return Array.isArray(list) && list.length > 0 ? list : null
}

/** Returns the variants of a schema: its `oneOf` or `anyOf`, or one for each of several types. */
export function readVariants(schema: Schema, context: SchemaContext): Schema[] | null {
  const list = readAlternatives(schema)
  if (list && list.length <= MAX_VARIANTS) {
    const { anyOf: _, oneOf: __, title: ___, description: ____, ...rest } = schema
    return list.map((each) => mergeSchemas(rest, resolve(each, context)))
  }
  const types = inferTypes(schema)
  if (types.length < 2 || types.every((type) => type === 'number' || type === 'integer'))
    return null
  return types.map((type) => ({ ...schema, type, title: TYPE_NAMES.get(type) ?? type }))
}

/** Returns the schemas of the first items of a list and of all others, in either draft. */
export function readItems({ prefixItems, items, additionalItems }: Schema): {
  readonly first: readonly unknown[]
  readonly each: unknown
} {
  if (Array.isArray(prefixItems)) return { first: prefixItems, each: items ?? {} }
  if (Array.isArray(items)) return { first: items, each: additionalItems ?? {} }
  return { first: [], each: items ?? {} }
}

/** A schema without null, and whether null was allowed. */
export interface WithoutNull {
  readonly rest: Schema
  readonly nullable: boolean
}

/** Removes null from a schema, because a form offers it separately. */
export function removeNull(schema: Schema, context: SchemaContext): WithoutNull {
  const types = inferTypes(schema)
  if (types.length > 1 && types.includes('null')) {
    const rest = { ...schema, type: types.filter((type) => type !== 'null') }
    return { rest: removeNullValue(rest), nullable: true }
  }
  if (schema['nullable'] === true) return { rest: schema, nullable: true }
  return (
    removeNullFrom('anyOf', schema, context) ??
    removeNullFrom('oneOf', schema, context) ?? { rest: schema, nullable: false }
  )
}

function removeNullFrom(
  keyword: 'anyOf' | 'oneOf',
  schema: Schema,
  context: SchemaContext,
): WithoutNull | null {
  const list = schema[keyword]
  if (!Array.isArray(list) || list.length < 2 || list.length > MAX_VARIANTS) return null
  const others: unknown[] = list.filter((each) => !isNull(resolve(each, context)))
  if (others.length === list.length || others.length === 0) return null
  const { [keyword]: _, ...rest } = schema
  const [only] = others
  return others.length === 1
    ? { rest: mergeSchemas(resolve(only, context), rest), nullable: true }
    : { rest: { ...schema, [keyword]: others }, nullable: true }
}

const removeNullValue = (schema: Schema): Schema =>
  Array.isArray(schema['enum'])
    ? { ...schema, enum: schema['enum'].filter((value) => value !== null) }
    : schema

const isNull = (schema: Schema) => schema['type'] === 'null' || schema['const'] === null
