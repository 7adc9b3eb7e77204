/**
 * Decompression of untrusted data, no faster than it is read, and only up to a ratio that no honest archive exceeds.
 * `test/worker/archive/archives.slow.test.ts` has bombs of gzip, `test/worker/archive/zip-bombs.slow.test.ts` those of zip.
 *
 * @module
 */

import type { ZlibStream } from 'node:zlib'
import { MAX_UNPACK_RATIO, MAX_UNPACKED_BYTES } from '../limits.ts'
import { BrokenBody, type Chunks } from './bytes.ts'

/** Size of a decompressed chunk in bytes. */
export const PIECE = 64 * 1024

/** Counts what an archive was sent as and what it unpacks to, in bytes. */
export type Meter = ReturnType<typeof createMeter>

/** Creates the counter of one archive. */
export function createMeter() {
  let [sent, unpacked] = [0, 0]
  return {
    addSent: (bytes: number) => void (sent += bytes),
    /** Throws {@link BrokenBody} above the ratio {@link MAX_UNPACK_RATIO}. */
    addUnpacked(bytes: number) {
      unpacked += bytes
      if (unpacked > MAX_UNPACKED_BYTES && unpacked > MAX_UNPACK_RATIO * sent)
        throw new BrokenBody(`it unpacks to more than ${MAX_UNPACK_RATIO} times its size`)
    },
  }
}

/** What is decompressed, and what counts it. */
interface Decompressing {
  readonly meter: Meter
  readonly format: 'gzip' | 'deflate'
}

/** Decompresses a source up to the end of its data. Throws {@link BrokenBody} for damaged data and above the ratio. */
export async function* decompress(
  stream: ZlibStream,
  packed: Chunks,
  { meter, format }: Decompressing,
): AsyncGenerator<Uint8Array> {
  const counted: Chunks = {
    async next() {
      const chunk = await packed.next()
      if (!chunk.done) meter.addSent(chunk.value.length)
      return chunk
    },
  }
  try {
    for await (const piece of transform(stream, counted)) {
      meter.addUnpacked(piece.length)
      yield piece
    }
  } catch (error) {
    if (error instanceof BrokenBody) throw error
    throw new BrokenBody(`its ${format} data is damaged or truncated`)
  }
}

/** Sends a source through a stream of `node:zlib`, no faster than it is read. */
export async function* transform(stream: ZlibStream, source: Chunks): AsyncGenerator<Uint8Array> {
  // The reader receives the error; without a listener it would be uncaught as well.
  stream.on('error', () => {})
  const fed = feed(source, stream)
  try {
    yield* stream
  } finally {
    stream.destroy()
    await fed
  }
}

/**
 * Writes one chunk after the other, each when the one before has been transformed and read, up to the chunk in which the
 * data of the stream end.
 */
async function feed(source: Chunks, stream: ZlibStream): Promise<void> {
  const closed = new Promise<void>((resolve) => stream.once('close', resolve))
  let sent = 0
  try {
    while (!stream.destroyed && stream.bytesWritten === sent) {
      const chunk = await source.next()
      if (chunk.done) break
      const { value } = chunk
      sent += value.length
      await Promise.race([new Promise<void>((resolve) => stream.write(value, resolve)), closed])
    }
    stream.end()
  } catch (error) {
    stream.destroy(error)
  }
}
