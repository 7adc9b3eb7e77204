/**
 * What agents may do in one folder by the rules, and the rules after one click: its changes wait for the person, or
 * nothing in it changes. Everything else of the rules stays as it is. `test/host/console/folder-rules.test.ts` has the
 * cases.
 *
 * @module
 */

import { APPROVAL_LEVELS, type ApprovalLevel } from '#core/approval.ts'
import { isRecord, type JsonRecord } from '#core/json.ts'
import { matches, parseGlob } from '#core/glob.ts'
import { isWithin, relativeTo, resolvePath, type StorePath } from '#core/path.ts'
import { textIn } from '../ui/storage.ts'

/** What asking first in a folder would do to the rules. */
export type Asked =
  | { readonly state: 'possible'; readonly config: JsonRecord }
  /** Its changes wait already. */
  | { readonly state: 'waits' }
  /** Agents cannot use it. */
  | { readonly state: 'outside' }

/** Returns the rules in which all changes of a folder wait. */
export function askIn(config: JsonRecord, folder: StorePath): Asked {
  const around = entriesAbove(config, folder)
  const levels = [readLevel(config), ...around.map(({ entry }) => readLevel(entry))]
  if (levels.some((level) => level === 'review' || level === 'confirm')) return { state: 'waits' }
  const own = around.find(({ path }) => path === folder)
  if (own) return { state: 'possible', config: withEntry(config, own, { approval: 'review' }) }
  if (!isUsable(config, around)) return { state: 'outside' }
  return { state: 'possible', config: withNewEntry(config, { path: folder, approval: 'review' }) }
}

/** What agents may do in a folder; `partly` if a list of patterns decides it for each file. */
export interface FolderAccess {
  readonly read: 'yes' | 'partly' | 'no'
  readonly change: 'yes' | 'partly' | 'no'
}

/** The list of patterns that matches all that is in a folder. */
const EVERYTHING = '**'

/** Describes what agents may do in a folder. */
export function describeFolder(config: JsonRecord, folder: StorePath): FolderAccess {
  const around = entriesAbove(config, folder)
  const reaches = (list: string) => around.some((root) => reachesFolder(root, list, folder))
  const listed = around.filter(({ entry }) => listIn(entry, 'allow').length > 0)
  const isShut = listed.some((root) => !reachesFolder(root, 'allow', folder))
  if (isShut || !isUsable(config, around)) return { read: 'no', change: 'no' }
  const read = listed.length > 0 || reaches('deny') ? 'partly' : 'yes'
  const isFixed = config['read_only'] === true || around.some(isImmutable)
  const isPartly = read === 'partly' || reaches('immutable')
  return { read, change: isFixed ? 'no' : isPartly ? 'partly' : 'yes' }
}

/** Whether a list of an entry may have a pattern that matches something in a folder; true also if that is unknown. */
const reachesFolder = ({ path, entry }: Root, list: string, folder: StorePath): boolean =>
  listIn(entry, list).some(
    (pattern) => typeof pattern !== 'string' || mayMatchIn(pattern, relativeTo(folder, path)),
  )

/** What the segments of a pattern cannot be compared with one by one. */
const SPANNING = /[{}()\\]/

/** Whether a pattern may match a folder or something in it. The pattern and the folder are relative to the same one. */
function mayMatchIn(pattern: string, folder: string): boolean {
  if (SPANNING.test(pattern)) return true
  const segments = pattern.split('/').filter((segment) => segment !== '')
  const names = folder === '' ? [] : folder.split('/')
  for (const [at, name] of names.entries()) {
    const segment = segments[at]
    if (segment === undefined) return false
    if (segment.includes('**')) return true
    const glob = parseGlob(segment)
    if (glob.ok && !matches(glob.value, name)) return false
  }
  return true
}

/**
 * Returns the rules in which nothing in a folder changes, or in which that is permitted again; null if an entry of the
 * folder alone cannot decide it.
 */
export function toggleChanges(config: JsonRecord, folder: StorePath): JsonRecord | null {
  const around = entriesAbove(config, folder)
  const own = around.find(({ path }) => path === folder)
  const isFixed = around.some((root) => root !== own && isImmutable(root))
  if (isFixed || config['read_only'] === true || !isUsable(config, around)) return null
  if (!own) return withNewEntry(config, { path: folder, immutable: [EVERYTHING] })
  const list = listIn(own.entry, 'immutable')
  const kept = list.filter((one) => one !== EVERYTHING)
  const immutable = kept.length < list.length ? kept : [...list, EVERYTHING]
  return withEntry(config, own, { immutable })
}

const isImmutable = ({ entry }: Root) => listIn(entry, 'immutable').includes(EVERYTHING)

/** Finds the entries whose lists and levels apply in a folder: all that contain it. */
const entriesAbove = (config: JsonRecord, folder: StorePath) =>
  readRoots(config).filter(({ path }) => isWithin(folder, path))

const isUsable = (config: JsonRecord, around: readonly Root[]) =>
  around.length > 0 || config['allow_escape'] === true

function withEntry(config: JsonRecord, { entry }: Root, part: JsonRecord): JsonRecord {
  const roots = listIn(config, 'roots').map((one) => (one === entry ? { ...entry, ...part } : one))
  return { ...config, roots }
}

/** Adds an entry at the end, where it does not become the default root. */
const withNewEntry = (config: JsonRecord, entry: JsonRecord): JsonRecord => ({
  ...config,
  roots: [...listIn(config, 'roots'), entry],
})

function listIn(record: JsonRecord | undefined, name: string): readonly unknown[] {
  const list = record?.[name]
  return Array.isArray(list) ? list : []
}

interface Root {
  readonly path: StorePath
  readonly entry: JsonRecord
}

function readRoots(config: JsonRecord): Root[] {
  return listIn(config, 'roots').flatMap((entry) => {
    // A form may hold a path that is not valid yet.
    const path = resolvePath(textIn(entry, 'path') ?? '')
    return path.ok && isRecord(entry) ? [{ path: path.value, entry }] : []
  })
}

function readLevel(value: unknown): ApprovalLevel {
  return APPROVAL_LEVELS.find((level) => level === textIn(value, 'approval')) ?? 'none'
}

/** Returns the folders of the rules, then those of the workspace that agents can use. */
export function listFolders(config: JsonRecord, top: readonly StorePath[]): StorePath[] {
  const own = readRoots(config).map(({ path }) => path)
  const all = [...new Set([...own, ...top])]
  return all.filter((folder) => askIn(config, folder).state !== 'outside')
}
