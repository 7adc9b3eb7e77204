/**
 * Reading entries: one row per path, ordered, so that a folder is a range of keys.
 *
 * @module
 */

import { rangeBelow, ROOT, type StorePath } from '#core/path.ts'
import type { ReadonlyBytes } from '../../encoding/bytes.ts'
import { batchesOf } from '../batches.ts'
import { WORKSPACE_LAYER, type Relations } from '../layer.ts'
import { findRanges } from './name-blocks.ts'
import { compareKeys, justAfter, laterKey, rangesBelow, type PathRange } from '../path-ranges.ts'
import type { Entry, FileEntry, ListPage, Measure, WalkOptions } from '../store.ts'

/** A row of `files` or `versions`. `blob` is null for a folder. */
export interface FileRow extends Record<string, SqlStorageValue> {
  path: string
  blob: number | null
  size: number
  mime: string
  version: number
  mtime: number
  /** 0 or 1. */
  executable: number
}

/** The columns of a {@link FileRow}. */
export const COLUMNS = 'path, blob, size, mime, version, mtime, executable'

/** The queries of the current entries. */
export type Entries = ReturnType<typeof createEntries>

/** A database, and the relations of a layer in it. */
export interface Source extends Pick<Relations, 'files' | 'versions' | 'unindexed'> {
  readonly sql: SqlStorage
}

/** Creates the queries of the current entries of a layer. */
export function createEntries(sql: SqlStorage, relations: Relations = WORKSPACE_LAYER.read) {
  const { files, versions, unindexed } = relations
  const source = { sql, files, versions, unindexed }
  // Built once: the database finds a statement by its text, which is slow for a text that was just put together.
  const queries = { stat: `SELECT ${COLUMNS} FROM ${files} WHERE path = ?`, open: openQuery(files) }
  return {
    stat: (path: StorePath) => stat(sql, queries.stat, path),
    open: (path: StorePath) => open(sql, queries.open, path),
    versionOf: (path: StorePath) => findVersion(source, queries.stat, path),
    walk: (folder: StorePath, options?: WalkOptions) => walk(source, folder, options),
    list: (folder: StorePath, page: ListPage) => list(source, folder, page),
    measure: (folder: StorePath) => measure(source, folder),
  }
}

const ROOT_ENTRY: Entry = { type: 'folder', path: ROOT, version: 0, mtime: 0 }

function stat(sql: SqlStorage, query: string, path: StorePath): Entry | null {
  if (path === ROOT) return ROOT_ENTRY
  const row = sql.exec<FileRow>(query, path).toArray()[0]
  return row ? entryOf(row) : null
}

/** An entry, and its content if that is in SQLite. */
export interface Opened {
  readonly entry: Entry | null
  readonly bytes: ReadonlyBytes | null
}

/** One statement for both: a second one would take as long as the read itself. */
const openQuery = (files: string) =>
  `SELECT f.path AS path, blob, f.size AS size, mime, version, mtime, executable, bytes
   FROM ${files} AS f LEFT JOIN blobs ON id = blob WHERE f.path = ?`

function open(sql: SqlStorage, query: string, path: StorePath): Opened {
  if (path === ROOT) return { entry: ROOT_ENTRY, bytes: null }
  const row = sql.exec<FileRow & { bytes: ArrayBuffer | null }>(query, path).toArray()[0]
  if (!row) return { entry: null, bytes: null }
  return { entry: entryOf(row), bytes: row.bytes && new Uint8Array(row.bytes) }
}

function findVersion(source: Source, query: string, path: StorePath): number {
  const entry = stat(source.sql, query, path)
  if (entry?.type !== 'folder') return entry?.version ?? 0
  const { low, high } = rangeBelow(path)
  // Uses `versions`, because a deletion below a folder also changes the folder.
  const newest = source.sql.exec<{ version: number | null }>(
    `SELECT max(version) AS version FROM ${source.versions} WHERE path >= ? AND path < ?`,
    low,
    high,
  )
  return Math.max(entry.version, newest.one().version ?? 0)
}

function* walk(
  source: Source,
  folder: StorePath,
  { after, holding, names, within }: WalkOptions = {},
): Iterable<Entry> {
  const ranges = rangesBelow(folder, within, after)
  // Without the plus, SQLite would plan the statement again for each pattern, to turn its prefix into a range.
  const filter = holding ? ` AND path ${holding.fold ? 'LIKE' : 'GLOB'} +?` : ''
  const bindings = holding ? [patternFor(holding)] : []
  const condition = { filter, bindings }
  const [all] = ranges
  const batches =
    names && all && !within
      ? growingBatches(findRanges({ ...source, query: names, ...condition }, all))
      : ranges.map((range) => [range])
  for (const batch of batches) yield* walkRanges(source, batch, condition)
}

/** Ranges that are read by one query, because each query takes as long as reading some hundred rows. */
const RANGES_AT_ONCE = 32

