/**
 * Rows of the benchmark, as short as they can be: each baseline and peer starts, and its answers are those that the row
 * checks. The figures are worth nothing here.
 */

import { expect, it, vi } from 'vitest'
import { createContext } from '../../bench/context.ts'
import type { Row, Scale } from '../../bench/row.ts'
import { runRows, type Outcome } from '../../bench/run-rows.ts'
import { rows as edits } from '../../bench/rows/edit-file.ts'
import { rows as imports } from '../../bench/rows/import.ts'
import { rows as previews } from '../../bench/rows/preview.ts'
import { rows as ranges } from '../../bench/rows/read-range.ts'
import { rows as reads } from '../../bench/rows/read-file.ts'
import { rows as lists } from '../../bench/rows/tools-list.ts'
import { rows as writes } from '../../bench/rows/write-file.ts'

const SHORTEST: Scale = {
  rounds: 1,
  seconds: 0.5,
  requests: 4,
  treeFiles: 200,
  manyFiles: 1_000,
  sizes: [100],
  bytes: 1_000_000,
}

const ROWS: readonly Row[] = [
  ...lists,
  ...reads,
  ...ranges,
  ...writes,
  ...edits,
  ...previews,
  ...imports,
]

it('all have figures beside their baselines', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  const context = createContext(SHORTEST)
  const outcome: Outcome = { figures: [], failures: [], seconds: [] }
  try {
    await runRows(ROWS, context, outcome)
  } finally {
    vi.restoreAllMocks()
    await context.end()
  }
  expect(outcome.failures).toEqual([])
  const measured = new Set(outcome.figures.map(({ row }) => row))
  expect([...measured]).toEqual(ROWS.map(({ name }) => name))
})
