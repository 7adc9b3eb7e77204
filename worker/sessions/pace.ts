/**
 * Pace: how fast each principal may ask, as a bucket of tokens in memory.
 *
 * A principal is a session that stands under no other, or an owner; what a session has handed on
 * draws from its own bucket, so delegating makes nobody faster. An object that is evicted begins with
 * full buckets, and one that is busy enough to need them is not evicted.
 *
 * @module
 */

import { CALLS_AT_ONCE, CALLS_PER_SECOND, MAX_SESSIONS } from '../limits.ts'

interface Bucket {
  /** Calls that may still be made, as of the time. */
  calls: number
  /** Milliseconds since 1970. */
  time: number
}

export type Pace = ReturnType<typeof createPace>

export function createPace(now: () => number = Date.now) {
  const buckets = new Map<string, Bucket>()

  /** Counts a call of a principal. Answers how many seconds it has to wait, or 0 if it may go on. */
  return function count(principal: string): number {
    const bucket = buckets.get(principal) ?? start(principal)
    const time = now()
    // A clock that is set back must not take anything away.
    const passed = Math.max(0, time - bucket.time) / 1000
    bucket.calls = Math.min(CALLS_AT_ONCE, bucket.calls + passed * CALLS_PER_SECOND)
    bucket.time = time
    if (bucket.calls < 1) return Math.ceil((1 - bucket.calls) / CALLS_PER_SECOND)
    bucket.calls--
    return 0
  }

  /** As many buckets as sessions are kept; whose has stood longest goes. */
  function start(principal: string): Bucket {
    const [oldest] = buckets.keys()
    if (oldest !== undefined && buckets.size >= MAX_SESSIONS) buckets.delete(oldest)
    const bucket = { calls: CALLS_AT_ONCE, time: now() }
    buckets.set(principal, bucket)
    return bucket
  }
}
