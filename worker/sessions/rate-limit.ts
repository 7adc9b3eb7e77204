/**
 * The rate limiter: a token bucket in memory for each principal.
 *
 * A principal is an owner, or a session at the top of its chain; the sessions below it use the same bucket,
 * so delegation makes no caller faster. An evicted object starts with full buckets; one that is busy enough
 * to need them is not evicted. `test/worker/sessions/rate-limit.test.ts` tests it.
 *
 * @module
 */

import { CALLS_AT_ONCE, CALLS_PER_SECOND, MAX_SESSIONS } from '../limits.ts'
import { createBucket, refillBucket, type Bucket, type Rate } from '../token-bucket.ts'

const CALLS: Rate = { burst: CALLS_AT_ONCE, seconds: 1 / CALLS_PER_SECOND }

/** Counts one call of a principal. Returns the seconds it has to wait, or 0. */
export type RateLimit = ReturnType<typeof createRateLimit>

/** Creates a rate limiter. `now` is in milliseconds. */
export function createRateLimit(now: () => number = Date.now) {
  const buckets = new Map<string, Bucket>()

  return function count(principal: string): number {
    const time = now()
    const bucket = buckets.get(principal) ?? start(principal, time)
    const seconds = refillBucket(bucket, CALLS, time)
    if (seconds === 0) bucket.left--
    return seconds
  }

  /** Keeps as many buckets as a principal may have sessions; the oldest is dropped. */
  function start(principal: string, time: number): Bucket {
    const [oldest] = buckets.keys()
    if (oldest !== undefined && buckets.size >= MAX_SESSIONS) buckets.delete(oldest)
    const bucket = createBucket(CALLS, time)
    buckets.set(principal, bucket)
    return bucket
  }
}
