/**
 * Requests that wait for the next change. Kept in memory: an eviction ends every request that waits.
 *
 * `test/worker/api/feed-wait.test.ts` tests it.
 *
 * @module
 */

import { waitUntil } from '../wait-until.ts'
import { MAX_FEED_WAITING } from './limits.ts'

/** The place of one request that waits. */
export interface Place {
  /**
   * Resolves when something has happened since it last resolved, after `ms`, or when `signal` is aborted. What happens while
   * a stream waits for its reader is not missed.
   */
  readonly next: (ms: number, signal: AbortSignal) => Promise<void>
  /** Gives the place back, once. */
  readonly leave: () => void
}

/** Who waits for changes. */
export type Waiting = ReturnType<typeof createWaiting>

/** Creates the list of requests that wait. Each principal has a number of places. */
export function createWaiting() {
  const counts = new Map<string, number>()
  const sleepers = new Set<Sleeper>()

  function count(budget: string, more: number): void {
    const places = (counts.get(budget) ?? 0) + more
    if (places === 0) counts.delete(budget)
    else counts.set(budget, places)
  }

  return {
    /** Resolves what waits. Each request then looks for itself whether it sees something new. */
    wake: (): void => {
      for (const sleeper of sleepers) sleeper.wake()
    },
    /** Takes a place for a request of a principal; null if it has none left. */
    enter(budget: string): Place | null {
      if ((counts.get(budget) ?? 0) >= MAX_FEED_WAITING) return null
      count(budget, 1)
      const sleeper = createSleeper()
      sleepers.add(sleeper)
      const leave = () => {
        if (sleepers.delete(sleeper)) count(budget, -1)
      }
      return { next: sleeper.next, leave }
    },
  }
}

/** One that waits again and again. */
interface Sleeper extends Pick<Place, 'next'> {
  readonly wake: () => void
}

function createSleeper(): Sleeper {
  const waiting = new Set<() => void>()
  let isWoken = false
  return {
    wake() {
      isWoken = true
      for (const resolve of waiting) resolve()
    },
    async next(ms, signal) {
      if (!isWoken) await waitUntil(waiting, ms, signal)
      isWoken = false
    },
  }
}
