/**
 * Mixed load at four fifths of what the product can do here, checked against models: no write is lost,
 * none is torn, and memory stays where it was. `EDGEWISE_LOAD_MINUTES` sets the duration.
 */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../support/e2e/folder.ts'
import type { Running } from '../support/e2e/running.ts'
import { startProduct } from '../support/e2e/server.ts'
import { closedLoop, openLoop, type Driven } from '../support/slow/load-schedule.ts'
import { mib, steadyGrowth, watchMemory } from '../support/slow/process-memory.ts'
import { createStatistics, quantiles, type Statistics } from '../support/slow/load-statistics.ts'
import { createWorkspace, type LoadedWorkspace } from '../support/slow/load-workspace.ts'

const MINUTES = Number(process.env['EDGEWISE_LOAD_MINUTES'] ?? 1)
const WORKSPACES = 4
const WARM_SECONDS = 10
const CEILING_SECONDS = 10

/** Where others slow this machine down meanwhile, it is more. */
const PART_OF_CEILING = 0.8

/** Parts of the time whose memory is compared. In the first one, caches are filling. */
const PARTS = 6

/**
 * Between two parts, if it grows in all of them. In ten minutes a part comes to some thirty-five thousand calls, which
 * add as much to history and audit, so this is about a KiB for each.
 */
const MAX_STEADY_GROWTH = 32 * 1024 * 1024

/** Beside the load itself: starting, warming up, and the proof of all that was written. */
const TIMEOUT_MS = (MINUTES * 2 + 5) * 60_000

const data = temporaryFolder()
let product: Running

beforeAll(async () => {
  product = await startProduct(data)
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  expect(product.complaints()).toBe('')
  removeFolder(data)
})

it(
  'loses no write, tears no write, and keeps its memory bounded',
  { timeout: TIMEOUT_MS },
  async () => {
    const tally = createStatistics()
    const workspaces = await Promise.all(
      Array.from({ length: WORKSPACES }, (_, at) =>
        createWorkspace(product.url, `load${at}`, 100 * at, tally),
      ),
    )
    const workers = workspaces.flatMap((workspace) => workspace.workers)
    await closedLoop(workers, WARM_SECONDS)
    tally.clear()
    const ceiling = await closedLoop(workers, CEILING_SECONDS)
    const most = tally.calls() / ceiling.seconds
    tally.clear()
    const memory = watchMemory(data)
    const kept = await openLoop(workers, PART_OF_CEILING * rateOf(ceiling), MINUTES * 60)
    const sizes = memory.stop(PARTS)
    report(tally, most, kept, sizes)

    expect(tally.faults).toEqual([])
    await verifyAll(workspaces)
    expect(sizes).toHaveLength(PARTS)
    expect(steadyGrowth(sizes.slice(1))).toBeLessThan(MAX_STEADY_GROWTH)
  },
)

const rateOf = ({ turns, seconds }: Driven) => turns / seconds

async function verifyAll(workspaces: readonly LoadedWorkspace[]): Promise<void> {
  let [paths, changes] = [0, 0]
  for (const workspace of workspaces) {
    paths += await workspace.verifyWorkspace()
    changes += workspace.changes()
    workspace.close()
  }
  console.log(`${changes} changes and ${paths} paths are as they have to be`)
}

function report(tally: Statistics, most: number, kept: Driven, sizes: readonly number[]): void {
  const { seconds, late } = kept
  const [p50 = 0, p99 = 0] = quantiles(late, 0.5, 0.99)
  const lines = [
    `ceiling ${most.toFixed(0)} calls/s, kept ${(tally.calls() / seconds).toFixed(0)} for ${seconds.toFixed(0)} s`,
    `turns began late by ${p50.toFixed(0)} ms (p50), ${p99.toFixed(0)} ms (p99)`,
    `refused ${JSON.stringify(tally.refusals())}, faults ${tally.faults.length}`,
    `memory ${sizes.map(mib).join(', ')} MiB, one part of the time after another`,
    line('', 'calls', 'p50 ms', 'p99 ms'),
    ...tally.rows().map((row) => line(row.kind, row.calls, row.p50.toFixed(1), row.p99.toFixed(1))),
  ]
  console.log(lines.join('\n'))
}

const line = (kind: string, ...cells: readonly (string | number)[]) =>
  kind.padEnd(16) + cells.map((cell) => String(cell).padStart(10)).join('')
