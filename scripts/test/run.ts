/**
 * Runs a set of tests: preparations, lanes beside checks, the second run, and the report. All steps run even if an
 * early one fails, so that one run reports everything. `test/second-run.test.ts` tests it.
 *
 * @module
 */

import { createMemoryFolder, ON_DISK } from '../memory-folder.ts'
import { runLane, type Lane } from './lane.ts'
import { printReport } from './report.ts'
import { runAgain, type FinishedLane } from './second-run.ts'
import type { TestSet } from './sets.ts'
import { runBeside, runInOrder, runStep, type Environment } from './step.ts'

/** Runs a set, prints its report, and resolves to whether it passed. `env` is what the tests need beside their own. */
export async function runSet(set: TestSet, env: Environment): Promise<boolean> {
  const interrupt = watchInterrupt()
  const prepared = await Promise.all(set.preparations.map((step) => runStep(step)))
  const memory = createMemoryFolder()
  const start = (lane: Lane) =>
    runFirst(lane, { ...env, ...(lane.isOnDisk === true ? ON_DISK : memory).env })
  try {
    const [lanes, checks] = await Promise.all([
      Promise.all(set.lanes.map(start)),
      runBeside(set.checks),
    ])
    for (const { report } of checks) console.log(report)
    const results = await runAgain(lanes, interrupt)
    const after = await runInOrder(set.after)
    return printReport([...prepared, ...checks, ...after], results)
  } finally {
    memory.remove()
  }
}

const runFirst = async (lane: Lane, env: Environment): Promise<FinishedLane> => ({
  lane,
  env,
  results: await runLane(lane, env),
})

/** Ctrl+C ends the children. What they leave behind is removed and counted, and nothing runs a second time. */
function watchInterrupt(): AbortSignal {
  const controller = new AbortController()
  process.on('SIGINT', () => controller.abort())
  return controller.signal
}
