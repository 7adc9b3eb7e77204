/**
 * Initial values: constants, defaults, and required members that have either.
 *
 * @module
 */

import { isDeeper, recordOf, type JsonRecord } from '#core/json.ts'
import { inferTypes, readItems, resolve, type Schema, type SchemaContext } from './schema.ts'
import type { FormValue } from './types.ts'

const MAX_DEPTH = 8
const MAX_ITEMS = 10
const MAX_OPTIONAL = 200

/** Returns the initial value of a schema; undefined where the user has to decide. */
export function createDefault(schema: unknown, context: SchemaContext, depth = 0): FormValue {
  const here = resolve(schema, context)
  if (Object.hasOwn(here, 'const')) return here['const']
  if (here['default'] !== undefined && !isDeep(here['default'])) return here['default']
  if (depth >= MAX_DEPTH || !context.budget.spend()) return undefined
  const [type] = inferTypes(here)
  if (type === 'object') return createMembers(here, context, depth)
  return type === 'array' ? createItems(here, context, depth) : undefined
}

/** Returns the optional members of an object that have a default, without those that are empty. */
export function optionalDefaults(schema: unknown, context: SchemaContext): JsonRecord {
  const here = resolve(schema, context)
  const members = Object.entries(recordOf(here['properties']))
    .slice(0, MAX_OPTIONAL)
    .map(([name, member]) => [name, resolve(member, context)['default']] as const)
  return Object.fromEntries(members.filter(([, value]) => !isDeep(value) && !isEmpty(value)))
}

/** Levels of a default. A form has fewer, and a deeper one would overflow the stack where it is copied. */
const MAX_DEFAULT_DEPTH = 64

const isDeep = (value: unknown) => isDeeper(value, MAX_DEFAULT_DEPTH)

const isEmpty = (value: unknown) =>
  value === undefined || ['null', '""', '[]', '{}'].includes(JSON.stringify(value))

function createMembers(schema: Schema, context: SchemaContext, depth: number): FormValue {
  const members = recordOf(schema['properties'])
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const entries = Object.entries(members)
    .filter(([name]) => required.includes(name))
    .map(([name, member]) => [name, createDefault(member, context, depth + 1)] as const)
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined))
}

function createItems(schema: Schema, context: SchemaContext, depth: number): FormValue {
  const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0
  const { first, each } = readItems(schema)
  return Array.from({ length: Math.min(Math.max(0, least), MAX_ITEMS) }, (_, index) =>
    createItem(first[index] ?? each, context, depth + 1),
  )
}

/** Returns the initial value of a list item or a new member, which may not be undefined. */
export function createItem(schema: unknown, context: SchemaContext, depth = 0): FormValue {
  const start = createDefault(schema, context, depth)
  if (start !== undefined) return start
  const here = resolve(schema, context)
  if (Array.isArray(here['enum'])) return here['enum'][0]
  const [type] = inferTypes(here)
  return type === 'string' ? '' : type === 'boolean' ? false : null
}
