/**
 * Held content: bytes that are stored before a version names them.
 *
 * Small content is part of the proposal and is written with it. Large content is written to the objects
 * first, under a key that stays in the trash until a version names it: every key is named by a blob or by
 * the trash, so a crash at any point loses nothing and leaves nothing behind. `test/platform/store/crash.test.ts` and
 * `test/platform/store/faults.test.ts` test it.
 *
 * @module
 */

import { hash } from 'node:crypto'
import { err, ok, type Result } from '#core/result.ts'
import { INLINE_BYTES, MAX_FILE_BYTES, SWEEP_GRACE_MS } from '../../limits.ts'
import type { ReadonlyBytes } from '../../encoding/bytes.ts'
import { createStreamDecoder } from '../../texts/stream.ts'
import { encodingOf } from '../../texts/text.ts'
import { exactBytes, type BlobRow } from './content.ts'
import { hasRoomFor } from '../disk-space.ts'
import type { Objects } from './objects.ts'
import type { Content, StoreProblem } from '../store.ts'

/** The services of held content, and the keys of objects that are still being uploaded. */
interface HeldContext {
  readonly sql: SqlStorage
  readonly objects: Objects
  readonly wakeAt: (time: number) => void
  readonly arriving: Set<string>
}

/** Holds content for one workspace. `wakeAt` is called with the time of the next sweep. */
export function createHeldContent(
  sql: SqlStorage,
  objects: Objects,
  wakeAt: (time: number) => void,
) {
  const context: HeldContext = { sql, objects, wakeAt, arriving: new Set() }
  return {
    /** Keys of objects that are still being uploaded, for as long as their senders take. */
    arriving: context.arriving,
    hold: (bytes: ReadonlyBytes) => holdBytes(context, bytes),
    holdStream: (stream: ReadableStream<Uint8Array>, size: number) =>
      holdStream(context, stream, size),
    heldBytes: (content: Content) => readHeld(context, content),
    heldNow: (content: Content) => readNow(context, content),
  }
}

/** Returns the object key of content that is already stored, or null. */
function findKey(context: HeldContext, hash: Uint8Array): string | null {
  const rows = context.sql.exec<{ key: string | null }>(
    'SELECT key FROM blobs WHERE hash = ?',
    hash,
  )
  return rows.toArray()[0]?.key ?? null
}

/** Creates a key in the trash, to be swept after the grace period unless a blob takes it. */
function reserveKey(context: HeldContext): string {
  const key = crypto.randomUUID()
  const due = Date.now() + SWEEP_GRACE_MS
  context.sql.exec('INSERT INTO trash (key, at) VALUES (?, ?)', key, due)
  context.wakeAt(due)
  return key
}

async function putObject(
  context: HeldContext,
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

async function holdBytes(context: HeldContext, bytes: ReadonlyBytes): Promise<Content> {
  const isSmall = bytes.length <= INLINE_BYTES
  const hash = isSmall ? hashNow(bytes) : await hashLater(bytes)
  const facts = { hash, size: bytes.length, encoding: encodingOf(bytes) }
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
  context: HeldContext,
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

  const { watched, digest, decoder } = watch(stream)
  const key = await putObject(context, watched, size)
  const hash = new Uint8Array(await digest)
  return ok({ hash, size, encoding: decoder.encoding(), place: { type: 'object', key } })
}

/** Hashes and decodes the bytes of a stream while they are read. */
function watch(stream: ReadableStream<Uint8Array>) {
  const sink = new crypto.DigestStream('SHA-256')
  const hashing = sink.getWriter()
  const decoder = createStreamDecoder()
  const watched = stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        decoder.push(chunk)
        await hashing.write(chunk)
        controller.enqueue(chunk)
      },
      flush: () => {
        decoder.end()
        return hashing.close()
      },
    }),
  )
  const { digest } = sink
  // If the stream breaks off, the digest rejects; without a handler that would be unhandled.
  digest.catch(() => {})
  return { watched, digest, decoder }
}

async function readHeld(
  context: HeldContext,
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

function readNow({ sql }: HeldContext, { place, hash }: Content): ReadonlyBytes | null {
  if (place.type !== 'blob') return place.bytes ?? null
  const bytes = sql
    .exec<BlobRow>('SELECT bytes, key FROM blobs WHERE hash = ?', hash)
    .toArray()[0]?.bytes
  return bytes ? new Uint8Array(bytes) : null
}
