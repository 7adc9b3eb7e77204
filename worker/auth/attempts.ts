/**
 * Rate limit of attempts: per address and for all addresses together. Counts are in memory, because continued
 * attempts keep the object in memory.
 *
 * @module
 */

/** A token bucket: `most` attempts at once, and one more every `seconds`. */
export interface Bound {
  readonly most: number
  readonly seconds: number
}

/** The buckets for one address and for all together. */
export interface Bounds {
  readonly one: Bound
  readonly all: Bound
}

const SIGN_IN: Bounds = { one: { most: 5, seconds: 30 }, all: { most: 50, seconds: 3 } }

/** Most addresses that are remembered. */
const ADDRESSES = 10_000

interface Bucket {
  left: number
  at: number
}

/** Creates the counters; by default those of sign-in. `now` is in milliseconds. */
export function createAttempts(now: () => number = Date.now, { one, all }: Bounds = SIGN_IN) {
  const addresses = new Map<string, Bucket>()
  const shared: Bucket = { left: all.most, at: now() }

  /** Counts an attempt. Returns the seconds to wait, or 0 when the attempt is permitted. */
  function count(from: string): number {
    if (addresses.size >= ADDRESSES) addresses.clear()
    const own = addresses.get(from) ?? { left: one.most, at: now() }
    addresses.set(from, own)
    const wait = Math.max(refilled(own, one), refilled(shared, all))
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

  function refilled(bucket: Bucket, { most, seconds }: Bound): number {
    const passed = (now() - bucket.at) / 1000 / seconds
    bucket.left = Math.min(most, bucket.left + passed)
    bucket.at = now()
    return bucket.left >= 1 ? 0 : Math.ceil((1 - bucket.left) * seconds)
  }

  return { count, forget }
}
