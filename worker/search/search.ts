/**
 * The search index: which files may hold what is looked for, without reading them all.
 *
 * Trigrams of text blobs stand in SQLite's FTS5, filled by the alarm in small batches. What waits to
 * be indexed is always a candidate, so an answer is complete at any moment, and only faster later.
 * Content that was replaced before its turn came is passed over.
 *
 * @module
 */

import { rangeBelow, type StorePath } from '#core/path.ts'
import { MAX_SEARCH_FILE_BYTES } from '../limits.ts'
import { hasRoomFor } from '../store/room.ts'
import { INDEX } from '../store/schema.ts'
import type { FileEntry, Store } from '../store/store.ts'
import { foldForIndex } from './trigrams.ts'

export interface Search {
  /** Text files below a folder that may match, in path order. No query: all of them. */
  candidates(folder: StorePath, query: string | null): FileEntry[]
  /** The text of a candidate, or null when it is too large to be searched. */
  text(file: FileEntry): Promise<string | null>
  /** Does a search; the index waits for it, because somebody waits for the search. */
  first<T>(work: () => Promise<T>): Promise<T>
  /** Indexes a batch of blobs; answers whether there are more. */
  fill(): Promise<boolean>
  /** Blobs that wait to be indexed. */
  unindexed(): number
}

/** What one batch takes on, so that the object is never busy with it for long. */
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
    // The index may wait: what is not in it is read.
    if (!hasRoomFor(1)) return false
    const batch = nextBatch()
    const texts = new Map<number, string>()
    for (const { id, current } of batch) {
      // The blob may go while another one is being fetched.
      const content = current ? await store.blobText(id) : null
      if (content !== null) texts.set(id, foldForIndex(content))
    }
    storage.transactionSync(() => {
      for (const { id } of batch) note(id, texts.get(id))
    })
    return unindexed() > 0
  }

  function note(id: number, text: string | undefined): void {
    // What was nobody's content when the batch began may have become somebody's since.
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
    // All at once: a cursor that is left half way would keep what it reads from being checkpointed.
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
