/** Opening a line, and what went wrong, said as exactly as a page can know. @module */

import { whyUnreachable } from './address.ts'
import type { Line } from './line.ts'
import { openLine, type Ears } from './open-line.ts'
import { CANCELLED, ConnectionError, makeProblem, problemOf } from './problem.ts'
import type { ConnectionProblem, ConnectOptions } from './types.ts'

export async function open(options: ConnectOptions, ears: Ears): Promise<Line> {
  try {
    return await openLine(options, ears)
  } catch (error) {
    const problem = await explained(problemOf(error), options)
    if (problem.kind === 'unauthorized') options.onUnauthorized?.(problem)
    throw new ConnectionError(problem, { cause: error })
  }
}

/** The same problem, with what can be found out about it. */
export async function explained(
  problem: ConnectionProblem,
  { url, configuration, signal }: ConnectOptions,
): Promise<ConnectionProblem> {
  if (signal?.aborted) return CANCELLED
  if (problem.kind === 'unreachable') return whyUnreachable(url)
  const refused = problem.kind === 'protocol' && configuration !== undefined
  return refused
    ? makeProblem('configuration', `The server refuses the configuration: ${problem.message}`)
    : problem
}
