/**
 * Rate limit of attempts: per address and for all addresses together. Counts are in memory, because continued
 * attempts keep the object in memory. `test/worker/access/closed.test.ts` tests it.
 *
 * @module
 */

import type { Env } from '../env.ts'
import { createBucket, refillBucket, type Bucket, type Rate } from '../token-bucket.ts'
import { MAX_ADDRESSES } from './limits.ts'

/** The rates for one address and for all together. */
export interface AttemptRates {
  readonly one: Rate
  readonly all: Rate
}

const SIGN_IN: AttemptRates = {
  one: { burst: 5, seconds: 30 },
  all: { burst: 50, seconds: 3 },
}

/** Creates the counters; by default those of sign-in. `now` is in milliseconds. */
export function createAttempts(now: () => number = Date.now, rates: AttemptRates = SIGN_IN) {
  const { one, all } = rates
  const addresses = new Map<string, Bucket>()
  const shared = createBucket(all, now())

  /** Counts an attempt. Returns the seconds to wait, or 0 when the attempt is permitted. */
  function count(from: string): number {
    const time = now()
    if (addresses.size >= MAX_ADDRESSES) addresses.clear()
    const own = addresses.get(from) ?? createBucket(one, time)
    addresses.set(from, own)
    const wait = Math.max(refillBucket(own, one, time), refillBucket(shared, all, time))
    if (wait > 0) return wait
    own.left--
    shared.left--
    return 0
  }

  /** Takes back the count of an attempt that succeeded. */
  function forget(from: string): void {
    const own = addresses.get(from)
    if (own) own.left++
    shared.left++
  }

  return { count, forget }
}

/**
 * Returns the client address that Cloudflare reports. On a machine of one's own a client could write any address
 * into that header, so that all of them are one there, `here`.
 */
export const addressOf = ({ headers }: Request, { DISK }: Pick<Env, 'DISK'>): string =>
  (DISK ? null : headers.get('cf-connecting-ip')) ?? 'here'
