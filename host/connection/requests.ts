/**
 * Requests over whichever line is open, and what their failing says of the line.
 *
 * In the older era a session may be gone. Then a request is made once more in a new one, because the
 * server did nothing with the first.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import type { Line } from './line.ts'
import { ConnectionError, problemOf } from './problem.ts'
import type { Reconnecting } from './reconnect.ts'
import type { CallOptions, ConnectionProblem, ConnectOptions } from './types.ts'

export type Request = (
  method: string,
  params?: JsonRecord,
  options?: CallOptions,
) => Promise<JsonRecord>

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

/** Whether it is the session that is gone, and not something in it. */
function isOver({ session }: Line, { status, message }: ConnectionProblem): boolean {
  return session !== null && (status === 404 || (status === 400 && /session/i.test(message)))
}
