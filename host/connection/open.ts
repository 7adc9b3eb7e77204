/** Opens a session and explains a failure as exactly as a page can know it. @module */

import { whyUnreachable } from './address.ts'
import type { Line } from './line.ts'
import { openLine, type Ears } from './open-line.ts'
import { CANCELLED, ConnectionError, makeProblem, problemOf } from './problem.ts'
import type { ConnectionProblem, ConnectOptions } from './types.ts'

/**
 * Opens a session.
 *
 * @throws {ConnectionError} With the explained problem; `onUnauthorized` is called first if it is
 *   401.
 */
export async function open(options: ConnectOptions, ears: Ears): Promise<Line> {
  try {
    return await openLine(options, ears)
  } catch (error) {
    const problem = await explained(problemOf(error), options)
    if (problem.kind === 'unauthorized') options.onUnauthorized?.(problem)
    throw new ConnectionError(problem, { cause: error })
  }
}

/**
 * Refines a problem: finds the cause of an unreachable server, and recognises a refused
 * configuration.
 *
 * @returns The more exact problem, or the same one.
 */
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
