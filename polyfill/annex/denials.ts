/**
 * Denials: why a call was refused, for the page that made it.
 *
 * Whatever goes wrong in a tool reaches the caller as the same `UnknownError`, so that a deliberate
 * no looks like a fault. In windows of one origin the refusal is handed over beside the call; it is
 * found by the tool and the arguments, and only in the moment after it was spoken.
 *
 * @module
 */

import { exception } from '../exception.ts'

const MOST = 32
const FRESH_MS = 2_000

interface Denial {
  readonly tool: string
  /** Null where the caller's own words are not known. */
  readonly input: string | null
  readonly error: DOMException
  readonly at: number
}

const denials: Denial[] = []

/** An error that says no, and is remembered for a moment. */
export function denial(tool: string, input: string | null, reason: string): DOMException {
  const error = exception('NotAllowedError', reason)
  denials.push({ tool, input, error, at: performance.now() })
  if (denials.length > MOST) denials.shift()
  return error
}

export function takeDenial(tool: string, input: string): DOMException | null {
  const at = denials.findIndex((one) => one.tool === tool && (one.input ?? input) === input)
  const [found] = at === -1 ? [] : denials.splice(at, 1)
  return found && performance.now() - found.at < FRESH_MS ? found.error : null
}
