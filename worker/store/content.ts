/**
 * Content: stores bytes before a version names them, and reads them again.
 *
 * Small content is part of the proposal and is written with it. Large content is written to the objects
 * first, under a key that stays in the trash until a version names it: every key is named by a blob or by
 * the trash, so a crash at any point loses nothing and leaves nothing behind.
 *
 * @module
 */

import { hash } from 'node:crypto'
import { err, ok, type Result } from '#core/result.ts'
import { INLINE_BYTES, MAX_FILE_BYTES, MAX_SEARCH_FILE_BYTES, SWEEP_GRACE_MS } from '../limits.ts'
import { createTextProbe, isText } from '../encoding/text.ts'
import type { ReadonlyBytes } from '../encoding/bytes.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Objects } from './objects.ts'
import { hasRoomFor } from './disk-space.ts'
import { INDEX, INDEXED_TO } from './schema.ts'
import type { ByteRange, Content, FileEntry, StoreProblem } from './store.ts'
import { hasTables } from './table-groups.ts'

/** The content of one workspace. */
export type ContentStore = ReturnType<typeof createContentStore>

/** The services of content, and the keys of objects that are still being uploaded. */
interface ContentContext {
  readonly sql: SqlStorage
  readonly objects: Objects
  readonly wakeAt: (time: number) => void
  readonly arriving: Set<string>
  /** The newest id of a blob; null until it is needed. */
  newest: number | null
}

/** Creates the content store. `wakeAt` is called with the time of the next sweep. */
export function createContentStore(
  sql: SqlStorage,
  objects: Objects,
  wakeAt: (time: number) => void,
) {
  const context: ContentContext = {
    ...{ sql, objects, wakeAt },
    arriving: new Set(),
    newest: null,
  }
  return {
    /** Keys of objects that are still being uploaded, for as long as their senders take. */
    arriving: context.arriving,
    hold: (bytes: ReadonlyBytes) => holdBytes(context, bytes),
    holdStream: (stream: ReadableStream<Uint8Array>, size: number) =>
      holdStream(context, stream, size),
    heldBytes: (content: Content) => readHeld(context, content),
    nameBlob: (content: Content) => nameBlob(context, content),
    /** The newest id that a blob was given. A change keeps it, so that no id is given twice. */
    newestBlob: () => newestBlob(context),
    isTextBlob: (blob: number) => isTextBlob(context, blob),
    dropUnnamed: (blob: number) => dropUnnamed(context, blob),
    stream: (file: FileEntry, range?: ByteRange) => readStream(context, file, range),
    bytes: (file: FileEntry) => readBytes(context, file),
    blobText: (blob: number) => readBlobText(context, blob),
  }
}

/** Returns the object key of content that is already stored, or null. */
function findKey(context: ContentContext, hash: Uint8Array): string | null {
  const rows = context.sql.exec<{ key: string | null }>(
    'SELECT key FROM blobs WHERE hash = ?',
    hash,
  )
  return rows.toArray()[0]?.key ?? null
}

/** Creates a key in the trash, to be swept after the grace period unless a blob takes it. */
function reserveKey(context: ContentContext): string {
  const key = crypto.randomUUID()
  const due = Date.now() + SWEEP_GRACE_MS
  context.sql.exec('INSERT INTO trash (key, at) VALUES (?, ?)', key, due)
  context.wakeAt(due)
  return key
}

async function putObject(
  context: ContentContext,
  body: ReadableStream<Uint8Array> | ReadonlyBytes,
  size: number,
) {
  const key = reserveKey(context)
  context.arriving.add(key)
  try {
    await context.objects.put(key, body, size)
  } finally {
    context.arriving.delete(key)
  }
  // Restarts the grace period after a long upload.
  const now = Date.now()
  const [due, soon] = [now + SWEEP_GRACE_MS, now + SWEEP_GRACE_MS / 2]
  context.sql.exec('UPDATE trash SET at = ? WHERE key = ? AND at < ?', due, key, soon)
  return key
}

async function holdBytes(context: ContentContext, bytes: ReadonlyBytes): Promise<Content> {
  const isSmall = bytes.length <= INLINE_BYTES
  const hash = isSmall ? hashNow(bytes) : await hashLater(bytes)
  const facts = { hash, size: bytes.length, text: isText(bytes) }
  if (isSmall) return { ...facts, place: { type: 'inline', bytes } }

  // Without space no object is written; applying the content will be refused.
  if (!hasRoomFor(bytes.length)) return { ...facts, place: { type: 'inline', bytes } }
  const key = findKey(context, hash) ?? (await putObject(context, bytes, bytes.length))
  return { ...facts, place: { type: 'object', key, bytes } }
}

/** Hashes without waiting: to be resumed costs a small write more than the hash. */
function hashNow(bytes: ReadonlyBytes): Uint8Array {
  return new Uint8Array(hash('sha256', bytes, 'buffer'))
}

async function hashLater(bytes: ReadonlyBytes): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

async function holdStream(
  context: ContentContext,
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
  if (size <= INLINE_BYTES) return ok(await holdBytes(context, await exactBytes(stream, size)))

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
  const key = await putObject(context, watched, size)
  const hash = new Uint8Array(await digest.digest)
  return ok({ hash, size, text: probe.end(), place: { type: 'object', key } })
}

