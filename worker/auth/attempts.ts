/**
 * Attempts to sign in, counted: a few at once from one address, and a bounded number from all
 * together. Counts live in memory, because whoever keeps trying keeps the object awake.
 *
 * @module
 */

/** Attempts that may be made at once, and seconds after which there is another. */
const FROM_ONE = { most: 5, seconds: 30 }
const FROM_ALL = { most: 50, seconds: 3 }

/** Addresses that are remembered. */
const ADDRESSES = 10_000

interface Bucket {
  left: number
  at: number
}

export function createAttempts(now: () => number = Date.now) {
  const addresses = new Map<string, Bucket>()
  const all: Bucket = { left: FROM_ALL.most, at: now() }

  /** Counts an attempt, and answers for how many seconds there may be none; 0 when this one may be. */
  function count(from: string): number {
    if (addresses.size >= ADDRESSES) addresses.clear()
    const one = addresses.get(from) ?? { left: FROM_ONE.most, at: now() }
    addresses.set(from, one)
    const wait = Math.max(refilled(one, FROM_ONE), refilled(all, FROM_ALL))
    if (wait > 0) return wait
    one.left--
    all.left--
    return 0
  }

  /** Takes back the count of an attempt that was the owner's. */
  function forget(from: string): void {
    const one = addresses.get(from)
    if (one) one.left++
    all.left++
  }

  function refilled(bucket: Bucket, { most, seconds }: typeof FROM_ONE): number {
    const passed = (now() - bucket.at) / 1000 / seconds
    bucket.left = Math.min(most, bucket.left + passed)
    bucket.at = now()
    return bucket.left >= 1 ? 0 : Math.ceil((1 - bucket.left) * seconds)
  }

  return { count, forget }
}
