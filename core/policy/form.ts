/**
 * Forms: removes from a schema the fields that a form must not offer.
 *
 * A policy form has no fields that only a configuration may set; a configuration form has none that only a
 * policy may set; a policy form for a model has none that only a person may set. Only schemas are
 * searched: the contents of `default`, `enum` and the like are data, and a property may be named `scope`.
 * `test/vectors/schema-filter.json` is the table.
 *
 * @module
 */

import { isRecord } from '../json.ts'

/** Who sent a policy: a person or a model. */
export type Requester = 'human' | 'llm'

/** A JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json }

/** Removes what a form must not offer, at any depth; returns null if nothing is left. */
export function filterSchema(
  schema: Json,
  form: 'policy' | 'configuration',
  requester: Requester = 'human',
): Json {
  const elsewhere = form === 'policy' ? 'configuration' : 'policy'
  const forPerson = form === 'policy' && requester === 'llm'
  const hides = ({ scope, audience }: JsonObject) =>
    scope === elsewhere || (forPerson && audience === 'human')
  return filtered(schema, hides, 0) ?? null
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = words(
  'items additionalItems additionalProperties contains propertyNames not if then else',
  'unevaluatedItems unevaluatedProperties contentSchema',
)
const MANY = words('oneOf anyOf allOf')
const NAMED = words('properties patternProperties dependentSchemas definitions $defs')

/** Maximum depth of an untrusted schema; deeper parts are removed. */
const MAX_DEPTH = 64

type Hides = (schema: JsonObject) => boolean

function filtered(schema: Json, hides: Hides, depth: number): Json | undefined {
  if (!isRecord(schema)) return schema
  if (hides(schema) || depth > MAX_DEPTH) return undefined
  const entries = Object.entries(schema).filter(([key]) => key !== 'scope')
  const kept = present(entries.map(([key, value]) => [key, keyword(key, value, hides, depth + 1)]))
  return requiringOnlyKept(kept, schema['properties'])
}

function keyword(key: string, value: Json, hides: Hides, depth: number): Json | undefined {
  const each = (schema: Json) => filtered(schema, hides, depth)
  if (ONE.has(key) && isRecord(value)) return each(value)
  if (MANY.has(key) && isList(value)) {
    const left = value.map(each).filter((schema) => schema !== undefined)
    return left.length === 0 ? undefined : left
  }
  if (NAMED.has(key) && isRecord(value))
    return present(Object.entries(value).map(([name, schema]) => [name, each(schema)]))
  // A removed tuple item becomes `true`, so that the items after it keep their positions.
  if ((key === 'items' || key === 'prefixItems') && isList(value))
    return value.map((schema) => each(schema) ?? true)
  return value
}

/** Removes the names of removed properties from `required`. */
function requiringOnlyKept(schema: JsonObject, before: Json | undefined): JsonObject {
  const { required, properties } = schema
  if (!isList(required) || !isRecord(before) || !isRecord(properties)) return schema
  const cut = (name: Json) =>
    typeof name === 'string' && Object.hasOwn(before, name) && !Object.hasOwn(properties, name)
  return { ...schema, required: required.filter((name) => !cut(name)) }
}

function present(entries: readonly (readonly [string, Json | undefined])[]): JsonObject {
  return Object.fromEntries(
    entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}
