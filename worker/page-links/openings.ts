/**
 * Counts how often pages are opened. A page that is loaded again and again must not cost a write each time, so openings are
 * counted in memory, and written at most once in a while for each link; an object that is evicted before forgets a few.
 *
 * `test/worker/page-links/page-links.test.ts` tests it.
 *
 * @module
 */

import type { PageLinkTable } from './table.ts'

/** Least time (ms) between two writes for one link. */
export const OPENINGS_MS = 10_000

interface Counted {
  count: number
  last: number
  /** When they were written last. */
  written: number
}

/** Counts the openings of the links of one workspace. */
export function createOpenings(
  table: Pick<PageLinkTable, 'countOpenings'>,
  wakeAt: (time: number) => void,
) {
  const counted = new Map<string, Counted>()

  /** Writes what may be written at a time. Returns when there is more to write, or null. */
  function write(now: number): number | null {
    let next: number | null = null
    for (const [id, one] of counted) {
      const due = one.written + OPENINGS_MS
      if (now < due) {
        if (one.count > 0) next = Math.min(next ?? due, due)
      } else if (one.count === 0) counted.delete(id)
      else {
        table.countOpenings(id, one.count, one.last)
        Object.assign(one, { count: 0, written: Math.min(now, Date.now()) })
      }
    }
    return next
  }

  /** Counts an opening now. */
  function count(id: string): void {
    const now = Date.now()
    const one = counted.get(id) ?? { count: 0, last: now, written: 0 }
    counted.set(id, one)
    one.count++
    one.last = now
    const next = write(now)
    if (next !== null) wakeAt(next)
  }

  return { count, write }
}
