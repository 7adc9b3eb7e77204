/**
 * Decompression of untrusted gzip: small input can expand to very large output, so it is decompressed no
 * faster than it is read, and only up to a ratio that no honest archive exceeds. The runtime's
 * `DecompressionStream` is not used, because it decompresses all input into memory at once.
 *
 * @module
 */

import { hasBytes } from '../encoding/bytes.ts'
import { createBytes, EMPTY, type Bytes, type Chunks } from './bytes.ts'
import { createMeter, decompress, PIECE } from './decompress.ts'
import { BLOCK } from './tar-header.ts'

/** Decompresses a source. Throws `BrokenBody` for damaged data, and above the ratio `MAX_UNPACK_RATIO`. */
export async function* gunzip(packed: Chunks): AsyncGenerator<Uint8Array> {
  // Loaded late: the runtime parses its streams before the first response otherwise.
  const { createGunzip } = await import('node:zlib')
  const meter = createMeter()
  yield* decompress(createGunzip({ chunkSize: PIECE }), packed, { meter, format: 'gzip' })
}

/**
 * Returns the archive's bytes, and how to stop decompressing. It tests the first bytes, because the declared
 * type of an archive is often wrong.
 */
export async function unpack(sent: Chunks): Promise<Unpacked> {
  const plain = createBytes(sent)
  const head = await plain.peek(BLOCK).catch(() => EMPTY)
  if (!hasBytes(head, 0, '\x1f\x8b'))
    return { bytes: plain, isPacked: false, leave: async () => {} }
  const pieces = gunzip({
    next: async () => {
      const value = await plain.some(Infinity)
      return value === null ? { done: true } : { value }
    },
  })
  return { bytes: createBytes(pieces), isPacked: true, leave: () => pieces.return(undefined) }
}

/** What is sent, decompressed. */
export interface Unpacked {
  readonly bytes: Bytes
  /** Whether it was sent with gzip. */
  readonly isPacked: boolean
  readonly leave: () => Promise<unknown>
}
