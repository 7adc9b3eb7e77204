/**
 * `npm run bench`: measures the product on raw workerd, each figure with its baseline from the same
 * minute, and writes `bench/results.json`.
 *
 * `--only name` runs the rows whose names start with `name`, and `--quick` is a short run of all
 * rows; both only print, because the file holds one full run. Failed rows are listed at the end,
 * without figures.
 *
 * @module
 */

import { readdirSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { build } from '../scripts/build.ts'
import { table, writeFormatted } from '../scripts/markdown.ts'
import { inProject } from '../scripts/settings.ts'
import { createContext } from './context.ts'
import { HEAD, judge, type Judged } from './figure.ts'
import { FULL, QUICK, type Context, type Row } from './row.ts'
import { workerdVersion } from './workerd.ts'

interface Outcome {
  readonly figures: (Judged & { readonly row: string })[]
  readonly failures: { readonly row: string; readonly error: string }[]
}

async function loadRows(only: string): Promise<Row[]> {
  const files = readdirSync(inProject('bench/rows')).toSorted()
  const modules: unknown[] = await Promise.all(files.map((file) => import(`./rows/${file}`)))
  return modules.flatMap(rowsOf).filter((row) => row.name.startsWith(only))
}

function rowsOf(module: unknown): Row[] {
  if (typeof module !== 'object' || module === null || !('rows' in module)) return []
  return Array.isArray(module.rows) ? module.rows : [] // bench/row.ts requires this type of `rows`
}

async function runAll(rows: readonly Row[], context: Context): Promise<Outcome> {
  const outcome: Outcome = { figures: [], failures: [] }
  for (const row of rows) {
    console.log(`${row.name}: ${row.goal}`)
    try {
      const figures = (await row.run(context)).map(judge)
      for (const figure of figures) console.log(`  ${figure.cells.slice(1).join('  ')}`)
      outcome.figures.push(...figures.map((figure) => ({ row: row.name, ...figure })))
    } catch (error) {
      console.error(`  ${String(error)}`)
      outcome.failures.push({ row: row.name, error: String(error) })
    }
  }
  return outcome
}

function machine() {
  const cores = cpus().length
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const node = process.version
  const workerd = workerdVersion()
  const summary = `${cores} cores, ${gigabytes} GB, ${workerd}, load from Node ${node} on the same cores`
  return { cores, gigabytes, cpu: cpus()[0]?.model ?? '', node, workerd, summary }
}

function write({ figures, failures }: Outcome): Promise<void> {
  const results = {
    date: new Date().toISOString(),
    machine: machine(),
    head: HEAD,
    figures,
    failures,
  }
  return writeFormatted(inProject('bench/results.json'), JSON.stringify(results, null, 2))
}

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, quick: { type: 'boolean', default: false } },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
await build()
const context = createContext(values.quick ? QUICK : FULL)
const outcome = await runAll(await loadRows(values.only), context).finally(() => context.end())
console.log(
  `\n${table(
    HEAD,
    outcome.figures.map((figure) => figure.cells),
  )}`,
)
if (values.only === '' && !values.quick) await write(outcome)
for (const { row, error } of outcome.failures) console.error(`\nFailed: ${row}: ${error}`)
if (outcome.failures.length > 0) process.exitCode = 1
