/**
 * Waiting with an end.
 *
 * @module
 */

/** A promise, or the signal's reason if that comes first. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const gone = Promise.withResolvers<never>()
  const reject = () => gone.reject(signal.reason)
  if (signal.aborted) reject()
  signal.addEventListener('abort', reject)
  return Promise.race([promise, gone.promise]).finally(() =>
    signal.removeEventListener('abort', reject),
  )
}
