/**
 * What agents may do in one folder by the rules, and the rules after one click: its changes wait for the person, or
 * nothing in it changes. Everything else of the rules stays as it is. `test/host/console/folder-rules.test.ts` has the
 * cases.
 *
 * @module
 */

import { APPROVAL_LEVELS, type ApprovalLevel } from '#core/approval.ts'
import { isRecord, type JsonRecord } from '#core/json.ts'
import { isWithin, resolvePath, type StorePath } from '#core/path.ts'
import { textIn } from '../ui/storage.ts'

/** What asking first in a folder would do to the rules. */
export type Asked =
  | { readonly state: 'possible'; readonly config: JsonRecord }
  /** Its changes wait already. */
  | { readonly state: 'waits' }
  /** Agents cannot use it. */
  | { readonly state: 'outside' }
  /**
   * An entry of its own would take it out of the lists of the entry around it, so all changes of the folder `around`
   * would wait.
   */
  | { readonly state: 'listed'; readonly around: StorePath; readonly config: JsonRecord }

/** Returns the rules in which all changes of a folder wait. */
export function askIn(config: JsonRecord, folder: StorePath): Asked {
  const roots = readRoots(config)
  const around = roots.filter(({ path }) => isWithin(folder, path))
  const levels = [readLevel(config), ...around.map(({ entry }) => readLevel(entry))]
  if (levels.some((level) => level === 'review' || level === 'confirm')) return { state: 'waits' }
  const own = around.find(({ path }) => path === folder)
  if (own) return { state: 'possible', config: withEntry(config, own, { approval: 'review' }) }
  // A path belongs to the deepest entry that contains it, and the lists of others have no effect on it.
  const [deepest] = around.toSorted((a, b) => b.path.length - a.path.length)
  if (!deepest && config['allow_escape'] !== true) return { state: 'outside' }
  if (deepest && hasLists(deepest.entry)) {
    const asking = withEntry(config, deepest, { approval: 'review' })
    return { state: 'listed', around: deepest.path, config: asking }
  }
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
  const root = findEntry(config, folder)
  if (!root && config['allow_escape'] !== true) return { read: 'no', change: 'no' }
  const reaches = (name: string) => root !== undefined && reachesFolder(root, name, folder)
  const isListed = root !== undefined && hasItems(root.entry, ['allow'])
  if (isListed && !reaches('allow')) return { read: 'no', change: 'no' }
  const read = isListed || reaches('deny') ? 'partly' : 'yes'
  const isFixed =
    config['read_only'] === true || listIn(root?.entry, 'immutable').includes(EVERYTHING)
  const isPartly = read === 'partly' || reaches('immutable')
  return { read, change: isFixed ? 'no' : isPartly ? 'partly' : 'yes' }
}

/** Whether a list of an entry may have a pattern that matches something in a folder; true also if that is unknown. */
const reachesFolder = ({ path, entry }: Root, list: string, folder: StorePath): boolean =>
  listIn(entry, list).some((pattern) => {
    const place = typeof pattern === 'string' ? literalFolder(pattern, path) : path
    return isWithin(place, folder) || isWithin(folder, place)
  })

/** A segment of a pattern that matches only itself. */
const LITERAL = /^[^*?[\]{}()!+@|\\]+$/

/** Returns the folder that has everything that a pattern matches: its segments before the first wildcard. */
function literalFolder(pattern: string, base: StorePath): StorePath {
  const segments = pattern.split('/').slice(0, -1)
  const wild = segments.findIndex((segment) => segment !== '' && !LITERAL.test(segment))
  const literal = wild < 0 ? segments : segments.slice(0, wild)
  const place = resolvePath(literal.filter((segment) => segment !== '').join('/'), base)
  return place.ok ? place.value : base
}

/**
 * Returns the rules in which nothing in a folder changes, or in which that is permitted again; null if they do not
 * follow from one entry: the whole workspace is read-only, or the entry around the folder has lists.
 */
export function toggleChanges(config: JsonRecord, folder: StorePath): JsonRecord | null {
  if (config['read_only'] === true) return null
  const found = findEntry(config, folder)
  if (found?.path !== folder) {
    const isPossible = found ? !hasLists(found.entry) : config['allow_escape'] === true
    const added = { path: folder, immutable: [EVERYTHING] }
    return isPossible ? withNewEntry(config, added) : null
  }
  const list = listIn(found.entry, 'immutable')
  const kept = list.filter((one) => one !== EVERYTHING)
  const immutable = kept.length < list.length ? kept : [...list, EVERYTHING]
  return withEntry(config, found, { immutable })
}

/** Finds the entry that a folder belongs to: the deepest one around it. */
const findEntry = (config: JsonRecord, folder: StorePath) =>
  readRoots(config)
    .filter(({ path }) => isWithin(folder, path))
    .toSorted((a, b) => b.path.length - a.path.length)[0]

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

const hasItems = (entry: JsonRecord, names: readonly string[]) =>
  names.some((name) => listIn(entry, name).length > 0)

const hasLists = (entry: JsonRecord) => hasItems(entry, ['allow', 'deny', 'immutable'])

/** Returns the folders of the rules, then those of the workspace that agents can use. */
export function listFolders(config: JsonRecord, top: readonly StorePath[]): StorePath[] {
  const own = readRoots(config).map(({ path }) => path)
  const all = [...new Set([...own, ...top])]
  return all.filter((folder) => askIn(config, folder).state !== 'outside')
}
