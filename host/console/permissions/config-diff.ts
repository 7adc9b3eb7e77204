/**
 * Compares two configurations, field by field, with values short enough for a list.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { formatLimit, formatSeconds, truncate } from '../ui/format.ts'
import { textIn } from '../ui/storage.ts'

/** A field that differs, with both values as text. */
export interface Difference {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** Most characters of a value in a list. */
const MAX_LENGTH = 160

/** Lists the fields that differ in meaning. */
export function diffConfigs(before: JsonRecord, after: JsonRecord): Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names]
    .filter((name) => normalize(before[name]) !== normalize(after[name]))
    .map((name) => {
      const format = (config: JsonRecord) => formatField(name, config[name])
      return { name, before: format(before), after: format(after) }
    })
}

/** Returns the defaults that a schema declares for its properties. */
export function readDefaults(schema: unknown): JsonRecord {
  const properties = isRecord(schema) && recordOf(schema['properties'])
  const entries = Object.entries(properties).filter(
    ([, field]) => isRecord(field) && Object.hasOwn(field, 'default'),
  )
  return Object.fromEntries(
    entries.map(([name, field]) => [name, isRecord(field) ? field['default'] : undefined]),
  )
}

/**
 * Serialises a value so that equal meanings are equal: empty lists, unset default marks and the approval
 * level `none` of an item are left out, and so is the default mark of the first item.
 */
function normalize(value: unknown): string {
  return JSON.stringify(removeDefaults(value)) ?? ''
}

function removeDefaults(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map((item: unknown, index) => {
    if (!isRecord(item)) return item
    const kept = Object.entries(item).filter(([key, inner]) => isMeaningful(key, inner, index))
    return Object.fromEntries(kept.toSorted(([a], [b]) => a.localeCompare(b)))
  })
}

function isMeaningful(key: string, value: unknown, index: number): boolean {
  if (Array.isArray(value) && value.length === 0) return false
  if (key === 'approval') return value !== 'none'
  return key === 'default' ? value === true && index > 0 : true
}

/** Formats sizes in the units of the limits, and times in words. */
function formatField(name: string, value: unknown): string {
  if (typeof value !== 'number' || value === 0) return formatValue(value)
  if (name.endsWith('_bytes')) return formatLimit(value)
  return name.endsWith('_seconds') ? formatSeconds(value) : formatValue(value)
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return truncate(value.map(formatItem).join('; '), MAX_LENGTH)
  return value === undefined
    ? 'not set'
    : truncate(typeof value === 'string' ? value : JSON.stringify(value), MAX_LENGTH)
}

function formatItem(item: unknown): string {
  const path = textIn(item, 'path')
  if (path === null || !isRecord(item)) return JSON.stringify(item)
  const lists = Object.entries(item).flatMap(([key, value]) =>
    Array.isArray(value) && value.length > 0 ? `${key} ${value.join(' ')}` : [],
  )
  const level = textIn(item, 'approval') ?? 'none'
  return [path, ...(level === 'none' ? [] : [`approval ${level}`]), ...lists].join(' ')
}
