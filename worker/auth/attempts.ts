/**
 * Attempts, counted: a few at once from one address, and a bounded number from all together. Counts live in memory, because whoever keeps trying keeps the object awake.
 *
 * @module
 */

/** Attempts that may be made at once, and seconds after which there is another. */
export interface Bound {
  readonly most: number
  readonly seconds: number
}

/** From one address, and from all together. */
export interface Bounds {
  readonly one: Bound
  readonly all: Bound
}

const SIGN_IN: Bounds = { one: { most: 5, seconds: 30 }, all: { most: 50, seconds: 3 } }

/** Addresses that are remembered. */
const ADDRESSES = 10_000

interface Bucket {
  left: number
  at: number
}

export function createAttempts(now: () => number = Date.now, { one, all }: Bounds = SIGN_IN) {
  const addresses = new Map<string, Bucket>()
  const shared: Bucket = { left: all.most, at: now() }

  /** Counts an attempt, and answers for how many seconds there may be none; 0 when this one may be. */
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

  /** Takes back the count of an attempt that was the owner's. */
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
