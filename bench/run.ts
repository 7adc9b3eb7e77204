/**
 * `npm run bench`: measures the product on raw workerd, each figure with its baseline from the same
 * minute, and writes `bench/results.json`.
 *
 * `--rows name` runs the rows whose names start with `name`, and `--quick` is a short run of all
 * rows; both only print, because the file holds one full run. A row that fails is listed at the end and in the file; the
 * others are written, also when the run is interrupted, and the exit code is 1. `test/command-line.test.ts` tests the
 * options.
 *
 * @module
 */

import { readdirSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { writeRun } from '../scripts/bench-results.ts'
import { build } from '../scripts/build.ts'
import { refuseArguments } from '../scripts/command-line.ts'
import { runScript, UserError } from '../scripts/errors.ts'
import { table } from '../scripts/markdown.ts'
import { inProject } from '../scripts/settings.ts'
import { createContext } from './context.ts'
import { HEAD } from '../scripts/figure.ts'
import { FULL, QUICK, type Row } from './row.ts'
import { runRows, type Outcome } from './run-rows.ts'
import { workerdVersion } from './workerd.ts'

/** Rows in the list of the longest. */
const LISTED = 12

async function loadRows(only: string): Promise<Row[]> {
  const files = readdirSync(inProject('bench/rows')).toSorted()
  const modules: unknown[] = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ `./rows/${file}`)),
  )
  const all = modules.flatMap(rowsOf)
  const chosen = all.filter((row) => row.name.startsWith(only))
  if (chosen.length > 0) return chosen
  const names = all.map(({ name }) => name).join(', ')
  throw new UserError(
    `Cannot run the benchmark: no row begins with "${only}". Use one of: ${names}`,
  )
}

function rowsOf(module: unknown): Row[] {
  if (typeof module !== 'object' || module === null || !('rows' in module)) return []
  return Array.isArray(module.rows) ? module.rows : [] // bench/row.ts requires this type of `rows`
}

function machine() {
  const cores = cpus().length
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const node = process.version
  const workerd = workerdVersion()
  const summary = `${cores} cores, ${gigabytes} GB, ${workerd}, load from Node ${node} on the same cores`
  return { cores, gigabytes, cpu: cpus()[0]?.model ?? '', node, workerd, summary }
}

const outcome: Outcome = { figures: [], failures: [], seconds: [] }

/** Prints what was measured, and writes it if the run was to be whole. */
async function finish(isWhole: boolean): Promise<void> {
  const { figures, failures, seconds } = outcome
  console.log(
    `\n${table(
      HEAD,
      figures.map((figure) => figure.cells),
    )}`,
  )
  if (isWhole) writeRun({ date: new Date().toISOString(), machine: machine(), ...outcome })
  const longest = seconds.toSorted((a, b) => b.seconds - a.seconds).slice(0, LISTED)
  console.log(`\nLongest: ${longest.map((one) => `${one.row} ${one.seconds} s`).join(', ')}`)
  for (const { row, error } of failures) console.error(`\nFailed: ${row}: ${error}`)
  if (failures.length > 0) process.exitCode = 1
}

function finishOnSignal(isWhole: boolean): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      outcome.failures.push({ row: 'the run', error: `ended by ${signal}` })
      void finish(isWhole).finally(() => process.exit(1))
    })
}

// Not `--only`: npm has an option of that name, and drops a value that it does not know without a trace.
const OPTIONS = {
  rows: { type: 'string' },
  quick: { type: 'boolean', default: false },
} as const

const ADVICE = 'Use npm run bench -- --quick, or --rows with the start of a name'

/** What the command line asks for. */
export async function bench(): Promise<void> {
  const { rows, quick } = refuseArguments('run bench', OPTIONS, ADVICE)
  const isWhole = rows === undefined && !quick
  const chosen = await loadRows(rows ?? '')
  finishOnSignal(isWhole)
  await build()
  const context = createContext(quick ? QUICK : FULL)
  await runRows(chosen, context, outcome)
  await finish(isWhole)
  await context.end()
  process.exit() // a row that took too long may still wait
}

if (import.meta.main) await runScript(bench)
