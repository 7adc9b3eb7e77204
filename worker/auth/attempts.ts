/**
 * Rate limit of attempts: per address, and for all addresses together.
 *
 * Who is known, such as a browser that has signed in before, has a share of its own, so that no stranger can keep it
 * out. Counts are in memory, because continued attempts keep the object in memory. `test/worker/access/closed.test.ts`
 * and `test/worker/auth/devices.test.ts` test it.
 *
 * @module
 */

import { createBucket, refillBucket, type Bucket, type Rate } from '../token-bucket.ts'
import { MAX_ADDRESSES } from './limits.ts'

/** The rates for one address, or one that is known, and for all addresses together. */
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

  /** Counts an attempt from an address or what is known. Returns the seconds to wait, or 0 when it is permitted. */
  function count(from: string, isKnown = false): number {
    const time = now()
    if (addresses.size >= MAX_ADDRESSES) addresses.clear()
    const own = addresses.get(from) ?? createBucket(one, time)
    addresses.set(from, own)
    const wait = Math.max(
      refillBucket(own, one, time),
      isKnown ? 0 : refillBucket(shared, all, time),
    )
    if (wait > 0) return wait
    add(own, isKnown, -1)
    return 0
  }

  /** Takes back the count of an attempt that succeeded. */
  function forget(from: string, isKnown = false): void {
    add(addresses.get(from), isKnown, 1)
  }

  function add(own: Bucket | undefined, isKnown: boolean, uses: number): void {
    if (own) own.left += uses
    if (!isKnown) shared.left += uses
  }

  return { count, forget }
}
