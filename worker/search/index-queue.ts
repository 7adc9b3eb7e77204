/**
 * The content that waits to be indexed, in the order of its ids. Content that was replaced before its turn is passed over.
 *
 * `test/worker/search/index-queue.test.ts` and `test/worker/search/index.test.ts` test it.
 *
 * @module
 */

import { INDEX, INDEXED_TO, readMeta } from '../database/schema.ts'
import { tablesOf } from '../database/table-groups.ts'

/** Maximum blobs and bytes of one batch, for which every request waits: about 15 ms. */
const MAX_BATCH_BLOBS = 200
const MAX_BATCH_BYTES = 128 * 1024

/** Blobs of any kind that one batch looks at. */
const MAX_BATCH_ROWS = 1_000

/** Blobs that are counted one by one to tell how many wait; of more the ids are counted. */
const MAX_COUNTED = 5_000

interface BlobRow extends Record<string, SqlStorageValue> {
  id: number
  size: number
  /** 1 if it waits. */
  waits: number
  /** 1 if it waits and is the content of a file now. */
  current: number
}

/** Blobs that wait, and up to where all had their turn once they are indexed. */
export interface Batch {
  readonly blobs: readonly BlobRow[]
  readonly to: number
}

/** Records that a blob had its turn: it was indexed, or passed over. Returns false if it waits again. */
export function recordTurn(sql: SqlStorage, id: number, text: string | undefined): boolean {
  // A blob that no file had when the batch began may have become the content of a file since.
  if (text === undefined && isCurrent(sql, id)) {
    sql.exec('INSERT OR IGNORE INTO index_again (blob) VALUES (?)', id)
    return false
  }
  sql.exec('DELETE FROM index_again WHERE blob = ?', id)
  if (text !== undefined && sql.exec('SELECT 1 FROM blobs WHERE id = ?', id).toArray().length > 0)
    sql.exec('INSERT INTO trigrams (rowid, text) VALUES (?, ?)', id, text)
  return true
}

/** An SQL condition: whether a file of the workspace or of a draft has a blob now. */
function isNamedNow(blob: string): string {
  const paths = `(SELECT path FROM blobs WHERE id = ${blob}
    UNION ALL SELECT path FROM blob_paths WHERE blob = ${blob}) p`
  return `(EXISTS (SELECT 1 FROM ${paths} CROSS JOIN files f ON f.path = p.path AND f.blob = ${blob})
    OR EXISTS (SELECT 1 FROM ${paths} CROSS JOIN draft_files d ON d.path = p.path AND d.blob = ${blob}))`
}

function isCurrent(sql: SqlStorage, id: number): boolean {
  const named = `SELECT ${isNamedNow('?1')} AS current`
  return tablesOf(sql, 'drafts').exec<{ current: number }>(named, id).one().current === 1
}

/** Blobs whose turn is next, or else those that wait again, among which some may stay unreadable. */
export function nextBatch(sql: SqlStorage): Batch {
  const rows = cut(
    readBlobs(
      sql,
      `SELECT id, size, indexed = ${INDEX.inTurn} AS waits,
         indexed = ${INDEX.inTurn} AND ${isNamedNow('b.id')} AS current
       FROM blobs b WHERE id > ${INDEXED_TO} ORDER BY id LIMIT ${MAX_BATCH_ROWS}`,
    ),
  )
  const last = rows.at(-1)
  if (last) return { blobs: rows.filter(({ waits }) => waits === 1), to: last.id }
  const again = readBlobs(
    sql,
    `SELECT a.blob AS id, ifnull(b.size, 0) AS size, 1 AS waits, ${isNamedNow('a.blob')} AS current
     FROM index_again a LEFT JOIN blobs b ON b.id = a.blob LIMIT ${MAX_BATCH_BLOBS}`,
  )
  return { blobs: cut(again), to: readMeta(sql, 'indexed_to') }
}

/** Reads all rows at once: an unfinished cursor would block checkpoints of the data it reads. */
const readBlobs = (sql: SqlStorage, query: string): BlobRow[] =>
  tablesOf(sql, 'drafts').exec<BlobRow>(query).toArray()

/** The first of some rows, with which a batch is full. */
function cut(rows: readonly BlobRow[]): readonly BlobRow[] {
  let [bytes, blobs] = [0, 0]
  const last = rows.findIndex(({ size, waits, current }) => {
    bytes += current * size
    blobs += waits
    return bytes >= MAX_BATCH_BYTES || blobs >= MAX_BATCH_BLOBS
  })
  return last === -1 ? rows : rows.slice(0, last + 1)
}

const AGAIN = 'SELECT 1 FROM index_again'

/** Whether any blob waits, or has not had its turn. */
export function isWaiting(sql: SqlStorage): boolean {
  const more = `${AGAIN} UNION ALL SELECT 1 FROM blobs WHERE id > ${INDEXED_TO} LIMIT 1`
  return sql.exec(more).toArray().length > 0
}

/** The number of blobs that wait; of more than {@link MAX_COUNTED}, not less than that number. */
export function countUnindexed(sql: SqlStorage): number {
  const { counted, last, newest, again } = sql
    .exec<{ counted: number; last: number; newest: number; again: number }>(
      `SELECT ifnull(sum(indexed = ${INDEX.inTurn}), 0) AS counted, ifnull(max(id), 0) AS last,
         ifnull((SELECT max(id) FROM blobs), 0) AS newest, (SELECT count(*) FROM (${AGAIN})) AS again
       FROM (SELECT id, indexed FROM blobs WHERE id > ${INDEXED_TO} ORDER BY id LIMIT ${MAX_COUNTED})`,
    )
    .one()
  return again + counted + (last === 0 ? 0 : newest - last)
}
