/**
 * A token bucket: permits a burst, and then a steady rate. `sessions/rate-limit.ts` limits calls with it, and
 * `auth/attempts.ts` sign-ins; their tests are its tests.
 *
 * @module
 */

/** `burst` uses at once, and one more every `seconds`. */
export interface Rate {
  readonly burst: number
  readonly seconds: number
}

/** The state of one bucket. */
export interface Bucket {
  /** Uses left at `time`. */
  left: number
  /** Milliseconds since 1970. */
  time: number
}

/** Creates a full bucket. */
export const createBucket = ({ burst }: Rate, time: number): Bucket => ({ left: burst, time })

/** Refills a bucket up to `time`. Returns the seconds until it has a use left, or 0. */
export function refillBucket(bucket: Bucket, { burst, seconds }: Rate, time: number): number {
  // A clock that is set back must not take uses away.
  const passed = Math.max(0, time - bucket.time) / 1000
  bucket.left = Math.min(burst, bucket.left + passed / seconds)
  bucket.time = time
  return bucket.left >= 1 ? 0 : Math.ceil((1 - bucket.left) * seconds)
}
