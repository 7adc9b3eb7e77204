/**
 * The second run: what failed runs once more when everything else has ended, by file and alone, because a test can
 * fail where other programs stop it for seconds. `test/second-run.test.ts` tests it.
 *
 * @module
 */

import { isFinal } from './final-failure.ts'
import { runFile, runLane, type Lane, type ProjectFile } from './lane.ts'
import { UNFINISHED } from './reporter.ts'
import { isFailed, keyOf, type Result } from './results.ts'
import type { Environment } from './step.ts'

/** Files that run a second time. If more have failed, something is broken that a second run would not mend. */
export const MAX_SECOND_FILES = 20

/** A lane that has run, and the environment that it ran in. */
export interface FinishedLane {
  readonly lane: Lane
  readonly env: Environment
  readonly results: readonly Result[]
}

/** Runs what failed once more, unless the user interrupts. Returns the results of both runs together. */
export async function runAgain(
  lanes: readonly FinishedLane[],
  interrupt: AbortSignal,
): Promise<Result[]> {
  const count = lanes.reduce((sum, each) => sum + listFiles(each).length, 0)
  if (count > MAX_SECOND_FILES) {
    console.log(`\n== no second run: ${count} files failed, more than ${MAX_SECOND_FILES}`)
    return lanes.flatMap(({ results }) => results)
  }
  const merged: Result[] = []
  for (const each of lanes)
    merged.push(...mergeRuns(each.results, await runLaneAgain(each, interrupt)))
  return merged
}

/** A lane that crashed runs again as a whole, any other one by its failed files. */
async function runLaneAgain(finished: FinishedLane, interrupt: AbortSignal): Promise<Result[]> {
  const { lane, env } = finished
  const results: Result[] = []
  if (interrupt.aborted) return results
  if (hasCrashed(finished))
    return runLane({ ...lane, isQuiet: false }, env, `second run of lane ${lane.name}`)
  for (const file of listFiles(finished))
    if (!interrupt.aborted) results.push(...(await runFile(lane, file, env)))
  return results
}

/** A runtime that ends takes the files that follow with it, so that there are too many to run alone. */
function hasCrashed({ results }: FinishedLane): boolean {
  const unfinished = results.filter(({ errors }) =>
    errors.some(({ message }) => message === UNFINISHED),
  )
  return (
    unfinished.length > MAX_SECOND_FILES ||
    results.some((result) => result.kind === 'lane' && isFailed(result))
  )
}

/** The files that run alone: those of a lane that has not crashed, with a failure that may pass. */
function listFiles(finished: FinishedLane): ProjectFile[] {
  if (hasCrashed(finished)) return []
  const failed = finished.results.filter((result) => isFailed(result) && !isFinal(result))
  const files = new Map(
    failed.map(({ project, file }) => [JSON.stringify([project, file]), { project, file }]),
  )
  return [...files.values()]
}

/** What passed in one of the runs has passed. What failed has to run and pass in the second. */
function mergeRuns(first: readonly Result[], second: readonly Result[]): Result[] {
  const later = new Map(second.map((result) => [keyOf(result), result]))
  const earlier = new Set(first.map(keyOf))
  return [
    ...first.map((result) => mergeResult(result, later.get(keyOf(result)))),
    ...second.filter((result) => !earlier.has(keyOf(result))),
  ]
}

function mergeResult(first: Result, second: Result | undefined): Result {
  if (second === undefined || isFinal(first)) return first
  if (isFinal(second) || first.state === 'skipped') return second
  if (first.state === 'failed' && second.state === 'passed')
    return { ...second, firstErrors: first.errors }
  return first
}
