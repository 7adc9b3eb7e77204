/**
 * Large objects: content above the inline limit, stored outside the tables.
 *
 * A key is written once and never again, so a reader never sees a mix of two contents, and a late delete
 * never hits new content. Objects are usually stored in R2; a workspace without a bucket stores them as
 * chunks in SQLite. Both run the contract suite.
 *
 * @module
 */

import type { ReadonlyBytes } from '../../encoding/bytes.ts'
import type { ByteRange } from '../store.ts'
import { tablesOf, type Tables } from '../../database/table-groups.ts'

/** A store of large objects by key. */
export interface Objects {
  /** Writes an object of exactly `size` bytes. Otherwise it rejects and leaves nothing readable. */
  readonly put: (
    key: string,
    body: ReadableStream<Uint8Array> | ReadonlyBytes,
    size: number,
  ) => Promise<void>
  /** Reads an object, or a part of it, which lies within it and may be empty; null if it does not exist. */
  readonly get: (key: string, range?: ByteRange) => Promise<ReadableStream<Uint8Array> | null>
  /** Deletes objects, which need not exist. */
  readonly delete: (keys: readonly string[]) => Promise<void>
}

/** Creates a store in R2, under the prefix of the workspace. */
export function createR2Objects(bucket: R2Bucket, prefix: string): Objects {
  return {
    async put(key, body, size) {
      if (ArrayBuffer.isView(body)) {
        await bucket.put(`${prefix}/${key}`, body)
        return
      }
      const fixed = new FixedLengthStream(size)
      const piped = body.pipeTo(fixed.writable)
      await Promise.all([bucket.put(`${prefix}/${key}`, fixed.readable), piped])
    },

    async get(key, range) {
      const name = `${prefix}/${key}`
      // R2 refuses a range of no bytes.
      if (range?.length === 0) return (await bucket.head(name)) && new Blob([]).stream()
      const object = await bucket.get(name, range ? { range: { ...range } } : {})
      return object?.body ?? null
    },

    async delete(keys) {
      await bucket.delete(keys.map((key) => `${prefix}/${key}`))
    },
  }
}

/** Size of a chunk in bytes; a SQLite value may have at most 2 MB here. */
const CHUNK_BYTES = 1024 * 1024

/** Creates a store in the table `chunks`, for a workspace without a bucket. */
export function createSqliteObjects(database: SqlStorage): Objects {
  const sql = tablesOf(database, 'chunks')
  const write = (key: string, part: number, bytes: Uint8Array) =>
    sql.exec('INSERT INTO chunks (key, part, bytes) VALUES (?, ?, ?)', key, part, bytes)

  return {
    async put(key, body, size) {
      let part = 0
      let written = 0
      try {
        for await (const chunk of rechunk(streamOf(body), CHUNK_BYTES)) {
          write(key, part++, chunk)
          written += chunk.length
        }
        if (written !== size) throw new RangeError(`Expected ${size} bytes and got ${written}`)
      } catch (error) {
        sql.exec('DELETE FROM chunks WHERE key = ?', key)
        throw error
      }
    },

    async get(key, range) {
      const first = sql.exec('SELECT 1 FROM chunks WHERE key = ? AND part = 0', key).toArray()
      return first.length === 0 ? null : readChunks(sql, key, range)
    },

    async delete(keys) {
      for (const key of keys) sql.exec('DELETE FROM chunks WHERE key = ?', key)
    },
  }
}

function readChunks(sql: Tables, key: string, range?: ByteRange): ReadableStream<Uint8Array> {
  let at = range?.offset ?? 0
  const end = range ? range.offset + range.length : Infinity
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const bytes = at < end ? readChunk(sql, key, at, end) : null
      if (bytes === null || bytes.byteLength === 0) return controller.close()
      at += bytes.byteLength
      controller.enqueue(new Uint8Array(bytes))
    },
  })
}

/** Reads bytes from `at` up to `end`, or to the end of a chunk, of which no more is copied; null behind the last one. */
function readChunk(sql: Tables, key: string, at: number, end: number): ArrayBuffer | null {
  const part = Math.floor(at / CHUNK_BYTES)
  const query = 'SELECT substr(bytes, ?, ?) AS bytes FROM chunks WHERE key = ? AND part = ?'
  const from = at - part * CHUNK_BYTES
  const length = Math.min(CHUNK_BYTES, end - at)
  return (
    sql.exec<{ bytes: ArrayBuffer }>(query, from + 1, length, key, part).toArray()[0]?.bytes ?? null
  )
}

function streamOf(body: ReadableStream<Uint8Array> | ReadonlyBytes): ReadableStream<Uint8Array> {
  return ArrayBuffer.isView(body) ? new Blob([body]).stream() : body
}

/** Cuts a stream into pieces of exactly `size` bytes, the last one shorter. */
async function* rechunk(stream: ReadableStream<Uint8Array>, size: number) {
  let buffer = new Uint8Array(size)
  let filled = 0
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.length;) {
      const take = Math.min(size - filled, chunk.length - at)
      buffer.set(chunk.subarray(at, at + take), filled)
      filled += take
      at += take
      if (filled < size) continue
      yield buffer
      buffer = new Uint8Array(size)
      filled = 0
    }
  }
  if (filled > 0) yield buffer.slice(0, filled)
}
