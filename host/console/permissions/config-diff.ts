/**
 * Compares two configurations, field by field, with values short enough for a list, and applies what differs.
 *
 * @module
 */

import { quoteValue } from '#core/quote.ts'
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

/** Lists the fields that differ in meaning; of a list of folders, the folders that differ. */
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

/** An entry of a list of folders: without its path and its defaults, in order, and in words. */
interface Folder {
  readonly meaning: string
  readonly text: string
}

/** The entries of a list by their paths, an entry that repeats a path with its number; null for another value. */
function readFolders(value: unknown): ReadonlyMap<string, Folder> | null {
  if (!Array.isArray(value)) return null
  const folders = new Map<string, Folder>()
  const items: unknown[] = removeDefaults(value)
  for (const item of items) {
    const path = textIn(item, 'path')
    if (path === null || !isRecord(item)) return null
    const shown = quoteValue(path)
    const name = folders.has(shown) ? `${shown} (entry ${folders.size + 1})` : shown
    folders.set(name, { meaning: JSON.stringify(item), text: formatFolder(item) })
  }
  return folders
}

function diffFolders(
  name: string,
  before: ReadonlyMap<string, Folder>,
  after: ReadonlyMap<string, Folder>,
): Difference[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])]
  const changed = paths.filter((path) => before.get(path)?.meaning !== after.get(path)?.meaning)
  const format = (folder: Folder | undefined) => truncate(folder?.text ?? 'not set', MAX_LENGTH)
  const entries = changed.map((path) => ({
    name: `${name} ${path}`,
    before: format(before.get(path)),
    after: format(after.get(path)),
  }))
  const order = (own: ReadonlyMap<string, Folder>, other: ReadonlyMap<string, Folder>) =>
    [...own.keys()].filter((path) => other.has(path)).join('; ')
  const [old, now] = [order(before, after), order(after, before)]
  // The first entry is the default root.
  if (old !== now) entries.push({ name: `order of ${name}`, before: old, after: now })
  return entries
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
  return truncate(typeof value === 'string' ? value : JSON.stringify(value), MAX_LENGTH)
}

/** Formats an entry for a folder, without the path. */
function formatFolder(entry: JsonRecord): string {
  const parts = Object.entries(entry).flatMap(([key, value]) => {
    if (key === 'path') return []
    if (key === 'default') return ['the default']
    return [`${key} ${Array.isArray(value) ? value.join(' ') : String(value)}`]
  })
  return parts.join(', ') || 'without restrictions'
}
