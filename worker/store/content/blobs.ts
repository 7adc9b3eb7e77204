/**
 * Blobs: the rows of content, which versions name by their ids. Equal content has one row.
 *
 * `test/worker/store/store.test.ts` tests them through the store, and `test/worker/store/change-row.test.ts` that no id
 * is given twice.
 *
 * @module
 */

import { MAX_SEARCH_FILE_BYTES, SWEEP_GRACE_MS } from '../../limits.ts'
import { isTextEncoding, numberOf } from '../../texts/encoding.ts'
import { INDEX, INDEXED_TO } from '../../database/schema.ts'
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

/** Manages the blobs of one workspace. `wakeAt` is called with the time of the next sweep. */
export function createBlobs(sql: SqlStorage, wakeAt: (time: number) => void) {
  const context: BlobContext = { sql, wakeAt, newest: null }
  return {
    name: (content: Content) => nameBlob(context, content),
    /** The newest id that a blob was given. A change keeps it, so that no id is given twice. */
    newest: () => newestBlob(context),
    isText: (blob: number) => isTextBlob(sql, blob),
    dropUnnamed: (blob: number) => dropUnnamed(context, blob),
  }
}

/** Returns the row of content, and creates it if needed. Null if the object was swept meanwhile. */
function nameBlob(context: BlobContext, content: Content): number | null {
  const { place } = content
  if (place.type === 'inline') return insertBlob(context, content) ?? findBlob(context, content)
  const found = findBlob(context, content)
  if (found !== null || place.type === 'blob') return found
  const claimed = context.sql
    .exec('DELETE FROM trash WHERE key = ? AND at > 0 RETURNING key', place.key)
    .toArray()
  return claimed.length === 0 ? null : insertBlob(context, content)
}

/** SQL: whether a blob was passed over when it was to be indexed, because no file had it. */
const WAS_PASSED = `text <> 0 AND indexed = ${INDEX.inTurn} AND id <= ${INDEXED_TO}
  AND NOT EXISTS (SELECT 1 FROM trigrams WHERE rowid = blobs.id)`

function findBlob({ sql }: BlobContext, { hash }: Content): number | null {
  const found = sql
    .exec<{ id: number; passed: number }>(
      `SELECT id, ${WAS_PASSED} AS passed FROM blobs WHERE hash = ?`,
      hash,
    )
    .toArray()[0]
  if (found?.passed === 1) sql.exec('INSERT OR IGNORE INTO index_again (blob) VALUES (?)', found.id)
  return found?.id ?? null
}

/** Creates the row of content; null if there is one already. */
function insertBlob(context: BlobContext, { hash, size, encoding, place }: Content): number | null {
  const bytes = place.type === 'inline' ? place.bytes : null
  const key = place.type === 'object' ? place.key : null
  const id = newestBlob(context) + 1
  const { rowsWritten } = context.sql.exec(
    `INSERT INTO blobs (id, hash, size, text, indexed, bytes, key)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING`,
    id,
    hash,
    size,
    numberOf(encoding),
    indexStateOf(isTextEncoding(encoding), size),
    bytes,
    key,
  )
  if (rowsWritten === 0) return null
  context.newest = id
  return id
}

function newestBlob(context: BlobContext): number {
  context.newest ??= context.sql
    .exec<{ newest: number }>(
      `SELECT max(
         ifnull((SELECT newest_blob FROM changes ORDER BY version DESC LIMIT 1), 0),
         ifnull((SELECT value FROM meta WHERE name = 'newest_blob'), 0),
         ifnull((SELECT max(id) FROM blobs), 0)) AS newest`,
    )
    .one().newest
  return context.newest
}

function isNamed(sql: SqlStorage, blob: number): boolean {
  const tables = hasTables(sql, 'drafts') ? ['versions', 'draft_versions'] : ['versions']
  return tables.some(
    (table) => sql.exec(`SELECT 1 FROM ${table} WHERE blob = ? LIMIT 1`, blob).toArray().length > 0,
  )
}

/** Deletes a blob that no version names any more, and moves its object to the trash. */
function dropUnnamed({ sql, wakeAt }: BlobContext, blob: number): void {
  if (isNamed(sql, blob)) return
  const due = Date.now() + SWEEP_GRACE_MS
  const trashed = sql.exec(
    'INSERT INTO trash (key, at) SELECT key, ? FROM blobs WHERE id = ? AND key IS NOT NULL',
    due,
    blob,
  )
  if (trashed.rowsWritten > 0) wakeAt(due)
  sql.exec('DELETE FROM trigrams WHERE rowid = ?', blob)
  sql.exec('DELETE FROM blobs WHERE id = ?', blob)
}

function isTextBlob(sql: SqlStorage, blob: number): boolean {
  return sql.exec('SELECT 1 FROM blobs WHERE id = ? AND text <> 0', blob).toArray().length > 0
}

function indexStateOf(text: boolean, size: number): number {
  if (!text) return INDEX.never
  return size > MAX_SEARCH_FILE_BYTES ? INDEX.large : INDEX.inTurn
}
