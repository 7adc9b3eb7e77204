/**
 * Decompression of untrusted gzip: small input can expand to very large output, so it is decompressed no
 * faster than it is read, and only up to a ratio that no honest archive exceeds. The runtime's
 * `DecompressionStream` is not used, because it decompresses all input into memory at once.
 *
 * @module
 */

import type { Gunzip } from 'node:zlib'
import { hasBytes } from '../encoding/bytes.ts'
import { MAX_UNPACK_RATIO, MAX_UNPACKED_BYTES } from '../limits.ts'
import { BrokenBody, createBytes, EMPTY, type Bytes, type Chunks } from './bytes.ts'
import { BLOCK } from './tar-header.ts'

/** Size of a decompressed chunk in bytes. */
const PIECE = 64 * 1024

/**
 * Decompresses a source. Throws {@link BrokenBody} for damaged data, and above the ratio
 * {@link MAX_UNPACK_RATIO}.
 */
export async function* gunzip(packed: Chunks): AsyncGenerator<Uint8Array> {
  // Loaded late: the runtime parses its streams before the first response otherwise.
  const { createGunzip } = await import('node:zlib')
  const gunzip = createGunzip({ chunkSize: PIECE })
  // The reader receives the error; without a listener it would be uncaught as well.
  gunzip.on('error', () => {})
  const sent = { bytes: 0 }
  const fed = feed(packed, gunzip, sent)
  let unpacked = 0
  try {
    for await (const piece of gunzip) {
      unpacked += piece.length
      if (unpacked > MAX_UNPACKED_BYTES && unpacked > MAX_UNPACK_RATIO * sent.bytes)
        throw new BrokenBody(`it unpacks to more than ${MAX_UNPACK_RATIO} times its size`)
      yield piece
    }
  } catch (error) {
    if (error instanceof BrokenBody) throw error
    throw new BrokenBody('its gzip data is damaged or truncated')
  } finally {
    gunzip.destroy()
    await fed
  }
}

/** Writes one chunk after the other, each when the one before has been decompressed and read. */
async function feed(packed: Chunks, gunzip: Gunzip, sent: { bytes: number }): Promise<void> {
  const closed = new Promise<void>((resolve) => gunzip.once('close', resolve))
  try {
    while (!gunzip.destroyed) {
      const chunk = await packed.next()
      if (chunk.done) break
      const { value } = chunk
      sent.bytes += value.length
      await Promise.race([new Promise<void>((resolve) => gunzip.write(value, resolve)), closed])
    }
    gunzip.end()
  } catch {
    gunzip.destroy(new BrokenBody('the upload ended early'))
  }
}

/**
 * Returns the archive's bytes, and how to stop decompressing. It tests the first bytes, because the declared
 * type of an archive is often wrong.
 */
export async function unpack(sent: Chunks): Promise<Unpacked> {
  const plain = createBytes(sent)
  const head = await plain.peek(BLOCK).catch(() => EMPTY)
  if (!hasBytes(head, 0, '\x1f\x8b')) return { bytes: plain, leave: async () => {} }
  const pieces = gunzip({
    next: async () => {
      const value = await plain.some(Infinity)
      return value === null ? { done: true } : { value }
    },
  })
  return { bytes: createBytes(pieces), leave: () => pieces.return(undefined) }
}

/** What is sent, decompressed. */
export interface Unpacked {
  readonly bytes: Bytes
  readonly leave: () => Promise<unknown>
}
