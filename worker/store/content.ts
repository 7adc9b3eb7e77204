/**
 * Content: stores bytes before a version names them, and reads them again.
 *
 * Small content is part of the proposal and is written with it. Large content is written to the objects
 * first, under a key that stays in the trash until a version names it: every key is named by a blob or by
 * the trash, so a crash at any point loses nothing and leaves nothing behind.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import { INLINE_BYTES, MAX_FILE_BYTES, MAX_SEARCH_FILE_BYTES, SWEEP_GRACE_MS } from '../limits.ts'
import { createTextProbe, isText } from '../text.ts'
import type { Objects } from './objects.ts'
import { hasRoomFor } from './room.ts'
import { INDEX } from './schema.ts'
import type { ByteRange, Content, FileEntry, StoreProblem } from './store.ts'

/** The content of one workspace. */
export type ContentStore = ReturnType<typeof createContentStore>

/** Creates the content store. `wakeAt` is called with the time of the next sweep. */
export function createContentStore(
  sql: SqlStorage,
  objects: Objects,
  wakeAt: (time: number) => void,
) {
  /** Returns the object key of content that is already stored, or null. */
  function keyOf(hash: Uint8Array): string | null {
    const rows = sql.exec<{ key: string | null }>('SELECT key FROM blobs WHERE hash = ?', hash)
    return rows.toArray()[0]?.key ?? null
  }

  /** Creates a key in the trash, to be swept after the grace period unless a blob takes it. */
  function reserveKey(): string {
    const key = crypto.randomUUID()
    const due = Date.now() + SWEEP_GRACE_MS
    sql.exec('INSERT INTO trash (key, at) VALUES (?, ?)', key, due)
    wakeAt(due)
    return key
  }

  /** Keys of objects that are still being uploaded, for as long as their senders take. */
  const arriving = new Set<string>()

  async function putObject(body: ReadableStream<Uint8Array> | Uint8Array, size: number) {
    const key = reserveKey()
    arriving.add(key)
    try {
      await objects.put(key, body, size)
    } finally {
      arriving.delete(key)
    }
    // Restarts the grace period after a long upload.
    const now = Date.now()
    const [due, soon] = [now + SWEEP_GRACE_MS, now + SWEEP_GRACE_MS / 2]
    sql.exec('UPDATE trash SET at = ? WHERE key = ? AND at < ?', due, key, soon)
    return key
  }

  async function hold(bytes: Uint8Array): Promise<Content> {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    const facts = { hash, size: bytes.length, text: isText(bytes) }
    if (bytes.length <= INLINE_BYTES) return { ...facts, place: { type: 'inline', bytes } }

    // Without space no object is written; applying the content will be refused.
    if (!hasRoomFor(bytes.length)) return { ...facts, place: { type: 'inline', bytes } }
    const key = keyOf(hash) ?? (await putObject(bytes, bytes.length))
    return { ...facts, place: { type: 'object', key, bytes } }
  }

  async function holdStream(
    stream: ReadableStream<Uint8Array>,
    size: number,
  ): Promise<Result<Content, StoreProblem>> {
    if (size > MAX_FILE_BYTES) {
      await stream.cancel()
      return err({ reason: 'file_too_large', limit: MAX_FILE_BYTES })
    }
    if (!hasRoomFor(size)) {
      await stream.cancel()
      return err({ reason: 'storage_full' })
    }
    if (size <= INLINE_BYTES) return ok(await hold(await exactBytes(stream, size)))

    const digest = new crypto.DigestStream('SHA-256')
    const hashing = digest.getWriter()
    const probe = createTextProbe()
    const watched = stream.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        async transform(chunk, controller) {
          probe.push(chunk)
          await hashing.write(chunk)
          controller.enqueue(chunk)
        },
        flush: () => hashing.close(),
      }),
    )
    // If the stream breaks off, the digest rejects; without a handler that would be unhandled.
    digest.digest.catch(() => {})
    const key = await putObject(watched, size)
    const hash = new Uint8Array(await digest.digest)
    return ok({ hash, size, text: probe.end(), place: { type: 'object', key } })
  }

  /** Returns the row of content, and creates it if needed. Null if the object was swept meanwhile. */
  function name(content: Content): number | null {
    const found = sql
      .exec<{ id: number; indexed: number }>(
        'SELECT id, indexed FROM blobs WHERE hash = ?',
        content.hash,
      )
      .toArray()[0]
    if (found) {
      if (found.indexed === INDEX.passed) markIndexed(found.id, INDEX.waiting)
      return found.id
    }

    const { hash, size, text, place } = content
    if (place.type === 'blob') return null
    if (place.type === 'object') {
      const claimed = sql
        .exec('DELETE FROM trash WHERE key = ? AND at > 0 RETURNING key', place.key)
        .toArray()
      if (claimed.length === 0) return null
    }
    const bytes = place.type === 'inline' ? place.bytes : null
    const key = place.type === 'object' ? place.key : null
    const rows = sql.exec<{ id: number }>(
      `INSERT INTO blobs (hash, size, text, indexed, bytes, key)
       VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
      hash,
      size,
      text ? 1 : 0,
      indexStateOf(text, size),
      bytes,
      key,
    )
    return rows.one().id
  }

  function markIndexed(blob: number, state: number): void {
    sql.exec('UPDATE blobs SET indexed = ? WHERE id = ?', state, blob)
  }

  /** Deletes a blob that no version names any more, and moves its object to the trash. */
  function dropUnnamed(blob: number): void {
    const named = sql.exec('SELECT 1 FROM versions WHERE blob = ? LIMIT 1', blob).toArray()
    if (named.length > 0) return
    sql.exec(
      'INSERT INTO trash (key, at) SELECT key, ? FROM blobs WHERE id = ? AND key IS NOT NULL',
      Date.now() + SWEEP_GRACE_MS,
      blob,
    )
    sql.exec('DELETE FROM trigrams WHERE rowid = ?', blob)
    sql.exec('DELETE FROM blobs WHERE id = ?', blob)
  }

  function isTextBlob(blob: number): boolean {
    return sql.exec('SELECT 1 FROM blobs WHERE id = ? AND text = 1', blob).toArray().length > 0
  }

  async function stream(file: FileEntry, range?: ByteRange): Promise<ReadableStream<Uint8Array>> {
    const row = rowOf(sql, file)
    if (row.key !== null) return objectOf(row.key, range)
    const inline = new Uint8Array(row.bytes ?? new ArrayBuffer(0))
    const part = range ? inline.subarray(range.offset, range.offset + range.length) : inline
    return new Blob([part]).stream()
  }

  async function bytes(file: FileEntry): Promise<Uint8Array> {
    const row = rowOf(sql, file)
    if (row.key !== null) return exactBytes(await objectOf(row.key), file.size)
    return new Uint8Array(row.bytes ?? new ArrayBuffer(0))
  }

  async function heldBytes({ place, size, hash }: Content): Promise<Uint8Array> {
    if (place.type !== 'blob' && place.bytes) return place.bytes
    const key = place.type === 'object' ? place.key : keyOf(hash)
    const body = key === null ? null : await objects.get(key)
    if (body) return exactBytes(body, size)
    const row = sql.exec<BlobRow>('SELECT bytes, key FROM blobs WHERE hash = ?', hash).toArray()[0]
    return new Uint8Array(row?.bytes ?? new ArrayBuffer(0))
  }

  async function objectOf(key: string, range?: ByteRange) {
    const body = await objects.get(key, range)
    if (!body) throw new Error('An object of R2 is missing')
    return body
  }

  async function blobText(blob: number): Promise<string | null> {
    const row = sql.exec<BlobRow>('SELECT bytes, key FROM blobs WHERE id = ?', blob).toArray()[0]
    if (!row) return null
    if (row.bytes) return new TextDecoder().decode(row.bytes)
    const body = row.key === null ? null : await objects.get(row.key)
    return body && new Response(body).text()
  }

  return {
    arriving,
    hold,
    holdStream,
    heldBytes,
    name,
    isTextBlob,
    dropUnnamed,
    stream,
    bytes,
    blobText,
  }
}

function indexStateOf(text: boolean, size: number): number {
  if (!text) return INDEX.done
  return size > MAX_SEARCH_FILE_BYTES ? INDEX.large : INDEX.waiting
}

interface BlobRow extends Record<string, SqlStorageValue> {
  bytes: ArrayBuffer | null
  key: string | null
}

function rowOf(sql: SqlStorage, file: FileEntry): BlobRow {
  const row = sql.exec<BlobRow>('SELECT bytes, key FROM blobs WHERE id = ?', file.blob).toArray()[0]
  if (!row) throw new Error('The content of a version is missing')
  return row
}

/** Reads a stream into memory, and throws unless it has exactly `size` bytes. */
async function exactBytes(stream: ReadableStream<Uint8Array>, size: number) {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const chunk of stream) {
    if (at + chunk.length > size) throw new RangeError(`Expected ${size} bytes and got more`)
    bytes.set(chunk, at)
    at += chunk.length
  }
  if (at !== size) throw new RangeError(`Expected ${size} bytes and got ${at}`)
  return bytes
}
