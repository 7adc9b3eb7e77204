/**
 * The rate limiter: a token bucket in memory for each principal.
 *
 * A principal is an owner, or a session at the top of its chain; the sessions below it use the same bucket,
 * so delegation makes no caller faster. An evicted object starts with full buckets; one that is busy enough
 * to need them is not evicted.
 *
 * @module
 */

import { CALLS_AT_ONCE, CALLS_PER_SECOND, MAX_SESSIONS } from '../limits.ts'

interface Bucket {
  /** Calls left at `time`. */
  calls: number
  /** Milliseconds since 1970. */
  time: number
}

/** Counts one call of a principal and returns the seconds to wait. */
export type Pace = ReturnType<typeof createPace>

/** Creates a rate limiter. `now` is in milliseconds. */
export function createPace(now: () => number = Date.now) {
  const buckets = new Map<string, Bucket>()

  /** Counts a call of a principal. Returns the seconds it has to wait, or 0. */
  return function count(principal: string): number {
    const bucket = buckets.get(principal) ?? start(principal)
    const time = now()
    // A clock that is set back must not take calls away.
    const passed = Math.max(0, time - bucket.time) / 1000
    bucket.calls = Math.min(CALLS_AT_ONCE, bucket.calls + passed * CALLS_PER_SECOND)
    bucket.time = time
    if (bucket.calls < 1) return Math.ceil((1 - bucket.calls) / CALLS_PER_SECOND)
    bucket.calls--
    return 0
  }

  /** Keeps as many buckets as a principal may have sessions; the oldest is dropped. */
  function start(principal: string): Bucket {
    const [oldest] = buckets.keys()
    if (oldest !== undefined && buckets.size >= MAX_SESSIONS) buckets.delete(oldest)
    const bucket = { calls: CALLS_AT_ONCE, time: now() }
    buckets.set(principal, bucket)
    return bucket
  }
}
