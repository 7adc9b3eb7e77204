/**
 * The search index: which files may hold what is looked for, without reading them all.
 *
 * Trigrams of text blobs stand in SQLite's FTS5, filled by the alarm in small batches. Blobs get
 * rising ids, so one number says how far the index has come, and whatever lies beyond it is a
 * candidate: an answer is complete at any moment, and only faster later.
 *
 * @module
 */

import { rangeBelow, type StorePath } from '#core/path.ts'
import { MAX_SEARCH_FILE_BYTES } from '../limits.ts'
import { readMeta, writeMeta } from '../store/schema.ts'
import type { FileEntry, Store } from '../store/store.ts'
import { foldForIndex } from './trigrams.ts'

export interface Search {
  /** Text files below a folder that may match, in path order. No query: all of them. */
  candidates(folder: StorePath, query: string | null): FileEntry[]
  /** The text of a candidate, or null when it is too large to be searched. */
  text(file: FileEntry): Promise<string | null>
  /** Indexes a batch of blobs; answers whether there are more. */
  fill(): Promise<boolean>
  /** Blobs that wait to be indexed. */
  unindexed(): number
}

/** What one batch takes on, so that the object is never busy with it for long. */
const BATCH_BLOBS = 200
const BATCH_BYTES = 1024 * 1024

interface BlobRow extends Record<string, SqlStorageValue> {
  id: number
  size: number
  text: number
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
               UNION SELECT id FROM blobs WHERE id > ? AND text = 1
             ) AND f.path >= ? AND f.path < ? ORDER BY f.path`,
            query,
            readMeta(sql, 'indexed'),
            low,
            high,
          )
    return Array.from(rows, fileOf)
  }

  async function text(file: FileEntry): Promise<string | null> {
    if (file.size > MAX_SEARCH_FILE_BYTES) return null
    return decoder.decode(await store.bytes(file))
  }

  async function fill(): Promise<boolean> {
    const batch = nextBatch()
    const last = batch.at(-1)
    if (!last) return false
    const texts: [number, string][] = []
    for (const { id, size, text: isText } of batch) {
      if (isText === 0 || size > MAX_SEARCH_FILE_BYTES) continue
      // The blob may go while another one is being fetched.
      const content = await store.blobText(id)
      if (content !== null) texts.push([id, foldForIndex(content)])
    }
    storage.transactionSync(() => {
      for (const [id, content] of texts) {
        sql.exec(
          'INSERT INTO trigrams (rowid, text) SELECT ?, ? WHERE EXISTS (SELECT 1 FROM blobs WHERE id = ?)',
          id,
          content,
          id,
        )
      }
      writeMeta(sql, 'indexed', last.id)
    })
    return unindexed() > 0
  }

  function nextBatch(): BlobRow[] {
    const rows = sql.exec<BlobRow>(
      'SELECT id, size, text FROM blobs WHERE id > ? ORDER BY id LIMIT ?',
      readMeta(sql, 'indexed'),
      BATCH_BLOBS,
    )
    const batch: BlobRow[] = []
    let bytes = 0
    for (const row of rows) {
      batch.push(row)
      bytes += row.text * row.size
      if (bytes >= BATCH_BYTES) break
    }
    return batch
  }

  function unindexed(): number {
    return sql
      .exec<{ count: number }>(
        'SELECT count(*) AS count FROM blobs WHERE id > ?',
        readMeta(sql, 'indexed'),
      )
      .one().count
  }

  return { candidates, text, fill, unindexed }
}

function fileOf({ path, blob, size, mime, version, mtime }: FileRow): FileEntry {
  return { type: 'file', path: path as StorePath, blob, size, mime, version, mtime }
}
