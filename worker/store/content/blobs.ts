/**
 * Blobs: the rows of content, which versions name by their ids. Equal content has one row.
 *
 * A blob has the path of the version that named it first, and `blob_paths` the others that did, as copies and moves do.
 * So the versions and files with a blob are found by path, and need no index by blob.
 *
 * `test/worker/store/store.test.ts` tests them through the store, and `test/worker/store/change-row.test.ts` that no id
 * is given twice.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { MAX_SEARCH_FILE_BYTES, SWEEP_GRACE_MS } from '../../limits.ts'
import { isTextEncoding, numberOf, type Encoding } from '../../texts/encoding.ts'
import { INDEX, INDEXED_TO, readMeta, writeMeta } from '../../database/schema.ts'
import { draftsIn } from '../layer.ts'
import { dropText } from './texts.ts'
import type { Content } from '../store.ts'
import { hasTables } from '../../database/table-groups.ts'

/** The blobs of one workspace. */
export type Blobs = ReturnType<typeof createBlobs>

interface BlobContext {
  readonly sql: SqlStorage
  readonly wakeAt: (time: number) => void
  /** The newest id of a blob; null until it is needed. */
  newest: number | null
}

/** A version that names a blob, or none. */
export interface Naming {
  readonly blob: number | null
  readonly path: StorePath
}

/** Manages the blobs of one workspace. `wakeAt` is called with the time of the next sweep. */
export function createBlobs(sql: SqlStorage, wakeAt: (time: number) => void) {
  const context: BlobContext = { sql, wakeAt, newest: null }
  return {
    /** Returns the row of content for a version of a path, and creates it if needed. Null if the object was swept. */
    name: (content: Content, path: StorePath) => nameBlob(context, content, path),
    isText: (blob: number) => isTextBlob(sql, blob),
    /** Deletes the blobs of versions and pins that were dropped, if no other names them. */
    dropUnnamed: (dropped: readonly Naming[]) => dropUnnamed(context, dropped),
  }
}

function nameBlob(context: BlobContext, content: Content, path: StorePath): number | null {
  const { place } = content
  if (place.type === 'inline')
    return insertBlob(context, content, path) ?? findBlob(context, content, path)
  const found = findBlob(context, content, path)
  if (found !== null || place.type === 'blob') return found
  const claimed = context.sql
    .exec('DELETE FROM trash WHERE key = ? AND at > 0 RETURNING key', place.key)
    .toArray()
  return claimed.length === 0 ? null : insertBlob(context, content, path)
}

/** SQL: whether a blob was passed over when it was to be indexed, because no file had it. */
const WAS_PASSED = `text <> 0 AND indexed = ${INDEX.inTurn} AND id <= ${INDEXED_TO}
  AND NOT EXISTS (SELECT 1 FROM trigrams WHERE rowid = blobs.id)`

/** Finds the row of content, and records that it has one more path. */
function findBlob({ sql }: BlobContext, { hash }: Content, path: StorePath): number | null {
  const [found] = sql
    .exec<{ id: number; path: string; passed: number }>(
      `SELECT id, path, ${WAS_PASSED} AS passed FROM blobs WHERE hash = ?`,
      hash,
    )
    .toArray()
  if (!found) return null
  const { id } = found
  if (found.passed === 1) sql.exec('INSERT OR IGNORE INTO index_again (blob) VALUES (?)', id)
  if (found.path !== path)
    sql.exec('INSERT OR IGNORE INTO blob_paths (blob, path) VALUES (?, ?)', id, path)
  return id
}

/** Creates the row of content; null if there is one already. */
function insertBlob(
  context: BlobContext,
  { hash, size, encoding, place }: Content,
  path: StorePath,
): number | null {
  const bytes = place.type === 'inline' ? place.bytes : null
  const key = place.type === 'object' ? place.key : null
  const id = newestBlob(context) + 1
  const { rowsWritten } = context.sql.exec(
    `INSERT INTO blobs (id, hash, size, text, indexed, path, key, bytes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING`,
    id,
    hash,
    size,
    numberOf(encoding),
    indexStateOf(encoding, size),
    path,
    key,
    bytes,
  )
  if (rowsWritten === 0) return null
  context.newest = id
  return id
}

