/**
 * Compares two configurations, field by field and rule by rule, and applies what differs. Nothing is cut, because a
 * person decides on the list. `test/host/console/state.test.ts` has the cases.
 *
 * @module
 */

import { quoteValue } from '#core/quote.ts'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { formatLimit, formatSeconds } from '../ui/format.ts'
import { textIn } from '../ui/storage.ts'

/** A field that differs, with both values as text. */
export interface Difference {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** Lists the fields that differ in meaning; of a list of folders, the rules of each folder that differ. */
export const diffConfigs = (before: JsonRecord, after: JsonRecord): Difference[] =>
  listChanged(before, after).flatMap((name) => diffField(name, before[name], after[name]))

function listChanged(before: JsonRecord, after: JsonRecord): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => normalize(before[name]) !== normalize(after[name]))
}

/** A configuration as it was before an edit, and after it. */
export interface ConfigEdit {
  readonly before: JsonRecord
  readonly after: JsonRecord
}

/** Applies the fields of an edit to a newer configuration. */
export function rebaseConfig(newer: JsonRecord, { before, after }: ConfigEdit): JsonRecord {
  const edited = new Set(listChanged(before, after))
  const isEdited = ([name]: readonly [string, unknown]) => edited.has(name)
  const kept = Object.entries(newer).filter((entry) => !isEdited(entry))
  return Object.fromEntries([...kept, ...Object.entries(after).filter(isEdited)])
}

function diffField(name: string, before: unknown, after: unknown): Difference[] {
  const [old, now] = [readFolders(before), readFolders(after)]
  if (old && now) return diffFolders(name, old, now)
  return [{ name, before: formatField(name, before), after: formatField(name, after) }]
}

/**
 * The entries of a list by their paths, without their defaults, and an entry that repeats a path with its number; null
 * for another value.
 */
function readFolders(value: unknown): ReadonlyMap<string, JsonRecord> | null {
  if (!Array.isArray(value)) return null
  const folders = new Map<string, JsonRecord>()
  const items: unknown[] = removeDefaults(value)
  for (const item of items) {
    const path = textIn(item, 'path')
    if (path === null || !isRecord(item)) return null
    const shown = quoteValue(path)
    const name = folders.has(shown) ? `${shown} (entry ${folders.size + 1})` : shown
    folders.set(name, item)
  }
  return folders
}

function diffFolders(
  name: string,
  before: ReadonlyMap<string, JsonRecord>,
  after: ReadonlyMap<string, JsonRecord>,
): Difference[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])]
  const entries = paths.flatMap((path) =>
    diffFolder(`${name} ${path}`, before.get(path), after.get(path)),
  )
  const order = (own: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>) =>
    [...own.keys()].filter((path) => other.has(path)).join('; ')
  const [old, now] = [order(before, after), order(after, before)]
  // The first entry is the default root.
  if (old !== now) entries.push({ name: `order of ${name}`, before: old, after: now })
  return entries
}

/** Lists the rules of one folder that differ; a folder that is added or removed is one difference. */
function diffFolder(
  name: string,
  before: JsonRecord | undefined,
  after: JsonRecord | undefined,
): Difference[] {
  if (!before || !after) return [{ name, before: formatFolder(before), after: formatFolder(after) }]
  return listChanged(before, after).flatMap((key) => {
    const [old, now] = [before[key], after[key]]
    if (Array.isArray(old) || Array.isArray(now))
      return diffPatterns(`${name} ${key}`, listOf(old), listOf(now))
    return [{ name: `${name} ${key}`, before: formatValue(old), after: formatValue(now) }]
  })
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Lists each pattern that is added or removed, however many others stay. */
function diffPatterns(
  name: string,
  before: readonly unknown[],
  after: readonly unknown[],
): Difference[] {
  const only = (list: readonly unknown[], other: readonly unknown[]) =>
    list.filter((one) => !other.includes(one)).map((one) => `${name} ${quoteValue(String(one))}`)
  const removed = only(before, after).map((one) => ({ name: one, before: 'set', after: 'not set' }))
  const added = only(after, before).map((one) => ({ name: one, before: 'not set', after: 'set' }))
  if (removed.length + added.length > 0) return [...removed, ...added]
  return [{ name: `order of ${name}`, before: before.join('; '), after: after.join('; ') }]
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
  return JSON.stringify(Array.isArray(value) ? removeDefaults(value) : value) ?? ''
}

function removeDefaults(list: readonly unknown[]): unknown[] {
  return list.map((item, index) => {
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
  if (value === undefined) return 'not set'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Formats an entry for a folder, without the path. */
function formatFolder(entry: JsonRecord | undefined): string {
  if (!entry) return 'not set'
  const parts = Object.entries(entry).flatMap(([key, value]) => {
    if (key === 'path') return []
    if (key === 'default') return ['the default']
    const values = Array.isArray(value) ? value : [value]
    return [`${key} ${values.map((one) => quoteValue(String(one))).join(' ')}`]
  })
  return parts.join(', ') || 'without restrictions'
}
