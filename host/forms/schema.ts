/**
 * Normalises schemas, which are untrusted input: resolves references and merges `allOf`.
 *
 * References are resolved only within the schema, and every step is charged to a budget, so that a
 * recursive schema costs no more than any other.
 *
 * @module
 */

import { isRecord, own, type JsonRecord } from '#core/json.ts'

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
export interface Reading {
  readonly root: unknown
  readonly budget: Budget
}

/** Resolves references and `allOf`; an invalid schema permits anything. */
export function plain(schema: unknown, reading: Reading, depth = 0): Schema {
  if (schema === false) return NEVER
  if (!isRecord(schema) || depth > MAX_REFERENCES || !reading.budget.spend()) return {}
  const { $ref, allOf, ...rest } = schema
  const parts: Schema[] = []
  if (typeof $ref === 'string') parts.push(plain(target($ref, reading.root), reading, depth + 1))
  if (Array.isArray(allOf))
    for (const part of allOf.slice(0, MAX_REFERENCES)) parts.push(plain(part, reading, depth + 1))
  return parts.reduceRight<Schema>((merged, part) => merge(part, merged), rest)
}

/** Resolves a reference within the schema. */
function target(reference: string, root: unknown): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return anchored(reference, root)
  let at: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) at = at[Number(name)]
    else at = isRecord(at) ? own(at, name) : undefined
  }
  return at
}

function anchored(reference: string, root: unknown): unknown {
  const definitions = isRecord(root) ? own(root, '$defs') : undefined
  if (!isRecord(definitions)) return undefined
  const name = reference.replace(/^#/, '')
  return Object.values(definitions).find(
    (each) => isRecord(each) && (each['$anchor'] === name || each['$id'] === reference),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Combines two values of a keyword into one that satisfies both. */
type Join = (a: unknown, b: unknown) => unknown

const both = (pick: (a: number, b: number) => number): Join => {
  return (a, b) => (typeof a === 'number' && typeof b === 'number' ? pick(a, b) : b)
}

const JOINS: Readonly<Record<string, Join>> = {
  properties: joinProperties,
  $defs: (a, b) => ({ ...Object(a), ...Object(b) }),
  required: (a, b) => [...new Set([...listOf(a), ...listOf(b)])],
  enum: (a, b) => listOf(a).filter((value) => listOf(b).includes(value)),
  type: (a, b) => {
    const left = typesIn(a).filter((type) => typesIn(b).includes(type))
    return left.length === 0 ? b : left
  },
  minimum: both(Math.max),
  exclusiveMinimum: both(Math.max),
  minLength: both(Math.max),
  minItems: both(Math.max),
  maximum: both(Math.min),
  exclusiveMaximum: both(Math.min),
  maxLength: both(Math.min),
  maxItems: both(Math.min),
}

/** Merges two schemas; a value must satisfy both. Titles and descriptions come from the second. */
export function merge(first: Schema, second: Schema): Schema {
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
export function typesIn(type: unknown): string[] {
  if (typeof type === 'string') return [type]
  return listOf(type).filter((each) => typeof each === 'string')
}

/** Returns the types of a schema, inferred from its keywords if `type` is missing. */
export function typesOf(schema: Schema): string[] {
  const named = typesIn(schema['type'])
  if (named.length > 0) return named
  if (isRecord(schema['properties']) || isRecord(schema['additionalProperties'])) return ['object']
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return ['array']
  return []
}
