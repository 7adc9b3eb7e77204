/**
 * The sections of `docs/performance.md` that follow from `bench/results.json`, and the curve beside the page. A run from
 * before a figure existed leaves its section with a sentence instead.
 *
 * @module
 */

import { readResults, type BenchResults } from './bench-results.ts'
import { drawCurves } from './curve.ts'
import { HEAD } from './figure.ts'
import { table } from './markdown.ts'
import type { RowSentences } from './row-sentences.ts'

/** The picture of the sizes, beside the page. */
export const CURVE_FILE = 'docs/scale.svg'

/** In place of what the last run did not measure. */
export const NOT_MEASURED = 'The last run did not measure this.'

/** The table of all figures but those of costs, which have tables of their own, with the sentences about their rows. */
export function benchSection(
  sentences: readonly RowSentences[],
  { date, machine, figures: all, failures }: BenchResults = readResults(),
): string {
  const figures = all.filter(({ cost }) => cost === undefined)
  const cells = figures.map((one) => one.cells)
  const days = new Set([date, ...figures.map((one) => one.date ?? date)].map(dayOf))
  const measured = `Measured on ${[...days].join(' and ')} on ${machine.summary}.`
  const named = new Map(sentences.map((one) => [one.name, one]))
  return [
    table(HEAD, cells),
    measured,
    ...listLimits(figures, named),
    ...listMissed(figures, named),
    ...listFailed(failures),
  ].join('\n\n')
}

type Figures = BenchResults['figures']
type Named = ReadonlyMap<string, RowSentences>

/** Lists what limits the rows: one item for each sentence, with the work that it is about. */
function listLimits(figures: Figures, named: Named): string[] {
  const works = new Map<string, Set<string>>()
  for (const { cells, row } of figures) {
    const limit = named.get(row)?.limit
    if (limit !== undefined) works.set(limit, (works.get(limit) ?? new Set()).add(cells[0] ?? ''))
  }
  const items = [...works].map(([limit, of]) => `- **${[...of].join('; ')}**: ${limit}`)
  return items.length === 0 ? [] : ['What limits each of them:', items.join('\n')]
}

/** Lists the figures that missed their goals, with what was done to meet them. */
function listMissed(figures: Figures, named: Named): string[] {
  const missed = figures.filter(({ verdict }) => verdict === 'missed')
  if (missed.length === 0) return []
  const items = missed.map(({ cells: [work, baseline, , ratio, goal], row }) => {
    const tried = named.get(row)?.tried ?? 'Nothing was tried.'
    return `- **${work}**, beside ${baseline} (${ratio}, goal ${goal}): ${tried}`
  })
  return ['Missed goals, and what was tried:', items.join('\n')]
}

function listFailed(failures: BenchResults['failures']): string[] {
  if (failures.length === 0) return []
  const items = failures.map(({ row, error }) => `- \`${row}\`: ${error.replaceAll('\n', ' ')}`)
  return ['Not measured, because the row failed:', items.join('\n')]
}

const dayOf = (date: string) => date.slice(0, 10)

/** The curve, and its points as a table for readers who cannot see it. */
export function scaleSection({ figures }: Pick<BenchResults, 'figures'> = readResults()): string {
  const series = seriesOf(figures)
  const sizes = series[0]?.points.map(({ files }) => files) ?? []
  if (sizes.length === 0) return NOT_MEASURED
  const rows = series.map(({ name, points }) => [name, ...points.map(({ value }) => ms(value))])
  const head = ['Work', ...sizes.map((files) => `${files.toLocaleString('en-US')} files`)]
  return `![Milliseconds by the number of files, for each kind of work in the table](scale.svg)\n\n${table(head, rows)}`
}

/** The picture, or null if no run has measured it. */
export function scaleCurve(
  { figures }: Pick<BenchResults, 'figures'> = readResults(),
): string | null {
  const series = seriesOf(figures)
  return series.length === 0
    ? null
    : drawCurves('Time of one call by size of the workspace', series)
}

/** The name of a curve is its work without the largest size. */
function seriesOf(figures: BenchResults['figures']) {
  return figures.flatMap(({ cells, curve, unit }) =>
    curve && unit === 'ms'
      ? [{ name: (cells[0] ?? '').replace(/, [\d,]+ files$/, ''), points: curve }]
      : [],
  )
}

const ms = (value: number) => `${value.toFixed(value < 100 ? 2 : 0)} ms`
