/**
 * The search index: finds which files may match, without reading all of them.
 *
 * Trigrams of text blobs are stored in SQLite's FTS5, filled by the alarm in small batches. A blob that is
 * not indexed yet is always a candidate, so a result is complete at any time, and the index only makes it
 * faster. Content that was replaced before it was indexed is skipped.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { MAX_SEARCH_FILE_BYTES } from '../limits.ts'
import { hasRoomFor } from '../store/disk-space.ts'
import { draftLayer, WORKSPACE_LAYER, type Layer } from '../store/layer.ts'
import { INDEX, INDEXED_TO, readMeta, writeMeta } from '../store/schema.ts'
import type { FileEntry, Store } from '../store/store.ts'
import { FILES_OF_BLOB, findCandidates, type Candidates } from './candidates.ts'
import { fillNames } from './name-index.ts'
import { foldForIndex } from './trigrams.ts'

/** The search of one workspace. */
export interface Search {
  /** Text files below a folder that may match an FTS5 query, in path order; all of them without a query. */
  candidates(folder: StorePath, query: string | null): Candidates
  /** The text of a candidate, or null if it is too large to be searched. */
  text(file: FileEntry): Promise<string | null>
  /** Runs a search. Indexing pauses until it ends, because a caller waits for the search. */
  first<T>(work: () => Promise<T>): Promise<T>
  /** Indexes a batch of blobs. Resolves to whether there are more. */
  fill(): Promise<boolean>
  /** The number of blobs that were indexed, or passed over, since the object was opened. */
  filled(): number
  /** The number of blobs that are not indexed yet; at most that many where it is more than some thousands. */
  unindexed(): number
}

/** The search of a workspace, and of the drafts over it. */
export interface WorkspaceSearch extends Search {
  /** Searches the files as a draft shows them. */
  draft(id: number): Search
}

/** Maximum blobs and bytes of one batch, so that indexing never blocks the object for long. */
const MAX_BATCH_BLOBS = 200
const MAX_BATCH_BYTES = 1024 * 1024

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
interface Batch {
  readonly blobs: readonly BlobRow[]
  readonly to: number
}

/** The services of a search, how many searches are running, and how many blobs were indexed. */
interface SearchContext {
  readonly storage: DurableObjectStorage
  readonly sql: SqlStorage
  readonly store: Store
  readonly decoder: TextDecoder
  /** Content that was read with candidates. */
  readonly ahead: WeakMap<FileEntry, Uint8Array>
  searching: number
  filled: number
}

/** Creates the search over the files of a store. */
export function createSearch(storage: DurableObjectStorage, store: Store): WorkspaceSearch {
  const { sql } = storage
  const counts = { searching: 0, filled: 0 }
  const kept = { decoder: new TextDecoder(), ahead: new WeakMap<FileEntry, Uint8Array>() }
  const context: SearchContext = { storage, sql, store, ...kept, ...counts }
  return {
    ...searchIn(context, WORKSPACE_LAYER),
    draft: (id) => searchIn(context, draftLayer(id)),
  }
}

function searchIn(context: SearchContext, layer: Layer): Search {
  return {
    candidates: (folder, query) => findCandidates({ ...context, layer }, folder, query),
    text: (file) => readText(context, file),
    first: (work) => runFirst(context, work),
    fill: () => fill(context),
    filled: () => context.filled,
    unindexed: () => countUnindexed(context),
  }
}

async function readText(context: SearchContext, file: FileEntry): Promise<string | null> {
  if (file.size > MAX_SEARCH_FILE_BYTES) return null
  return context.decoder.decode(context.ahead.get(file) ?? (await context.store.bytesOnce(file)))
}

async function runFirst<T>(context: SearchContext, work: () => Promise<T>): Promise<T> {
  context.searching++
  try {
    return await work()
  } finally {
    context.searching--
  }
}

async function fill(context: SearchContext): Promise<boolean> {
  if (context.searching > 0) return true
  // Indexing can wait: a search reads blobs that are not indexed.
  if (!hasRoomFor(1)) return false
  const moreNames = fillNames(context.storage, context.store.totals)
  if (moreNames) context.filled++
  const { blobs, to } = nextBatch(context)
  const texts = new Map<number, string>()
  for (const { id, current } of blobs) {
    // The blob may be dropped while another one is being fetched.
    const content = current ? await context.store.blobText(id) : null
    if (content !== null) texts.set(id, foldForIndex(content))
  }
  context.filled += context.storage.transactionSync(() => {
    const recorded = blobs.filter(({ id }) => recordTurn(context, id, texts.get(id)))
    writeMeta(context.sql, 'indexed_to', to)
    return recorded.length
  })
  return isWaiting(context.sql) || moreNames
}

/** Records that a blob had its turn: it was indexed, or passed over. Returns false if it waits again. */
function recordTurn({ sql }: SearchContext, id: number, text: string | undefined): boolean {
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
  return `(EXISTS (SELECT 1 FROM ${FILES_OF_BLOB} WHERE v.blob = ${blob})
    OR EXISTS (SELECT 1 FROM draft_files WHERE blob = ${blob}))`
}

function isCurrent(sql: SqlStorage, id: number): boolean {
  const named = `SELECT ${isNamedNow('?1')} AS current`
  return sql.exec<{ current: number }>(named, id).one().current === 1
}

/** Blobs that had their turn and wait again, or else those whose turn is next. */
function nextBatch({ sql }: SearchContext): Batch {
  const again = readBlobs(
    sql,
    `SELECT a.blob AS id, ifnull(b.size, 0) AS size, 1 AS waits, ${isNamedNow('a.blob')} AS current
     FROM index_again a LEFT JOIN blobs b ON b.id = a.blob LIMIT ${MAX_BATCH_BLOBS}`,
  )
  if (again.length > 0) return { blobs: cut(again), to: readMeta(sql, 'indexed_to') }
  const rows = cut(
    readBlobs(
      sql,
      `SELECT id, size, indexed = ${INDEX.inTurn} AS waits,
         indexed = ${INDEX.inTurn} AND ${isNamedNow('b.id')} AS current
       FROM blobs b WHERE id > ${INDEXED_TO} ORDER BY id LIMIT ${MAX_BATCH_ROWS}`,
    ),
  )
  return {
    blobs: rows.filter(({ waits }) => waits === 1),
    to: rows.at(-1)?.id ?? readMeta(sql, 'indexed_to'),
  }
}

/** Reads all rows at once: an unfinished cursor would block checkpoints of the data it reads. */
const readBlobs = (sql: SqlStorage, query: string): BlobRow[] => sql.exec<BlobRow>(query).toArray()

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

function isWaiting(sql: SqlStorage): boolean {
  const more = `${AGAIN} UNION ALL SELECT 1 FROM blobs WHERE id > ${INDEXED_TO} LIMIT 1`
  return sql.exec(more).toArray().length > 0
}

function countUnindexed({ sql }: SearchContext): number {
  const { counted, last, newest, again } = sql
    .exec<{ counted: number; last: number; newest: number; again: number }>(
      `SELECT ifnull(sum(indexed = ${INDEX.inTurn}), 0) AS counted, ifnull(max(id), 0) AS last,
         ifnull((SELECT max(id) FROM blobs), 0) AS newest, (SELECT count(*) FROM (${AGAIN})) AS again
       FROM (SELECT id, indexed FROM blobs WHERE id > ${INDEXED_TO} ORDER BY id LIMIT ${MAX_COUNTED})`,
    )
    .one()
  return again + counted + (last === 0 ? 0 : newest - last)
}
