/**
 * Decompresses a part of a document up to what its budget has left.
 *
 * @module
 */

import { constants, inflateRawSync, inflateSync } from 'node:zlib'
import { MAX_INFLATED_BYTES, MAX_PART_BYTES } from '../limits.ts'
import { tooLarge, type Budget } from './budget.ts'
import { DocumentFault } from '../document.ts'

/** Decompresses a file of an archive, whose size is known. */
export function inflateRaw(bytes: Uint8Array, budget: Budget): Uint8Array {
  const inflated = withinRoom(budget, (maxOutputLength) =>
    inflateRawSync(bytes, { maxOutputLength }),
  )
  if (!inflated) throw new DocumentFault('broken', 'a part of it cannot be decompressed')
  return inflated
}

/** What one decompression takes beside its bytes, in objects. */
const WEIGHT = 150

/**
 * Decompresses data with a header of zlib, as far as it goes: data that is damaged ends at the fault, as in pdf.js. Null if
 * none can be decompressed. What is decompressed several times counts as often.
 */
export function inflateZlib(bytes: Uint8Array, budget: Budget): Uint8Array | null {
  const whole = inflatePrefix(bytes, bytes.length, budget)
  if (whole) return whole
  let [good, bad] = [0, bytes.length]
  let found: Uint8Array | null = null
  // Most faults are near the beginning, as the data is none.
  for (let next = 64; bad - good > 1;) {
    const middle = next < bad ? next : Math.floor((good + bad) / 2)
    const inflated = inflatePrefix(bytes, middle, budget)
    if (inflated) [good, found] = [middle, inflated]
    else {
      bad = middle
      budget.inflate(found?.length ?? 0)
    }
    next *= 8
  }
  return found && found.length > 0 ? found : null
}

function inflatePrefix(bytes: Uint8Array, length: number, budget: Budget): Uint8Array | null {
  budget.object(WEIGHT)
  const finishFlush = constants.Z_SYNC_FLUSH
  return withinRoom(budget, (maxOutputLength) =>
    inflateSync(bytes.subarray(0, length), { maxOutputLength, finishFlush }),
  )
}

function withinRoom(budget: Budget, inflate: (room: number) => Uint8Array): Uint8Array | null {
  const room = budget.room()
  if (room <= 0) throw tooLarge(`${MAX_INFLATED_BYTES} decompressed bytes`)
  try {
    const inflated = inflate(room)
    budget.inflate(inflated.length)
    return inflated
  } catch (error) {
    // Node gives it a code, and workerd only this type; damaged data throws another one.
    if (!(error instanceof RangeError)) return rethrowFault(error)
    throw room < MAX_PART_BYTES
      ? tooLarge(`${MAX_INFLATED_BYTES} decompressed bytes`)
      : tooLarge(`${MAX_PART_BYTES} decompressed bytes in one part`)
  }
}

function rethrowFault(error: unknown): null {
  if (error instanceof DocumentFault) throw error
  return null
}
