/**
 * A pull reader of a byte stream. It requests no chunk before bytes are asked for, so the sender waits for
 * the reader, and at most one chunk is in memory.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import { MAX_FILE_BYTES } from '../limits.ts'

/** Invalid or incomplete input. The message is a clause that follows a colon. */
export class BrokenBody extends Error {}

/** A reader of a byte stream. A stream that ends too early throws {@link BrokenBody}. */
export interface Bytes {
  /** Reads exactly `size` bytes; null at the end of the stream. */
  readonly take: (size: number) => Promise<Uint8Array | null>
  /** Reads at least one byte and at most `most`; null at the end of the stream. */
  readonly some: (most: number) => Promise<Uint8Array | null>
  /** Returns the next `size` bytes, or those up to the end, which stay to be read. */
  readonly peek: (size: number) => Promise<Uint8Array>
  /** Returns the end of the last bytes that were read, which stays to be read again. */
  readonly unread: (bytes: Uint8Array) => void
  /** Discards `size` bytes. */
  readonly skip: (size: number) => Promise<void>
  /** Returns the next `size` bytes, of which nothing is read before they are asked for. */
  readonly part: (size: number) => Part
  /** Returns why the stream ended too early, or null. */
  readonly fault: () => BrokenBody | null
}

/** A part of a byte stream, to be read in one of two ways. */
export interface Part {
  readonly stream: () => ReadableStream<Uint8Array>
  /** Reads all of it into memory. */
  readonly bytes: () => Promise<Uint8Array>
  /** Returns its first `size` bytes, which stay to be read. */
  readonly peek: (size: number) => Promise<Uint8Array>
  /** Returns the number of bytes that were not read. */
  readonly left: () => number
}

/** No bytes. */
export const EMPTY: Uint8Array = new Uint8Array(0)

/** A source of chunks. A reader may stop, and another continue. */
export interface Chunks {
  readonly next: () => Promise<
    | { readonly done?: false; readonly value: Uint8Array }
    | { readonly done: true; readonly value?: undefined }
  >
}

/** Bytes that one read waits for, unless the body ends, and that it takes at most. */
const READ = { least: 32 * 1024, most: 128 * 1024 }

/**
 * Returns the body of a request in large chunks: the runtime hands out a few kilobytes at a time, which costs more
 * than the bytes. Only a body from outside can be read like that; one that this Worker made is read as it comes.
 */
export function chunksOf(body: ReadableStream<Uint8Array>): Chunks {
  const reader = byteReaderOf(body)
  if (!reader) {
    const chunks = body.getReader()
    return { next: () => chunks.read() }
  }
  return {
    async next() {
      const { value, done } = await reader.readAtLeast(READ.least, new Uint8Array(READ.most))
      return done || value.length === 0 ? { done: true } : { value }
    },
  }
}

function byteReaderOf(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: 'byob' })
  } catch {
    return null
  }
}

/** A source, the rest of its last chunk, and why it failed. */
interface ReaderState {
  readonly source: Chunks
  rest: Uint8Array
  fault: BrokenBody | null
}

/** Creates a reader of a source. */
export function createBytes(source: Chunks): Bytes {
  const reader: ReaderState = { source, rest: EMPTY, fault: null }
  return {
    take: (size) => take(reader, size),
    some: (most) => takeSome(reader, most),
    peek: (size) => peek(reader, size),
    unread(bytes) {
      reader.rest = putBack(bytes, reader.rest)
    },
    skip: (size) => skip(reader, size),
    part: (size) => createPart(reader, size),
    fault: () => reader.fault,
  }
}

/** Joins bytes that were read with those after them, which mostly are in the same memory. */
function putBack(bytes: Uint8Array, rest: Uint8Array): Uint8Array {
  const isBeside =
    bytes.buffer === rest.buffer && bytes.byteOffset + bytes.length === rest.byteOffset
  if (isBeside) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length + rest.length)
  return rest.length === 0 ? bytes : joined(bytes, rest)
}

async function fill(reader: ReaderState): Promise<boolean> {
  while (reader.rest.length === 0) {
    const chunk = await reader.source.next().catch((error: unknown) => fail(reader, error))
    if (chunk.done) return false
    reader.rest = chunk.value
  }
  return true
}

function fail(reader: ReaderState, error: unknown): never {
  reader.fault = error instanceof BrokenBody ? error : new BrokenBody('the upload ended early')
  throw reader.fault
}

async function takeSome(reader: ReaderState, most: number): Promise<Uint8Array | null> {
  if (!(await fill(reader))) return null
  const part = reader.rest.subarray(0, most)
  reader.rest = reader.rest.subarray(part.length)
  return part
}

async function peek(reader: ReaderState, size: number): Promise<Uint8Array> {
  while (reader.rest.length < size) {
    const chunk = await reader.source.next().catch((error: unknown) => fail(reader, error))
    if (chunk.done) break
    reader.rest = joined(reader.rest, chunk.value)
  }
  return reader.rest.subarray(0, size)
}

