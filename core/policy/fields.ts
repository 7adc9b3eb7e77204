/**
 * Fields: what a configuration and a policy have in common, parsed from untrusted JSON.
 *
 * Only own properties count, so `__proto__` and its like are unknown keys. The messages are those of the
 * mcp4h proposals; each names its field. More than {@link MAX_ROOTS}, {@link MAX_LIST} or
 * {@link MAX_PATTERNS} entries are refused before any pattern is parsed.
 *
 * @module
 */

import { parseGlob, type Glob } from '../glob.ts'
import { isRecord, own, type JsonRecord } from '../json.ts'
import { err, ok, type Result } from '../result.ts'

/** Maximum number of entries of `roots`. */
export const MAX_ROOTS = 100

/** Maximum number of patterns of one list. */
export const MAX_LIST = 200

/** Maximum number of patterns of all lists together. */
export const MAX_PATTERNS = 1000

/** Maximum length of all patterns together, in UTF-16 code units. */
export const MAX_PATTERN_TEXT = 50_000

/** The approval levels of a change, from the least strict to the strictest. */
export const APPROVALS = ['none', 'notify', 'review', 'confirm'] as const
/** One of {@link APPROVALS}. */
export type Approval = (typeof APPROVALS)[number]

/** The numeric limits of one call, which a policy may lower. */
export const LIMITS = [
  'find_limit',
  'search_max_bytes',
  'search_summary_top',
  'read_max_bytes',
  'read_max_line_bytes',
] as const
/** A value for each of {@link LIMITS}; 0 means "no limit". */
export type Limits = Readonly<Record<(typeof LIMITS)[number], number>>

/** Who sent a policy: a person or a model. */
export type Requester = 'human' | 'llm'

/** The lists of patterns that an entry of `roots` may have. */
export const LISTS = ['deny', 'allow', 'immutable'] as const
/** A list of `T` for each of {@link LISTS}. */
export type Lists<T> = Readonly<Record<(typeof LISTS)[number], readonly T[]>>

/** How entries of a configuration differ from those of a policy. */
export interface EntryKind {
  /** Returns what is wrong with the fields other than `path` and the lists, or null. */
  readonly faultOf: (fields: JsonRecord) => string | null
  /** Returns the strings of a list, or an error if its other items must not be ignored. */
  readonly textsOf: (field: string, list: readonly unknown[]) => Result<readonly string[], string>
}

/** An entry of `roots` with valid types; its path and its patterns are not parsed yet. */
export interface Entry {
  readonly path: string
  readonly lists: Lists<string>
  readonly fields: JsonRecord
}

const ENTRY_KEYS: ReadonlySet<string> = new Set(['path', 'default', 'blocked', ...LISTS])

/** Parses a limit. Null and 0 mean "no limit". */
export function readCount(field: string, value: unknown): Result<number, string> {
  if (value === null) return ok(0)
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return ok(value + 0)
  return err(`${field} must be a non-negative integer`)
}

/** Parses a boolean. The error names `field`. */
export function readBoolean(field: string, value: unknown): Result<boolean, string> {
  return typeof value === 'boolean' ? ok(value) : err(`${field} must be a boolean`)
}

/** Parses an approval level. The error names `field`. */
export function readApproval(field: string, value: unknown): Result<Approval, string> {
  const approval = APPROVALS.find((one) => one === value)
  return approval ? ok(approval) : err(`${field} must be one of ${APPROVALS.join(', ')}`)
}

/** Parses the entries of `roots` and checks their number, but not their paths and patterns. */
export function readEntries(value: unknown, kind: EntryKind): Result<Entry[], string> {
  if (!Array.isArray(value)) return err('roots must be an array')
  if (value.length > MAX_ROOTS) return err(`roots must not hold more than ${MAX_ROOTS} entries`)
  const entries = collect(value, (entry) => readEntry(entry, kind))
  if (!entries.ok) return entries
  const fault = excessOf(entries.value)
  return fault ? err(fault) : entries
}

/** Parses the patterns of an entry. */
export function readPatterns({ lists }: Entry): Result<Lists<Glob>, string> {
  return perList((list) => collect(lists[list], readPattern))
}

/** Parses every item, or returns the error of the first invalid one. */
export function collect<T, U>(
  items: readonly T[],
  read: (item: T) => Result<U, string>,
): Result<U[], string> {
  const values: U[] = []
  for (const item of items) {
    const value = read(item)
    if (!value.ok) return value
    values.push(value.value)
  }
  return ok(values)
}

function readEntry(value: unknown, kind: EntryKind): Result<Entry, string> {
  if (!isRecord(value)) return err('root entries must be objects')
  const path = own(value, 'path')
  if (path === undefined) return err('root.path is required')
  if (typeof path !== 'string') return err('root.path must be a string')
  const fault = kind.faultOf(value)
  if (fault) return err(fault)

  const lists = perList((list) => readList(`root.${list}`, own(value, list), kind))
  if (!lists.ok) return lists
  const unknown = Object.keys(value).find((key) => !ENTRY_KEYS.has(key))
  if (unknown !== undefined) return err(`unknown root field: ${unknown}`)
  return ok({ path, lists: lists.value, fields: value })
}

function readList(
  field: string,
  value: unknown,
  kind: EntryKind,
): Result<readonly string[], string> {
  if (value === undefined) return ok([])
  if (!Array.isArray(value)) return err(`${field} must be an array`)
  if (value.length > MAX_LIST) return err(`${field} must not hold more than ${MAX_LIST} patterns`)
  return kind.textsOf(field, value)
}

function readPattern(text: string): Result<Glob, string> {
  const glob = parseGlob(text)
  return glob.ok ? glob : err(`invalid glob ${text}: ${glob.error}`)
}

function perList<T>(
  read: (list: (typeof LISTS)[number]) => Result<readonly T[], string>,
): Result<Lists<T>, string> {
  const deny = read('deny')
  if (!deny.ok) return deny
  const allow = read('allow')
  if (!allow.ok) return allow
  const immutable = read('immutable')
  if (!immutable.ok) return immutable
  return ok({ deny: deny.value, allow: allow.value, immutable: immutable.value })
}

function excessOf(entries: readonly Entry[]): string | null {
  const texts = entries.flatMap(({ lists }) => LISTS.flatMap((list) => lists[list]))
  if (texts.length > MAX_PATTERNS) return `roots must not hold more than ${MAX_PATTERNS} patterns`
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  if (characters <= MAX_PATTERN_TEXT) return null
  return `the patterns of roots must not be longer than ${MAX_PATTERN_TEXT} characters in all`
}
