/**
 * The search index: finds which files may match, without reading all of them.
 *
 * Trigrams of text blobs are stored in SQLite's FTS5, filled by the alarm in small batches. A blob that is
 * not indexed yet is always a candidate, so a result is complete at any time, and the index only makes it
 * faster. Content that was replaced before it was indexed is skipped.
 *
 * @module
 */

import { rangeBelow, type StorePath } from '#core/path.ts'
import { MAX_SEARCH_FILE_BYTES } from '../limits.ts'
import { hasRoomFor } from '../store/room.ts'
import { INDEX } from '../store/schema.ts'
import type { FileEntry, Store } from '../store/store.ts'
import { foldForIndex } from './trigrams.ts'

/** The search of one workspace. */
export interface Search {
  /** Text files below a folder that may match an FTS5 query, in path order; all of them without a query. */
  candidates(folder: StorePath, query: string | null): FileEntry[]
  /** The text of a candidate, or null if it is too large to be searched. */
  text(file: FileEntry): Promise<string | null>
  /** Runs a search. Indexing pauses until it ends, because a caller waits for the search. */
  first<T>(work: () => Promise<T>): Promise<T>
  /** Indexes a batch of blobs. Resolves to whether there are more. */
  fill(): Promise<boolean>
  /** The number of blobs that are not indexed yet. */
  unindexed(): number
}

/** Maximum blobs and bytes of one batch, so that indexing never blocks the object for long. */
const BATCH_BLOBS = 200
const BATCH_BYTES = 1024 * 1024

interface WaitingRow extends Record<string, SqlStorageValue> {
  id: number
  size: number
  current: number
}

interface FileRow extends Record<string, SqlStorageValue> {
  path: string
  blob: number
  size: number
  mime: string
  version: number
  mtime: number
}

/** Creates the search over the files of a store. */
export function createSearch(storage: DurableObjectStorage, store: Store): Search {
  const { sql } = storage
  const decoder = new TextDecoder()
  let searching = 0

  function candidates(folder: StorePath, query: string | null): FileEntry[] {
    const { low, high } = rangeBelow(folder)
    const columns = 'f.path, f.blob, f.size, f.mime, f.version, f.mtime'
    const rows =
      query === null
        ? sql.exec<FileRow>(
            `SELECT ${columns} FROM files f JOIN blobs b ON b.id = f.blob
             WHERE f.path >= ? AND f.path < ? AND b.text = 1 ORDER BY f.path`,
            low,
            high,
          )
        : sql.exec<FileRow>(
            `SELECT ${columns} FROM files f INDEXED BY files_by_blob
             WHERE f.blob IN (
               SELECT rowid FROM trigrams WHERE trigrams MATCH ?
               UNION SELECT id FROM blobs WHERE indexed = 0
               UNION SELECT id FROM blobs WHERE indexed = 3
             ) AND f.path >= ? AND f.path < ? ORDER BY f.path`,
            query,
            low,
            high,
          )
    return Array.from(rows, fileOf)
  }

  async function text(file: FileEntry): Promise<string | null> {
    if (file.size > MAX_SEARCH_FILE_BYTES) return null
    return decoder.decode(await store.bytesOnce(file))
  }

  async function first<T>(work: () => Promise<T>): Promise<T> {
    searching++
    try {
      return await work()
    } finally {
      searching--
    }
  }

  async function fill(): Promise<boolean> {
    if (searching > 0) return true
    // Indexing can wait: a search reads blobs that are not indexed.
    if (!hasRoomFor(1)) return false
    const batch = nextBatch()
    const texts = new Map<number, string>()
    for (const { id, current } of batch) {
      // The blob may be dropped while another one is being fetched.
      const content = current ? await store.blobText(id) : null
      if (content !== null) texts.set(id, foldForIndex(content))
    }
    storage.transactionSync(() => {
      for (const { id } of batch) note(id, texts.get(id))
    })
    return unindexed() > 0
  }

  function note(id: number, text: string | undefined): void {
    // A blob that no file had when the batch began may have become the content of a file since.
    if (text === undefined && isCurrent(id)) return
    const state = text === undefined ? INDEX.passed : INDEX.done
    const there = sql
      .exec('UPDATE blobs SET indexed = ? WHERE id = ? RETURNING id', state, id)
      .toArray()
    if (there.length > 0 && text !== undefined) {
      sql.exec('INSERT INTO trigrams (rowid, text) VALUES (?, ?)', id, text)
    }
  }

  function isCurrent(id: number): boolean {
    return sql.exec('SELECT 1 FROM files WHERE blob = ? LIMIT 1', id).toArray().length > 0
  }

  function nextBatch(): WaitingRow[] {
    const rows = sql.exec<WaitingRow>(
      `SELECT id, size, EXISTS (SELECT 1 FROM files WHERE blob = b.id) AS current
       FROM blobs b WHERE indexed = 0 ORDER BY id LIMIT ?`,
      BATCH_BLOBS,
    )
    const batch: WaitingRow[] = []
    let bytes = 0
    // Reads all rows at once: an unfinished cursor would block checkpoints of the data it reads.
    for (const row of rows.toArray()) {
      batch.push(row)
      bytes += row.current * row.size
      if (bytes >= BATCH_BYTES) break
    }
    return batch
  }

  function unindexed(): number {
    const rows = sql.exec<{ count: number }>(
      'SELECT count(*) AS count FROM blobs WHERE indexed = 0',
    )
    return rows.one().count
  }

  return { candidates, text, first, fill, unindexed }
}

function fileOf({ path, blob, size, mime, version, mtime }: FileRow): FileEntry {
  return { type: 'file', path: path as StorePath, blob, size, mime, version, mtime }
}
