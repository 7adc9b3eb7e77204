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
import { INDEX } from '../store/schema.ts'
import type { FileEntry, Store } from '../store/store.ts'
import { FILES_OF_BLOB, findCandidates, type Candidates } from './candidates.ts'
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
  /** The number of blobs that are not indexed yet, which takes longer the more there are. */
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

interface WaitingRow extends Record<string, SqlStorageValue> {
  id: number
  size: number
  current: number
}

/** The services of a search, how many searches are running, and how many blobs were indexed. */
interface SearchContext {
  readonly storage: DurableObjectStorage
  readonly sql: SqlStorage
  readonly store: Store
  readonly decoder: TextDecoder
  searching: number
  filled: number
}

/** Creates the search over the files of a store. */
export function createSearch(storage: DurableObjectStorage, store: Store): WorkspaceSearch {
  const { sql } = storage
  const counts = { searching: 0, filled: 0 }
  const context: SearchContext = { storage, sql, store, decoder: new TextDecoder(), ...counts }
  return {
    ...searchIn(context, WORKSPACE_LAYER),
    draft: (id) => searchIn(context, draftLayer(id)),
  }
}

function searchIn(context: SearchContext, layer: Layer): Search {
  return {
    candidates: (folder, query) => findCandidates({ sql: context.sql, layer }, folder, query),
    text: (file) => readText(context, file),
    first: (work) => runFirst(context, work),
    fill: () => fill(context),
    filled: () => context.filled,
    unindexed: () => countUnindexed(context),
  }
}

async function readText(context: SearchContext, file: FileEntry): Promise<string | null> {
  if (file.size > MAX_SEARCH_FILE_BYTES) return null
  return context.decoder.decode(await context.store.bytesOnce(file))
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
  const batch = nextBatch(context)
  const texts = new Map<number, string>()
  for (const { id, current } of batch) {
    // The blob may be dropped while another one is being fetched.
    const content = current ? await context.store.blobText(id) : null
    if (content !== null) texts.set(id, foldForIndex(content))
  }
  const recorded = context.storage.transactionSync(
    () => batch.filter(({ id }) => recordIndexed(context, id, texts.get(id))).length,
  )
  context.filled += recorded
  return context.sql.exec('SELECT 1 FROM blobs WHERE indexed = 0 LIMIT 1').toArray().length > 0
}

/** Records that a blob was indexed, or passed over. Returns false if it still waits. */
function recordIndexed(context: SearchContext, id: number, text: string | undefined): boolean {
  // A blob that no file had when the batch began may have become the content of a file since.
  if (text === undefined && isCurrent(context, id)) return false
  const state = text === undefined ? INDEX.passed : INDEX.done
  const there = context.sql
    .exec('UPDATE blobs SET indexed = ? WHERE id = ? RETURNING id', state, id)
    .toArray()
  if (there.length > 0 && text !== undefined) {
    context.sql.exec('INSERT INTO trigrams (rowid, text) VALUES (?, ?)', id, text)
  }
  return true
}

/** An SQL condition: whether a file of the workspace or of a draft has a blob now. */
function isNamedNow(blob: string): string {
  return `(EXISTS (SELECT 1 FROM ${FILES_OF_BLOB} WHERE v.blob = ${blob})
    OR EXISTS (SELECT 1 FROM draft_files WHERE blob = ${blob}))`
}

function isCurrent({ sql }: SearchContext, id: number): boolean {
  const named = `SELECT ${isNamedNow('?1')} AS current`
  return sql.exec<{ current: number }>(named, id).one().current === 1
}

function nextBatch(context: SearchContext): WaitingRow[] {
  const rows = context.sql.exec<WaitingRow>(
    `SELECT id, size, ${isNamedNow('b.id')} AS current
     FROM blobs b WHERE indexed = 0 ORDER BY id LIMIT ?`,
    MAX_BATCH_BLOBS,
  )
  const batch: WaitingRow[] = []
  let bytes = 0
  // Reads all rows at once: an unfinished cursor would block checkpoints of the data it reads.
  for (const row of rows.toArray()) {
    batch.push(row)
    bytes += row.current * row.size
    if (bytes >= MAX_BATCH_BYTES) break
  }
  return batch
}

function countUnindexed(context: SearchContext): number {
  const rows = context.sql.exec<{ count: number }>(
    'SELECT count(*) AS count FROM blobs WHERE indexed = 0',
  )
  return rows.one().count
}
