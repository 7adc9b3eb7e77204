/**
 * Calls that a browser has already answered.
 *
 * Where a browser or its developer tools call a tool, Chromium takes the loading of any frame of the
 * page for the end of the call. It answers the caller and does not abort the call, so what a person
 * allowed afterwards would run without an answer. Calls that this page makes are not affected.
 *
 * @module
 */

import { create } from './builtins.ts'
import { natives } from './natives.ts'

const calls: Record<string, number> = create(null)

/** Counts the calls of a tool that this page makes. */
export function countCalls(tool: string, by: number): void {
  calls[tool] = (calls[tool] ?? 0) + by
}

/**
 * Aborts with the call, or when a frame loads while the browser itself waits for an answer. It is to
 * be aborted when the call is over.
 */
export function whileAnswerable(tool: string, signal: AbortSignal): AbortController {
  const lost = new AbortController()
  const follow = () => lost.abort(signal.reason)
  const loaded = (event: Event) => {
    if (natives?.matches(natives.target(event) as Element, 'iframe')) lost.abort()
  }
  const options = { capture: true, signal: lost.signal }
  if (signal.aborted) follow()
  signal.addEventListener('abort', follow, options)
  if (natives?.isNative && !calls[tool]) natives.listen(document, 'load', loaded, options)
  return lost
}
