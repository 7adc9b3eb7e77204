/**
 * Receives the body of an upload as content of the store, streamed where its length is known beforehand.
 *
 * `test/e2e/files-write.test.ts` tests it through `/files`, and `test/worker/dav/put.test.ts` bodies without a length.
 *
 * @module
 */

import type { ReadStore } from '../access/workspace.ts'
import { chunksOf, createBytes, type Bytes, type Chunks } from '../archive/bytes.ts'
import { holdPart } from '../archive/hold-part.ts'
import { problem, refuse } from '../errors/respond.ts'
import { codingOf } from '../http.ts'
import { hasRoomFor } from '../store/disk-space.ts'
import type { StoreLimits } from '../store/limits.ts'
import type { Content } from '../store/store.ts'

/** How a body is received. */
export interface Receiving {
  readonly limits: StoreLimits
  /** The length in bytes that another header than `Content-Length` names, as text. */
  readonly expected?: string | null
  /** Maximum size of a body without a length, which is in memory until its end; without it, such a body is refused. */
  readonly unsized?: number
  /** Called with each chunk that was read. */
  readonly heard?: (chunk: Uint8Array) => void
}

/** Stores the body as held content, or returns the response that refuses it. */
export async function receiveBody(
  request: Request,
  store: ReadStore,
  receiving: Receiving,
): Promise<Content | Response> {
  const { limits, expected = null, unsized } = receiving
  const length = request.headers.get('content-length') ?? expected
  if (length === null && request.body)
    return unsized === undefined ? refuseLength() : receiveUnsized(request.body, store, receiving)
  const size = Number(length ?? 0)
  if (!Number.isSafeInteger(size) || size < 0)
    return refuse(400, 'INVALID_LENGTH', 'Invalid Content-Length. Send the number of bytes.')
  if (size > limits.fileBytes) return problem({ reason: 'file_too_large', limit: limits.fileBytes })
  if (!hasRoomFor(size)) return problem({ reason: 'storage_full' })
  if (!request.body) return size === 0 ? store.hold(new Uint8Array(0)) : refuseBroken(size)
  return receiveSized(readerOf(request.body, receiving), store, size)
}

const readerOf = (body: ReadableStream<Uint8Array>, { heard }: Receiving): Bytes =>
  createBytes(heard ? hear(chunksOf(body), heard) : chunksOf(body))

function hear(source: Chunks, heard: (chunk: Uint8Array) => void): Chunks {
  return {
    async next() {
      const chunk = await source.next()
      if (!chunk.done) heard(chunk.value)
      return chunk
    },
  }
}

async function receiveSized(
  bytes: Bytes,
  store: ReadStore,
  size: number,
): Promise<Content | Response> {
  try {
    const content = await holdPart(store, bytes.part(size), size)
    if ((await bytes.some(1)) !== null) return refuseBroken(size)
    return content.ok ? content.value : problem(content.error)
  } catch (error) {
    // A disconnected client is not an error to log.
    if (bytes.fault()) return refuseBroken(size)
    throw error
  }
}

/** A store takes no stream of unknown length, so the body is in memory first. */
async function receiveUnsized(
  body: ReadableStream<Uint8Array>,
  store: ReadStore,
  receiving: Receiving,
): Promise<Content | Response> {
  const most = Math.min(receiving.limits.fileBytes, receiving.unsized ?? 0)
  const all = await readWhole(readerOf(body, receiving), most)
  if (all === 'too large') return refuseLength()
  if (all === 'broken') return refuseBroken(null)
  return hasRoomFor(all.length) ? store.hold(all) : problem({ reason: 'storage_full' })
}

/** Reads all bytes of a body into memory, unless there are more than `most`, or it ends early. */
export async function readWhole(
  bytes: Bytes,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | 'too large' | 'broken'> {
  try {
    const pieces: Uint8Array[] = []
    let size = 0
    for (let piece = await bytes.some(most); piece; piece = await bytes.some(most)) {
      size += piece.length
      if (size > most) return 'too large'
      pieces.push(piece)
    }
    return joined(pieces, size)
  } catch (error) {
    // A disconnected client is not an error to log.
    if (bytes.fault()) return 'broken'
    throw error
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

function refuseLength(): Response {
  return refuse(
    411,
    'LENGTH_REQUIRED',
    'Cannot store the body: Content-Length is missing. Send the number of bytes.',
  )
}

function refuseBroken(size: number | null): Response {
  const what = size === null ? 'ended early' : `length does not match Content-Length (${size})`
  const message = `Body ${what}. Nothing was written. Send the file again.`
  return refuse(400, 'BODY_BROKEN_OFF', message)
}

/** Refuses a part of a file: stored as the whole, it would replace what it continues (RFC 9110, 14.5). */
export function refusePart({ headers }: Request): Response | null {
  if (!headers.has('content-range')) return null
  const message = 'Invalid Content-Range: a part of a file cannot be stored. Send the whole file.'
  return refuse(400, 'INVALID_HEADER', message)
}

/** Refuses a content coding such as gzip. */
export function refuseEncoding({ headers }: Request): Response | null {
  const coding = codingOf(headers)
  if (coding === null) return null
  const message = `Unsupported Content-Encoding: ${coding}. Send the file without an encoding.`
  return refuse(415, 'UNSUPPORTED_ENCODING', message, { 'accept-encoding': 'identity' })
}
