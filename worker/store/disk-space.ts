/**
 * Free space of the disk that stores all data, when Edgewise runs locally: `npm start` reports it.
 *
 * A full disk causes failures that cannot be handled: an upload to R2 hangs, and a write to SQLite breaks the
 * object with all requests that it serves. So the last part of the disk is reserved for deletes, sessions and
 * the index, and writes that need more are refused. A deployed Worker has no disk, and no such limit.
 *
 * @module
 */

import type { MaybePromise } from '../maybe-promise.ts'

/** Milliseconds for which a measurement is valid. */
const FRESH_MS = 100

let room = Infinity
let measured = -Infinity

/** Whether `bytes` may still be written, by the last measurement. */
export const hasRoomFor = (bytes: number): boolean => bytes < room

/**
 * Measures how many bytes may still be written, unless a valid measurement exists. Each request measures for
 * itself: if it waited for the measurement of another request that ended first, it would wait forever.
 */
export async function measureRoom(disk: Fetcher | undefined): Promise<void> {
  if (!disk || Date.now() - measured < FRESH_MS) return
  const answer = await disk.fetch('http://disk/')
  room = Number(await answer.text())
  measured = Date.now()
}

/** Repeats the measurement while `work` runs, because it may write much. */
export function whileMeasuring<T>(
  disk: Fetcher | undefined,
  work: () => MaybePromise<T>,
): MaybePromise<T> {
  return disk ? measureDuring(disk, work) : work()
}

async function measureDuring<T>(disk: Fetcher, work: () => MaybePromise<T>): Promise<T> {
  await measureRoom(disk)
  const timer = setInterval(() => void measureRoom(disk).catch(() => {}), FRESH_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