async function take(reader: ReaderState, size: number): Promise<Uint8Array | null> {
  const first = await takeSome(reader, size)
  if (first === null || first.length === size) return first
  const all = new Uint8Array(size)
  all.set(first)
  for (let at = first.length; at < size;) {
    const part =
      (await takeSome(reader, size - at)) ?? fail(reader, new BrokenBody('it is truncated'))
    all.set(part, at)
    at += part.length
  }
  return all
}

async function skip(reader: ReaderState, size: number): Promise<void> {
  for (let left = size; left > 0;) {
    const part = (await takeSome(reader, left)) ?? fail(reader, new BrokenBody('it is truncated'))
    left -= part.length
  }
}

/** How long (ms) a body may pause that is only read to its end: some senders wait for the response before they send it. */
const PAUSE_MS = 2_000

/** Ends a source that pauses. */
function untilPause({ next }: Chunks): Chunks {
  return {
    next() {
      let timer = 0
      const paused = new Promise<{ done: true }>((resolve) => {
        timer = setTimeout(() => resolve({ done: true }), PAUSE_MS)
      })
      return Promise.race([next(), paused]).finally(() => clearTimeout(timer))
    },
  }
}

/**
 * Reads and discards a body that nothing has read, and at most some bytes of it, before its request is answered: a
 * response during an upload can break the connection, so that the sender never gets it. A pause ends it.
 */
export async function discardUnread(request: Request, most = MAX_FILE_BYTES): Promise<void> {
  if (request.bodyUsed || !request.body || request.body.locked) return
  await createBytes(untilPause(chunksOf(request.body)))
    .skip(most)
    .catch(() => {})
}

/** The first and the last text of a body; the last one is empty if the body has not ended. */
export interface Ends {
  readonly head: string
  readonly tail: string
}

/** Size of each end in bytes. */
const END_BYTES = 1024

/** Text that is not UTF-8. */
export class NotUtf8 extends Error {}

/** Decodes a text. Throws {@link NotUtf8}. */
export function decodeUtf8(bytes: ArrayBuffer): string {
  const text = createText()
  text.add(new Uint8Array(bytes))
  return text.end()
}

/** A text that arrives in pieces. What follows the first byte that is not UTF-8 is left out. */
function createText() {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  let [text, isBroken] = ['', false]
  function add(piece?: Uint8Array): void {
    if (isBroken) return
    try {
      text += decoder.decode(piece, { stream: piece !== undefined })
    } catch {
      isBroken = true
    }
  }
  function end(): string {
    add()
    if (isBroken) throw new NotUtf8()
    return text
  }
  return { add, end, head: () => text.slice(0, END_BYTES) }
}

/**
 * Reads a body as text. The error has the ends of one with more than `most` bytes, which is read up to the size of a
 * file and discarded. Throws when the body ends early, and {@link NotUtf8} after all of it was read.
 */
export async function readText(request: Request, most: number): Promise<Result<string, Ends>> {
  const text = createText()
  const chunks = request.body && chunksOf(request.body)
  let [size, end] = [0, EMPTY]
  while (chunks && size <= MAX_FILE_BYTES) {
    const { done, value } = await chunks.next()
    if (done) return size <= most ? ok(text.end()) : err(endsOf(text.head(), end))
    size += value.length
    if (size <= most) text.add(value)
    else end = lastOf(end, value)
  }
  return chunks ? err(endsOf(text.head(), EMPTY)) : ok('')
}

function joined(before: Uint8Array, after: Uint8Array): Uint8Array {
  const all = new Uint8Array(before.length + after.length)
  all.set(before)
  all.set(after, before.length)
  return all
}

/** Returns the last bytes of two parts. */
const lastOf = (before: Uint8Array, after: Uint8Array) =>
  after.length >= END_BYTES ? after.slice(-END_BYTES) : joined(before, after).slice(-END_BYTES)

const endsOf = (head: string, end: Uint8Array): Ends => ({
  head,
  tail: new TextDecoder().decode(end),
})

function createPart(reader: ReaderState, size: number): Part {
  let left = size
  const read = async (most: number) => {
    const part = (await takeSome(reader, most)) ?? fail(reader, new BrokenBody('it is truncated'))
    left -= part.length
    return part
  }
  async function bytes(): Promise<Uint8Array> {
    const all = new Uint8Array(left)
    for (let at = 0; left > 0;) {
      const part = await read(left)
      all.set(part, at)
      at += part.length
    }
    return all
  }
  function stream(): ReadableStream<Uint8Array> {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) =>
      left === 0 ? controller.close() : undefined
    async function pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      controller.enqueue(await read(left))
      if (left === 0) controller.close()
    }
    return new ReadableStream<Uint8Array>({ start, pull }, { highWaterMark: 0 })
  }
  return { stream, bytes, peek: (size) => peek(reader, Math.min(size, left)), left: () => left }
}
