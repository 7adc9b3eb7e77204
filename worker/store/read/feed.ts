/**
 * The feed: the applied changes after a version, oldest first, and the states in which each left its paths.
 *
 * It reads the rows of the changes, and of each change those of the wanted paths: what it costs tells nothing of other
 * paths. `test/worker/store/feed.test.ts` tests it.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { readSetting, writeSetting } from '../../database/schema.ts'
import { MAX_CHANGES } from '../../limits.ts'
import { batchesOf } from '../batches.ts'
import { GONE } from '../layer.ts'
import { intersectRanges, justAfter, WHOLE, type PathRanges } from '../path-ranges.ts'
import { readTouched, type TouchedRow } from '../touched-paths.ts'
import type { ChangeRecord, Feed, StatesQuery, TouchedState } from '../store.ts'
import { entryOf, type FileRow } from './entries.ts'
import { CHANGE, changeOf, touchedRanges, type ChangeRow } from './history.ts'

/** Creates the feed of the workspace. Drafts have none. */
export function createFeed(sql: SqlStorage): Feed {
  return {
    changesAfter: (version, limit) => readChanges(sql, version, limit),
    statesAfter: (version, query) => readStates(sql, version, query),
    timeAt: (version) => readTime(sql, version),
    oldestKept: (newest) => Math.max(0, newest - MAX_CHANGES),
    changedAfter: (paths, version) => findChanged(sql, paths, version),
    secret: () => readSetting(sql, SECRET) ?? newSecret(sql),
  }
}

const SECRET = 'feed_secret'

function newSecret(sql: SqlStorage): string {
  const secret = crypto.randomUUID()
  writeSetting(sql, SECRET, secret)
  return secret
}

function readChanges(sql: SqlStorage, version: number, limit: number): ChangeRecord[] {
  const query = `SELECT ${CHANGE} FROM changes c WHERE c.version > ? ORDER BY c.version LIMIT ?`
  return sql.exec<ChangeRow>(query, version, limit).toArray().map(changeOf)
}

function readTime(sql: SqlStorage, version: number): number {
  const query = 'SELECT at FROM changes WHERE version <= ? ORDER BY version DESC LIMIT 1'
  return sql.exec<{ at: number }>(query, version).toArray()[0]?.at ?? 0
}

function readStates(
  sql: SqlStorage,
  version: number,
  { path, within, after, limit }: StatesQuery,
): TouchedState[] {
  const query = 'SELECT version, touched FROM changes WHERE version = ?'
  const [row] = sql.exec<TouchedRow>(query, version).toArray()
  if (!row) return []
  const ranges = from(touchedRanges(path, within), after)
  const paths = readTouched({ sql, versions: 'versions', draft: null }, row, ranges, limit)
  return [...batchesOf(paths)].flatMap((some) => statesAt(sql, version, some))
}

const from = (ranges: PathRanges, after: StorePath | undefined): PathRanges =>
  after === undefined
    ? ranges
    : intersectRanges(
        ranges,
        WHOLE.map(({ high }) => ({ low: justAfter(after), high })),
      )

/** A row of `versions`, with the content that it names. */
interface StateRow extends FileRow {
  hash: string | null
}

/** Without CROSS, SQLite could read all versions first. */
const STATES = `SELECT v.path, v.blob, v.size, v.mime, v.version, v.mtime, v.executable, lower(hex(b.hash)) AS hash
  FROM json_each(?2) p CROSS JOIN versions v ON v.path = p.value AND v.version = ?1
  LEFT JOIN blobs b ON b.id = v.blob`

function statesAt(sql: SqlStorage, version: number, paths: readonly StorePath[]): TouchedState[] {
  const rows = sql.exec<StateRow>(STATES, version, JSON.stringify(paths))
  return Array.from(rows, ({ hash, ...row }) => ({
    // Only the store writes rows, and it writes checked paths only.
    path: row.path as StorePath,
    entry: row.mime === GONE ? null : entryOf(row),
    hash: row.blob === null ? null : hash,
  }))
}

const CHANGED = `SELECT p.value AS path, max(v.version) AS version
  FROM json_each(?1) p CROSS JOIN versions v ON v.path = p.value AND v.version > ?2 GROUP BY p.value`

function findChanged(
  sql: SqlStorage,
  paths: readonly StorePath[],
  version: number,
): ReadonlyMap<StorePath, number> {
  const rows = [...batchesOf(paths)].flatMap((some) =>
    sql.exec<ChangedRow>(CHANGED, JSON.stringify(some), version).toArray(),
  )
  return new Map(rows.map((row) => [row.path, row.version]))
}

interface ChangedRow extends Record<string, SqlStorageValue> {
  path: StorePath
  version: number
}