/** Yields the first range alone, which may be enough, and then some at a time. */
function* growingBatches(ranges: Iterable<PathRange>): Generator<readonly PathRange[]> {
  let [batch, size]: [PathRange[], number] = [[], 1]
  for (const range of ranges) {
    batch.push(range)
    if (batch.length < size) continue
    yield batch
    batch = []
    size = RANGES_AT_ONCE
  }
  if (batch.length > 0) yield batch
}

/** A condition on paths, with its bindings. */
interface PathFilter {
  readonly filter: string
  readonly bindings: readonly string[]
}

function* walkRanges(
  source: Source,
  ranges: readonly PathRange[],
  condition: PathFilter,
): Iterable<Entry> {
  const { sql, files } = source
  // What a draft shows is a union, which a join would read as a whole.
  if (ranges.length === 1 || files !== WORKSPACE_LAYER.read.files) {
    for (const range of ranges) yield* walkRange(source, range, condition)
    return
  }
  const { filter, bindings } = condition
  const query = `SELECT ${COLUMNS}
    FROM (SELECT value ->> 0 AS low, value ->> 1 AS high FROM json_each(?1)) CROSS JOIN ${files}
    WHERE path >= low AND path < high${filter} ORDER BY path`
  const pairs = JSON.stringify(ranges.map(({ low, high }) => [low, high]))
  for (const row of sql.exec<FileRow>(query, pairs, ...bindings)) yield entryOf(row)
}

function* walkRange(
  { sql, files }: Source,
  { low, high }: PathRange,
  { filter, bindings }: PathFilter,
): Iterable<Entry> {
  const query = `SELECT ${COLUMNS} FROM ${files} WHERE path >= ? AND path < ?${filter} ORDER BY path`
  for (const row of sql.exec<FileRow>(query, low, high, ...bindings)) yield entryOf(row)
}

/** Skips the contents of each child folder, so the cost depends on the page and not on the subtree. */
function list(
  { sql, files }: Source,
  folder: StorePath,
  { limit, after, within }: ListPage,
): Entry[] {
  const start = rangeBelow(folder).low.length
  const query = `SELECT ${COLUMNS} FROM ${files} WHERE path >= ? AND path < ? ORDER BY path LIMIT 1`
  const children: Entry[] = []
  let from = ''
  for (const { low, high } of rangesBelow(folder, within, after)) {
    from = laterKey(from, low)
    while (children.length < limit && compareKeys(from, high) < 0) {
      const row = sql.exec<FileRow>(query, from, high).toArray()[0]
      if (!row) break
      const slash = row.path.indexOf('/', start)
      if (slash === -1) children.push(entryOf(row))
      from = slash === -1 ? justAfter(row.path) : `${row.path.slice(0, slash)}0`
    }
  }
  return children
}

function measure({ sql, files }: Source, folder: StorePath): Measure {
  const { low, high } = rangeBelow(folder)
  return sql
    .exec<Record<keyof Measure, number>>(
      `SELECT count(blob) AS files, count(*) - count(blob) AS folders, ifnull(sum(size), 0) AS bytes,
         ifnull(max(octet_length(path)), 0) AS longestPath
       FROM ${files} WHERE path >= ? AND path < ?`,
      low,
      high,
    )
    .one()
}

/** Finds the entries of the workspace at many paths; null where there is none. */
export function statMany(
  sql: SqlStorage,
  paths: readonly StorePath[],
): ReadonlyMap<StorePath, Entry | null> {
  const found = new Map<StorePath, Entry | null>(paths.map((path) => [path, null]))
  if (found.has(ROOT)) found.set(ROOT, ROOT_ENTRY)
  const query = `SELECT ${COLUMNS} FROM files WHERE path IN (SELECT value FROM json_each(?))`
  for (const some of batchesOf(paths))
    for (const row of sql.exec<FileRow>(query, JSON.stringify(some)).toArray()) {
      const entry = entryOf(row)
      found.set(entry.path, entry)
    }
  return found
}

/** Converts a row to an entry. */
export function entryOf(row: FileRow): Entry {
  // Only the store writes rows, and it writes checked paths only.
  const path = row.path as StorePath
  const { blob, size, mime, version, mtime } = row
  if (blob === null) return { type: 'folder', path, version, mtime }
  const file = { type: 'file', path, blob, size, mime, version, mtime } satisfies FileEntry
  return row.executable ? { ...file, executable: true } : file
}

/** A Durable Object accepts `LIKE` and `GLOB` patterns of at most 50 bytes, including wildcards. */
const MAX_HELD_BYTES = 48

/** Returns the longest part of the text that needs no escaping, between wildcards. */
function patternFor({ text, fold }: NonNullable<WalkOptions['holding']>): string {
  const wildcard = fold ? '%' : '*'
  const plain = text
    .split(/[%_*?[\]]/)
    .reduce((best, run) => (run.length > best.length ? run : best), '')
  const bytes = new TextEncoder().encode(plain).subarray(0, MAX_HELD_BYTES)
  // Drops a character that the limit cut in half.
  const cut = new TextDecoder().decode(bytes).replace(/\ufffd+$/, '')
  return `${wildcard}${cut}${wildcard}`
}
