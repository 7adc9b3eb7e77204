/**
 * How much may still be written to the disk that holds the data, for the Worker to ask.
 *
 * @module
 */

import { statfsSync } from 'node:fs'

const MIB = 1024 * 1024

/** Bytes of a disk that are kept free, and the share of it, whichever is less. */
const MAX_RESERVE = 256 * MIB
const MAX_RESERVE_SHARE = 0.1

/** Bytes that may be written before what is kept free is touched. */
export function roomOn(folder: string): number {
  const { bsize, blocks, bavail } = statfsSync(folder)
  return bavail * bsize - Math.min(MAX_RESERVE, blocks * bsize * MAX_RESERVE_SHARE)
}
