/**
 * Initial values: constants, defaults, and required members that have either.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { plain, typesOf, type Reading, type Schema } from './schema.ts'
import type { FormValue } from './types.ts'

const MAX_DEPTH = 8
const MAX_ITEMS = 10

/** Returns the initial value of a schema; undefined where the user has to decide. */
export function startOf(schema: unknown, reading: Reading, depth = 0): FormValue {
  const here = plain(schema, reading)
  if (Object.hasOwn(here, 'const')) return here['const']
  if (here['default'] !== undefined) return here['default']
  if (depth >= MAX_DEPTH || !reading.budget.spend()) return undefined
  const [type] = typesOf(here)
  if (type === 'object') return membersOf(here, reading, depth)
  return type === 'array' ? itemsFor(here, reading, depth) : undefined
}

function membersOf(schema: Schema, reading: Reading, depth: number): FormValue {
  const members = recordOf(schema['properties'])
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const entries = Object.entries(members)
    .filter(([name]) => required.includes(name))
    .map(([name, member]) => [name, startOf(member, reading, depth + 1)] as const)
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined))
}

function itemsFor(schema: Schema, reading: Reading, depth: number): FormValue {
  const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0
  const { first, each } = itemsOf(schema)
  return Array.from({ length: Math.min(Math.max(0, least), MAX_ITEMS) }, (_, index) =>
    newItem(first[index] ?? each, reading, depth + 1),
  )
}

/** Returns the initial value of a list item or a new member, which may not be undefined. */
export function newItem(schema: unknown, reading: Reading, depth = 0): FormValue {
  const start = startOf(schema, reading, depth)
  if (start !== undefined) return start
  const here = plain(schema, reading)
  if (Array.isArray(here['enum'])) return here['enum'][0]
  const [type] = typesOf(here)
  return type === 'string' ? '' : type === 'boolean' ? false : null
}

/** Returns the schemas of the first items and of all others, in either draft. */
export function itemsOf({ prefixItems, items, additionalItems }: Schema): {
  readonly first: readonly unknown[]
  readonly each: unknown
} {
  if (Array.isArray(prefixItems)) return { first: prefixItems, each: items ?? {} }
  if (Array.isArray(items)) return { first: items, each: additionalItems ?? {} }
  return { first: [], each: items ?? {} }
}
