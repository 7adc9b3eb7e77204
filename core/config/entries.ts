/**
 * Entries of `roots`, which a configuration and a policy have in common, parsed from untrusted JSON.
 *
 * Only own properties count, so `__proto__` and its like are unknown keys. More than {@link MAX_ROOTS},
 * {@link MAX_LIST} or {@link MAX_PATTERNS} entries are refused before any pattern is parsed.
 *
 * @module
 */

import type { ApprovalLevel } from '../approval.ts'
import { parseGlob, type Glob } from '../glob.ts'
import { isRecord, own, type JsonRecord } from '../json.ts'
import { ok, type Result } from '../result.ts'
import { fail, inEntry, type ConfigProblem, type Place } from './problem.ts'
import { collect, readApproval } from './values.ts'

/** Maximum number of entries of `roots`. */
export const MAX_ROOTS = 100

/** Maximum number of patterns of one list. */
export const MAX_LIST = 200

/** Maximum number of patterns of all lists together. */
export const MAX_PATTERNS = 1000

/** Maximum length of all patterns together, in UTF-16 code units. */
export const MAX_PATTERN_TEXT = 50_000

/** The lists of patterns that an entry of `roots` may have. */
export const LISTS = ['deny', 'allow', 'immutable'] as const
/** A list of `T` for each of {@link LISTS}. */
export type Lists<T> = Readonly<Record<(typeof LISTS)[number], readonly T[]>>

/** How entries of a configuration differ from those of a policy. */
export interface EntryKind {
  /** Checks the fields other than `path` and the lists. */
  readonly check: (fields: JsonRecord, pointer: string) => Result<unknown, ConfigProblem>
  /** Checks a list of which only `strings` items are strings; the others are ignored. */
  readonly checkList: (
    place: Place,
    strings: number,
    items: number,
  ) => Result<unknown, ConfigProblem>
}

/** A pattern that is not parsed yet. */
interface PatternText {
  readonly text: string
  readonly pointer: string
}

/** An entry of `roots` with valid types; its path and its patterns are not parsed yet. */
export interface Entry {
  readonly pointer: string
  readonly path: string
  readonly lists: Lists<PatternText>
  /** What the entry adds to the level of its folder; `none` adds nothing. */
  readonly approval: ApprovalLevel
  readonly fields: JsonRecord
}

const ENTRY_KEYS: ReadonlySet<string> = new Set([
  'path',
  'default',
  'blocked',
  'approval',
  'binding_leases',
  ...LISTS,
])

/** The place of `roots` in a document. */
export const ROOTS_POINTER = '/roots'

/** Parses the entries of `roots` and checks their number, but not their paths and patterns. */
export function readEntries(value: unknown, kind: EntryKind): Result<Entry[], ConfigProblem> {
  if (!Array.isArray(value)) return fail('WRONG_TYPE', ROOTS_POINTER, 'roots must be an array')
  if (value.length > MAX_ROOTS) return tooMany(`roots must not hold more than ${MAX_ROOTS} entries`)
  const entries = collect<unknown, Entry>(value, (entry, index) =>
    readEntry(entry, `${ROOTS_POINTER}/${index}`, kind),
  )
  return entries.ok ? withinLimits(entries.value) : entries
}

/** Parses the patterns of an entry. */
export function readPatterns({ lists }: Entry): Result<Lists<Glob>, ConfigProblem> {
  return perList((list) => collect(lists[list], readPattern))
}

function readEntry(value: unknown, pointer: string, kind: EntryKind): Result<Entry, ConfigProblem> {
  if (!isRecord(value)) return fail('WRONG_TYPE', pointer, 'root entries must be objects')
  const path = own(value, 'path')
  const place = inEntry(pointer, 'path').pointer
  if (path === undefined) return fail('MISSING_FIELD', place, 'root.path is required')
  if (typeof path !== 'string') return fail('WRONG_TYPE', place, 'root.path must be a string')
  const checked = kind.check(value, pointer)
  if (!checked.ok) return checked

  const lists = perList((list) => readList(inEntry(pointer, list), own(value, list), kind))
  if (!lists.ok) return lists
  const level = own(value, 'approval')
  const approval = readApproval(inEntry(pointer, 'approval'), level === undefined ? 'none' : level)
  if (!approval.ok) return approval
  const unknown = Object.keys(value).find((key) => !ENTRY_KEYS.has(key))
  if (unknown === undefined)
    return ok({ pointer, path, lists: lists.value, approval: approval.value, fields: value })
  const { pointer: at } = inEntry(pointer, unknown)
  return fail('UNKNOWN_FIELD', at, `unknown root field: ${unknown}`)
}

function readList(
  place: Place,
  value: unknown,
  kind: EntryKind,
): Result<readonly PatternText[], ConfigProblem> {
  const { name, pointer } = place
  if (value === undefined) return ok([])
  if (!Array.isArray(value)) return fail('WRONG_TYPE', pointer, `${name} must be an array`)
  if (value.length > MAX_LIST)
    return fail('TOO_MANY', pointer, `${name} must not hold more than ${MAX_LIST} patterns`)
  const texts = value.flatMap((text: unknown, index) =>
    typeof text === 'string' ? [{ text, pointer: `${pointer}/${index}` }] : [],
  )
  const checked = kind.checkList(place, texts.length, value.length)
  return checked.ok ? ok(texts) : checked
}

function readPattern({ text, pointer }: PatternText): Result<Glob, ConfigProblem> {
  const glob = parseGlob(text)
  return glob.ok ? glob : fail('INVALID_GLOB', pointer, `invalid glob ${text}: ${glob.error}`)
}

function perList<T>(
  read: (list: (typeof LISTS)[number]) => Result<readonly T[], ConfigProblem>,
): Result<Lists<T>, ConfigProblem> {
  const deny = read('deny')
  if (!deny.ok) return deny
  const allow = read('allow')
  if (!allow.ok) return allow
  const immutable = read('immutable')
  if (!immutable.ok) return immutable
  return ok({ deny: deny.value, allow: allow.value, immutable: immutable.value })
}

function withinLimits(entries: Entry[]): Result<Entry[], ConfigProblem> {
  const texts = entries.flatMap(({ lists }) => LISTS.flatMap((list) => lists[list]))
  if (texts.length > MAX_PATTERNS)
    return tooMany(`roots must not hold more than ${MAX_PATTERNS} patterns`)
  const characters = texts.reduce((sum, { text }) => sum + text.length, 0)
  if (characters <= MAX_PATTERN_TEXT) return ok(entries)
  return tooMany(
    `the patterns of roots must not be longer than ${MAX_PATTERN_TEXT} characters in all`,
  )
}

const tooMany = (message: string) => fail('TOO_MANY', ROOTS_POINTER, message)
