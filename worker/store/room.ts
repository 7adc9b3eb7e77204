/**
 * Room on the disk that holds everything, where the product runs on one: `npm start` tells of it.
 *
 * What happens on a disk that is full is not ours to decide: an upload to R2 hangs, and a write to SQLite breaks
 * the object that makes it, with all requests that it answers. So the last of the disk is kept free, for
 * deletes, sessions and the index, and growing is refused before. Away from this machine there is no disk.
 *
 * @module
 */

/** Milliseconds for which a measurement is good. */
const FRESH_MS = 100

let room = Infinity
let measured = -Infinity

/** Whether as many bytes may still be written. */
export const hasRoomFor = (bytes: number): boolean => bytes < room

/**
 * Asks how many bytes may still be written, unless that is known. Each request asks for itself: one that waited
 * for the question of another would wait for ever, if that one ended first.
 */
export async function measureRoom(disk: Fetcher | undefined): Promise<void> {
  if (!disk || Date.now() - measured < FRESH_MS) return
  const answer = await disk.fetch('http://disk/')
  room = Number(await answer.text())
  measured = Date.now()
}

/** The same again and again, for as long as work goes on that may write much. */
export async function whileMeasuring<T>(
  disk: Fetcher | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!disk) return work()
  await measureRoom(disk)
  const timer = setInterval(() => void measureRoom(disk).catch(() => {}), FRESH_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
