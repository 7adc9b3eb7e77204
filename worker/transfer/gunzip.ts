/**
 * Unpacking gzip from strangers: a little that is sent may become very much, so it is unpacked no
 * faster than it is read, and not at all beyond what an honest archive could come to. The runtime's
 * own `DecompressionStream` unpacks whatever arrives into memory at once, and is not used.
 *
 * @module
 */

import { createGunzip, type Gunzip } from 'node:zlib'
import { MAX_UNPACK_RATIO, MAX_UNPACKED_BYTES } from '../limits.ts'
import { BrokenBody, type Chunks } from './bytes.ts'

/** Bytes that are unpacked at once. */
const PIECE = 64 * 1024

export async function* gunzipped(packed: Chunks): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: PIECE })
  // Its reader hears of an error; without a listener the runtime would hear of it too.
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
    throw new BrokenBody('its gzip data is damaged or cut short')
  } finally {
    gunzip.destroy()
    await fed
  }
}

/** Hands over one chunk after the other, each when the one before it has been unpacked and read. */
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
    gunzip.destroy(new BrokenBody('no more of it came'))
  }
}
