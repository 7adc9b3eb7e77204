/**
 * A timeout for promises.
 *
 * @module
 */

/** Resolves with the work's result, or rejects with the name of the work after `ms`. */
export function withTimeout<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`Nothing came for ${what}`)), ms)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
