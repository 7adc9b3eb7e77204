/**
 * Compares two configurations, field by field, with values short enough for a list.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { cut } from './format.ts'
import { textIn } from './storage.ts'

/** A field that differs, with both values as text. */
export interface Difference {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** Most characters of a value in a list. */
const MOST = 160

/** Lists the fields that differ in meaning. */
export function differences(before: JsonRecord, after: JsonRecord): Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names]
    .filter((name) => same(before[name]) !== same(after[name]))
    .map((name) => ({ name, before: shown(before[name]), after: shown(after[name]) }))
}

/** Returns the defaults that a schema declares for its properties. */
export function defaultsOf(schema: unknown): JsonRecord {
  const properties = isRecord(schema) && recordOf(schema['properties'])
  const entries = Object.entries(properties).filter(
    ([, field]) => isRecord(field) && Object.hasOwn(field, 'default'),
  )
  return Object.fromEntries(
    entries.map(([name, field]) => [name, isRecord(field) ? field['default'] : undefined]),
  )
}

/**
 * Serialises a value so that equal meanings are equal: empty lists and unset default marks are left
 * out, and so is the default mark of the first item.
 */
function same(value: unknown): string {
  return JSON.stringify(plain(value)) ?? ''
}

function plain(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map((item: unknown, index) => {
    if (!isRecord(item)) return item
    const kept = Object.entries(item).filter(([key, inner]) => says(key, inner, index))
    return Object.fromEntries(kept.toSorted(([a], [b]) => a.localeCompare(b)))
  })
}

function says(key: string, value: unknown, index: number): boolean {
  if (Array.isArray(value) && value.length === 0) return false
  return key === 'default' ? value === true && index > 0 : true
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return cut(value.map(itemOf).join('; '), MOST)
  return value === undefined
    ? 'not set'
    : cut(typeof value === 'string' ? value : JSON.stringify(value), MOST)
}

function itemOf(item: unknown): string {
  const path = textIn(item, 'path')
  if (path === null || !isRecord(item)) return JSON.stringify(item)
  const lists = Object.entries(item).flatMap(([key, value]) =>
    Array.isArray(value) && value.length > 0 ? `${key} ${value.join(' ')}` : [],
  )
  return [path, ...lists].join(' ')
}
