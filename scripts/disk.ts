/**
 * Free space on the disk that holds the data; the Worker asks for it.
 *
 * @module
 */

import { statfsSync } from 'node:fs'

const MIB = 1024 * 1024

/** Space that is kept free: this many bytes or this share of the disk, whichever is less. */
const MAX_RESERVE = 256 * MIB
const MAX_RESERVE_SHARE = 0.1

/** Returns the bytes that may be written before the reserve is reached; negative beyond it. */
export function roomOn(folder: string): number {
  const { bsize, blocks, bavail } = statfsSync(folder)
  return bavail * bsize - Math.min(MAX_RESERVE, blocks * bsize * MAX_RESERVE_SHARE)
}
