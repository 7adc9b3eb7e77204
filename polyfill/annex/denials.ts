/**
 * Denials: pass the reason for a refused call to the page that made it.
 *
 * Every failure of a tool reaches the caller as the same `UnknownError`, so a denial looks like a
 * fault. Within windows of one origin the refusal is therefore passed on beside the
 * call. It is found by tool and arguments, and expires after two seconds.
 *
 * @module
 */

import { exception } from '../exception.ts'

const MOST = 32
const FRESH_MS = 2_000

interface Denial {
  readonly tool: string
  /** The arguments as JSON; null if the caller's own text is unknown, which matches any. */
  readonly input: string | null
  readonly error: DOMException
  readonly at: number
}

const denials: Denial[] = []

/** Creates a `NotAllowedError` and keeps it for {@link takeDenial}. */
export function denial(tool: string, input: string | null, reason: string): DOMException {
  const error = exception('NotAllowedError', reason)
  denials.push({ tool, input, error, at: performance.now() })
  if (denials.length > MOST) denials.shift()
  return error
}

/** Returns and removes the denial of a call, or null if there is none or it has expired. */
export function takeDenial(tool: string, input: string): DOMException | null {
  const at = denials.findIndex((one) => one.tool === tool && (one.input ?? input) === input)
  const [found] = at === -1 ? [] : denials.splice(at, 1)
  return found && performance.now() - found.at < FRESH_MS ? found.error : null
}