/** Returns the row of content, and creates it if needed. Null if the object was swept meanwhile. */
function nameBlob(context: ContentContext, content: Content): number | null {
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
const WAS_PASSED = `text = 1 AND (indexed = ${INDEX.passed} OR (indexed = ${INDEX.inTurn} AND id <= ${INDEXED_TO}))
  AND NOT EXISTS (SELECT 1 FROM trigrams WHERE rowid = blobs.id)`

function findBlob({ sql }: ContentContext, { hash }: Content): number | null {
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
function insertBlob(context: ContentContext, { hash, size, text, place }: Content): number | null {
  const bytes = place.type === 'inline' ? place.bytes : null
  const key = place.type === 'object' ? place.key : null
  const id = newestBlob(context) + 1
  const { rowsWritten } = context.sql.exec(
    `INSERT INTO blobs (id, hash, size, text, indexed, bytes, key)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING`,
    id,
    hash,
    size,
    text ? 1 : 0,
    indexStateOf(text, size),
    bytes,
    key,
  )
  if (rowsWritten === 0) return null
  context.newest = id
  return id
}

function newestBlob(context: ContentContext): number {
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

function isNamed({ sql }: ContentContext, blob: number): boolean {
  const tables = hasTables(sql, 'drafts') ? ['versions', 'draft_versions'] : ['versions']
  return tables.some(
    (table) => sql.exec(`SELECT 1 FROM ${table} WHERE blob = ? LIMIT 1`, blob).toArray().length > 0,
  )
}

/** Deletes a blob that no version names any more, and moves its object to the trash. */
function dropUnnamed(context: ContentContext, blob: number): void {
  if (isNamed(context, blob)) return
  context.sql.exec(
    'INSERT INTO trash (key, at) SELECT key, ? FROM blobs WHERE id = ? AND key IS NOT NULL',
    Date.now() + SWEEP_GRACE_MS,
    blob,
  )
  context.sql.exec('DELETE FROM trigrams WHERE rowid = ?', blob)
  context.sql.exec('DELETE FROM blobs WHERE id = ?', blob)
}

function isTextBlob(context: ContentContext, blob: number): boolean {
  return (
    context.sql.exec('SELECT 1 FROM blobs WHERE id = ? AND text = 1', blob).toArray().length > 0
  )
}

async function readStream(
  context: ContentContext,
  file: FileEntry,
  range?: ByteRange,
): Promise<ReadableStream<Uint8Array>> {
  const row = readRow(context.sql, file)
  if (row.key !== null) return readObject(context, row.key, range)
  const inline = new Uint8Array(row.bytes ?? new ArrayBuffer(0))
  const part = range ? inline.subarray(range.offset, range.offset + range.length) : inline
  return new Blob([part]).stream()
}

/** Returns content in SQLite at once, as most reads want it. */
function readBytes(context: ContentContext, file: FileEntry): MaybePromise<ReadonlyBytes> {
  const row = readRow(context.sql, file)
  if (row.key !== null) return readWhole(context, row.key, file.size)
  return new Uint8Array(row.bytes ?? new ArrayBuffer(0))
}

async function readWhole(context: ContentContext, key: string, size: number): Promise<Uint8Array> {
  return exactBytes(await readObject(context, key), size)
}

async function readHeld(
  context: ContentContext,
  { place, size, hash }: Content,
): Promise<ReadonlyBytes> {
  if (place.type !== 'blob' && place.bytes) return place.bytes
  const key = place.type === 'object' ? place.key : findKey(context, hash)
  const body = key === null ? null : await context.objects.get(key)
  if (body) return exactBytes(body, size)
  const row = context.sql
    .exec<BlobRow>('SELECT bytes, key FROM blobs WHERE hash = ?', hash)
    .toArray()[0]
  return new Uint8Array(row?.bytes ?? new ArrayBuffer(0))
}

async function readObject(context: ContentContext, key: string, range?: ByteRange) {
  const body = await context.objects.get(key, range)
  if (!body) throw new Error('Cannot read an R2 object: it does not exist')
  return body
}

/** For whole contents: each use leaves it as it was. */
const DECODER = new TextDecoder()

async function readBlobText(context: ContentContext, blob: number): Promise<string | null> {
  const row = context.sql
    .exec<BlobRow>('SELECT bytes, key FROM blobs WHERE id = ?', blob)
    .toArray()[0]
  if (!row) return null
  if (row.bytes) return DECODER.decode(row.bytes)
  const body = row.key === null ? null : await context.objects.get(row.key)
  return body && new Response(body).text()
}

function indexStateOf(text: boolean, size: number): number {
  if (!text) return INDEX.done
  return size > MAX_SEARCH_FILE_BYTES ? INDEX.large : INDEX.inTurn
}

interface BlobRow extends Record<string, SqlStorageValue> {
  bytes: ArrayBuffer | null
  key: string | null
}

function readRow(sql: SqlStorage, file: FileEntry): BlobRow {
  const row = sql.exec<BlobRow>('SELECT bytes, key FROM blobs WHERE id = ?', file.blob).toArray()[0]
  if (!row) throw new Error('Cannot read the content of a version: its blob does not exist')
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
