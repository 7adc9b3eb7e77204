/**
 * `bench/results.json`: what the last full run of the benchmark measured, one figure a line. Ratios, verdicts and the
 * cells of tables follow from the figures when the file is read.
 *
 * `test/performance-page.test.ts` tests it.
 *
 * @module
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { judge, type Figure, type Judged } from './figure.ts'
import { inProject } from './settings.ts'

const FILE = inProject('bench/results.json')

const usage = z.object({
  requests: z.number(),
  rowsRead: z.number(),
  rowsWritten: z.number(),
  classA: z.number(),
  classB: z.number(),
})

const peer = z.object({ title: z.string(), usage })

const figure = z.object({
  row: z.string(),
  // A row that was added after the run has a date of its own.
  date: z.string().exactOptional(),
  work: z.string(),
  unit: z.enum(['req/s', 'frames/s', 'ms', 'µs', 'bytes', 'MB', '$']),
  edgewise: z.number(),
  baseline: z.object({ name: z.string(), value: z.number().nullable() }),
  goal: z
    .union([
      z.strictObject({ ratioAtLeast: z.number() }),
      z.strictObject({ ratioAtMost: z.number() }),
      z.strictObject({ under: z.number() }),
    ])
    .exactOptional(),
  curve: z.array(z.object({ files: z.number(), value: z.number() })).exactOptional(),
  cost: z
    .object({ call: z.string(), cpuMs: z.number(), peer: peer.exactOptional() })
    .exactOptional(),
})

const results = z.object({
  date: z.string(),
  machine: z.object({ summary: z.string() }).loose(),
  figures: z.array(figure),
  failures: z.array(z.object({ row: z.string(), error: z.string() })),
  seconds: z.array(z.object({ row: z.string(), seconds: z.number() })),
})

/** A figure with the row that measured it, and the day where that is another one than that of the run. */
type Measured = Figure & { readonly row: string; readonly date?: string }

/** One full run, with its verdicts. */
export interface BenchResults {
  readonly date: string
  readonly machine: { readonly summary: string }
  readonly figures: readonly (Judged & Measured)[]
  readonly failures: readonly { readonly row: string; readonly error: string }[]
}

/** Reads the last full run. */
export function readResults(): BenchResults {
  const { figures, ...run } = results.parse(JSON.parse(readFileSync(FILE, 'utf8')))
  return { ...run, figures: figures.map(judge) }
}

/** Formats a run with one figure a line. What is not raw is left out. */
export function formatRun(run: object): string {
  const fields = Object.entries(results.parse(run)).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${formatField(value)}`,
  )
  return `{\n${fields.join(',\n')}\n}\n`
}

/** Writes a full run. */
export const writeRun = (run: object) => writeFileSync(FILE, formatRun(run))

const formatField = (value: unknown) =>
  Array.isArray(value) && value.length > 0
    ? `[\n${value.map((one) => `    ${JSON.stringify(one)}`).join(',\n')}\n  ]`
    : JSON.stringify(value)
