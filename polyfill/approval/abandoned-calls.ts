/**
 * Detects calls that the browser has already answered.
 *
 * When the browser or its developer tools call a tool, Chromium treats the load of any frame of the
 * page as the end of the call. It answers the caller and does not abort the call, so a tool that
 * the user allowed afterwards would run without a recipient. Calls made by this page are not
 * affected.
 *
 * @module
 */

import { create } from './builtins.ts'
import { intrinsics } from './intrinsics.ts'

const calls: Record<string, number> = create(null)

/**
 * Counts running calls of a tool that this page made itself.
 *
 * @param by 1 when a call begins, -1 when it ends.
 */
export function countCalls(tool: string, by: number): void {
  calls[tool] = (calls[tool] ?? 0) + by
}

/** Reports whether this page itself calls a tool at this moment. */
export const isCalled = (tool: string): boolean => (calls[tool] ?? 0) > 0

/**
 * Creates a controller that aborts with the call, or when a frame loads while the browser itself
 * waits for a result.
 *
 * @returns The controller; the caller aborts it when the call has ended.
 */
export function abortWhenAbandoned(tool: string, signal: AbortSignal): AbortController {
  const lost = new AbortController()
  const stop = () => lost.abort(signal.reason)
  const loaded = (event: Event) => {
    if (intrinsics?.matches(intrinsics.target(event) as Element, 'iframe')) lost.abort()
  }
  const options = { capture: true, signal: lost.signal }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, options)
  if (intrinsics?.isNative && !isCalled(tool)) intrinsics.listen(document, 'load', loaded, options)
  return lost
}
