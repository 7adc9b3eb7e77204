/**
 * An end for what could hang.
 *
 * @module
 */

/** What work comes to, or an error that says what was waited for. */
export function soon<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`Nothing came for ${what}`)), ms)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
