/**
 * Waits in memory, each with an end: an eviction ends all of them.
 *
 * `test/worker/api/feed-wait.test.ts` and `test/worker/drafts/limits.test.ts` have those who wait.
 *
 * @module
 */

/** Joins those who wait until one of them is resolved, for `ms`, or until `signal` is aborted. */
export async function waitUntil(
  waiting: Set<() => void>,
  ms: number,
  signal?: AbortSignal,
): Promise<void> {
  if (signal?.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const abort = () => resolve()
  signal?.addEventListener('abort', abort, { once: true })
  waiting.add(resolve)
  await promise
  clearTimeout(timer)
  waiting.delete(resolve)
  signal?.removeEventListener('abort', abort)
}
