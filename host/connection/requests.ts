/**
 * Sends requests over the current session, and detects from their failures that it is broken.
 *
 * A legacy session may expire on the server. The request is then repeated in a new session, which
 * is safe because the server did not process the first one.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import type { Line } from './line.ts'
import { ConnectionError, problemOf } from './problem.ts'
import type { Reconnecting } from './reconnect.ts'
import type { CallOptions, ConnectionProblem, ConnectOptions } from './types.ts'

/** Sends a request and returns its result as received; rejects with a `ConnectionError`. */
export type Request = (
  method: string,
  params?: JsonRecord,
  options?: CallOptions,
) => Promise<JsonRecord>

/**
 * Creates the function that sends a connection's requests.
 *
 * @param lines The session in use, and the next one after it breaks.
 * @param onUnauthorized Called with problems of kind `unauthorized` or `forbidden`, before the
 *   rejection.
 */
export function createRequest(
  lines: Reconnecting<Line>,
  onUnauthorized: NonNullable<ConnectOptions['onUnauthorized']>,
): Request {
  return async function request(method, params, options) {
    const line = await lines.current()
    try {
      return await line.request(method, params, options)
    } catch (error) {
      const problem = problemOf(error)
      if (isOver(line, problem)) {
        lines.lost(line, { ...problem, kind: 'closed' })
        return onNext(lines, method, params, options)
      }
      if (problem.kind === 'unreachable') lines.lost(line, problem)
      if (problem.kind === 'unauthorized' || problem.kind === 'forbidden') onUnauthorized(problem)
      throw new ConnectionError(problem, { cause: error })
    }
  }
}

async function onNext(lines: Reconnecting<Line>, ...request: Parameters<Request>) {
  const line = await lines.current()
  return line.request(...request).catch((error: unknown) => {
    throw new ConnectionError(problemOf(error), { cause: error })
  })
}

/** Whether the session itself is gone (404, or 400 about a session), and not something in it. */
function isOver({ session }: Line, { status, message }: ConnectionProblem): boolean {
  return session !== null && (status === 404 || (status === 400 && /session/i.test(message)))
}
