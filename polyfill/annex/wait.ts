/**
 * Waits with an abort signal.
 *
 * @module
 */

import { newPromise, settle } from './builtins.ts'

/** Settles as the promise, or rejects with the signal's reason if that aborts first. */
export function untilAborted<T>(promise: T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return newPromise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    const over = () => signal.removeEventListener('abort', abort)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    settle(
      promise,
      (value) => {
        over()
        resolve(value)
      },
      (reason) => {
        over()
        reject(reason)
      },
    )
  })
}
