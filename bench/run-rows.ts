/**
 * Runs the rows one after another. A row that fails, takes too long, or whose sockets fail outside of it is listed, and
 * the rows after it run all the same.
 *
 * `test/bench-rows.test.ts` tests it.
 *
 * @module
 */

import { judge, type Figure, type Judged } from '../scripts/figure.ts'
import type { Context, Row } from './row.ts'

/** What a run has measured. */
export interface Outcome {
  readonly figures: (Judged & { readonly row: string })[]
  readonly failures: { readonly row: string; readonly error: string }[]
  readonly seconds: { readonly row: string; readonly seconds: number }[]
}

/** Longest duration of a row, which may import a million files first. */
const MAX_ROW_MS = 20 * 60_000

/** Runs all rows, and fills `outcome` as they end, so that a run that is interrupted has those before. */
export async function runRows(
  rows: readonly Row[],
  context: Context,
  outcome: Outcome,
  maxMs = MAX_ROW_MS,
): Promise<void> {
  for (const row of rows) {
    console.log(`${row.name}: ${row.goal}`)
    const start = performance.now()
    try {
      const figures = (await runOne(row, context, maxMs)).map(judge)
      for (const figure of figures) console.log(`  ${figure.cells.slice(1).join('  ')}`)
      outcome.figures.push(...figures.map((figure) => ({ row: row.name, ...figure })))
    } catch (error) {
      console.error(`  ${String(error)}`)
      outcome.failures.push({ row: row.name, error: String(error) })
    }
    const seconds = Math.round((performance.now() - start) / 100) / 10
    outcome.seconds.push({ row: row.name, seconds })
  }
}

/** An error that no promise receives, such as one of a socket, would otherwise end the process and lose every row. */
async function runOne(row: Row, context: Context, maxMs: number): Promise<Figure[]> {
  const failed = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => failed.reject(new Error(`${row.name} took longer than ${maxMs / 1000} s`)),
    maxMs,
  )
  process.on('uncaughtException', failed.reject)
  try {
    const figures = await Promise.race([row.run(context), failed.promise])
    figures.forEach(checkNumbers)
    return figures
  } finally {
    clearTimeout(timer)
    process.off('uncaughtException', failed.reject)
  }
}

/** @throws When a value is no number, which JSON would turn into null. */
function checkNumbers({ work, edgewise, baseline }: Figure): void {
  for (const value of [edgewise, baseline.value ?? 0])
    if (!Number.isFinite(value)) throw new Error(`${work}: ${value} is no measured value`)
}
