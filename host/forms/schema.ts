/**
 * Schemas, as strangers write them, brought to one plain form: references followed, `allOf` merged.
 *
 * References lead nowhere but into the schema itself, and everything here spends steps of a budget,
 * so that a schema that refers to itself costs no more than any other.
 *
 * @module
 */

import { isRecord, own, type JsonRecord } from '#core/json.ts'

export type Schema = JsonRecord

/** A schema that nothing satisfies. */
export const NEVER: Schema = { not: {} }

const MAX_REFERENCES = 50

export class Budget {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  /** Whether there is anything left after this. */
  spend(steps = 1): boolean {
    this.#left -= steps
    return this.#left > 0
  }
}

export interface Reading {
  readonly root: unknown
  readonly budget: Budget
}

/** The plain form; what cannot be read permits anything. */
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

/** What a reference leads to, in the schema itself. */
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

/** How two values of a keyword become one that both agree with. */
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

/** One schema that says what both say. Of words for people, those of the second count. */
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

/** The types that a schema names; none is any. */
export function typesIn(type: unknown): string[] {
  if (typeof type === 'string') return [type]
  return listOf(type).filter((each) => typeof each === 'string')
}

/** The types of a schema, also where it only shows them by what it says. */
export function typesOf(schema: Schema): string[] {
  const named = typesIn(schema['type'])
  if (named.length > 0) return named
  if (isRecord(schema['properties']) || isRecord(schema['additionalProperties'])) return ['object']
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return ['array']
  return []
}