function newestBlob(context: BlobContext): number {
  const { sql } = context
  context.newest ??= Math.max(readMeta(sql, 'newest_blob'), newestRow(sql))
  return context.newest
}

const newestRow = (sql: SqlStorage): number =>
  sql.exec<{ id: number }>('SELECT ifnull(max(id), 0) AS id FROM blobs').one().id

/** SQL: the paths of which a version may name the blob `?1`. */
const PATHS = `(SELECT path FROM blobs WHERE id = ?1 UNION ALL SELECT path FROM blob_paths WHERE blob = ?1)`

/** SQL: whether a version of the path `p` names the blob `?1`, of the workspace and of drafts. */
const IN_WORKSPACE = 'EXISTS (SELECT 1 FROM versions v WHERE v.path = p.path AND v.blob = ?1)'
const IN_PINS = 'EXISTS (SELECT 1 FROM pinned_files WHERE blob = ?1)'
const IN_DRAFTS = `EXISTS (SELECT 1 FROM ${draftsIn('draft_versions')} d
  CROSS JOIN draft_versions v ON v.draft = d.draft AND v.path = p.path AND v.blob = ?1)`

/** Whether a version of some paths, or a pin, names a blob. `paths` is SQL. Nearly every path does, so the first ones tell. */
function isNamed(
  sql: SqlStorage,
  paths: string,
  ...bindings: readonly (number | string)[]
): boolean {
  const named = [
    IN_WORKSPACE,
    ...(hasTables(sql, 'drafts') ? [IN_DRAFTS] : []),
    ...(hasTables(sql, 'pages') ? [IN_PINS] : []),
  ].join(' OR ')
  const query = `SELECT 1 FROM ${paths} p WHERE ${named} LIMIT 1`
  return sql.exec(query, ...bindings).toArray().length > 0
}

/** Paths are forgotten first, or each blob would be looked for under all that are to be forgotten after it. */
function dropUnnamed(context: BlobContext, dropped: readonly Naming[]): void {
  const blobs = new Set<number>()
  for (const { blob, path } of dropped)
    if (blob !== null && forgetPath(context.sql, blob, path)) blobs.add(blob)
  for (const blob of blobs) if (!isNamed(context.sql, PATHS, blob)) dropBlob(context, blob)
}

/** Deletes a blob that no version names any more, and moves its object to the trash. */
function dropBlob(context: BlobContext, blob: number): void {
  const { sql, wakeAt } = context
  const due = Date.now() + SWEEP_GRACE_MS
  const trashed = sql.exec(
    'INSERT INTO trash (key, at) SELECT key, ? FROM blobs WHERE id = ? AND key IS NOT NULL',
    due,
    blob,
  )
  if (trashed.rowsWritten > 0) wakeAt(due)
  // An id is never given twice, so the newest one is remembered when its row goes.
  if (blob === newestRow(sql)) writeMeta(sql, { newest_blob: newestBlob(context) })
  dropText(sql, blob)
  sql.exec('DELETE FROM trigrams WHERE rowid = ?', blob)
  sql.exec('DELETE FROM blob_paths WHERE blob = ?', blob)
  sql.exec('DELETE FROM blobs WHERE id = ?', blob)
}

/** Deletes a further path of a blob. Returns false if a version of it still names the blob. */
function forgetPath(sql: SqlStorage, blob: number, path: StorePath): boolean {
  const further = 'FROM blob_paths WHERE blob = ?1 AND path = ?2'
  const [row] = sql.exec(`SELECT 1 ${further}`, blob, path).toArray()
  if (!row) return true
  if (isNamed(sql, '(SELECT ?2 AS path)', blob, path)) return false
  sql.exec(`DELETE ${further}`, blob, path)
  return true
}

function isTextBlob(sql: SqlStorage, blob: number): boolean {
  return (
    sql
      .exec(`SELECT 1 FROM blobs WHERE id = ? AND text NOT IN (0, ${numberOf('document')})`, blob)
      .toArray().length > 0
  )
}

function indexStateOf(encoding: Encoding, size: number): number {
  if (encoding === 'document') return INDEX.inTurn
  if (!isTextEncoding(encoding)) return INDEX.never
  return size > MAX_SEARCH_FILE_BYTES ? INDEX.large : INDEX.inTurn
}
