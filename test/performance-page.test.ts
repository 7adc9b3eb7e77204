/** The generated parts of `docs/performance.md`: the curve, and pages of runs that measured more or less. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TOOL_COSTS } from '../scripts/tool-facts.ts'
import { formatRun, readResults } from '../scripts/bench-results.ts'
import { benchSection, scaleCurve, scaleSection } from '../scripts/bench-sections.ts'
import { costSection, peerCostSection } from '../scripts/cost-sections.ts'
import { drawCurves, type Series } from '../scripts/curve.ts'
import { judge, type Figure } from '../scripts/figure.ts'
import { readRowSentences } from '../scripts/row-sentences.ts'

const SIZES = [1_000, 10_000, 100_000, 1_000_000]

const series = (name: string, values: readonly number[]): Series => ({
  name,
  points: values.map((value, index) => ({ files: SIZES[index] ?? 0, value })),
})

const flat = Array.from({ length: 12 }, (_, index) =>
  series(`flat ${index}`, [1, 1, 1, 1 + index / 100]),
)
const growing = series('find <everywhere> & "rare"', [0.7, 7, 70, 700])
const svg = drawCurves('Time', [...flat, growing])

const all = (pattern: RegExp) => [...svg.matchAll(pattern)].map(([, text = '']) => text)

/** Contrast of two colors (WCAG 2, section 1.4.3). */
function contrastOf(...colors: readonly [string, string]): number {
  const [dark = 0, light = 0] = colors.map(luminanceOf).toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** A figure of a row, as a run has it. */
const figure = (row: string, more: Partial<Figure>) =>
  judge<Figure & { row: string }>({
    ...{ row, work: 'work', unit: 'ms', edgewise: 2, baseline: { name: 'baseline', value: 1 } },
    ...more,
  })

const figureOf = ({ name, points }: Series) =>
  figure('scale-x', { work: `${name}, 1,000,000 files`, curve: points })

describe('the curve', () => {
  it('has one line for each kind of work, and the same text each time', () => {
    expect(all(/<polyline[^>]* points="([^"]*)"/g)).toHaveLength(13)
    expect(drawCurves('Time', [...flat, growing])).toBe(svg)
  })

  it('rises where the time grows, by the same amount for each power of ten', () => {
    const heights = (all(/<polyline[^>]* points="([^"]*)"/g).at(-1) ?? '')
      .split(' ')
      .map((point) => Number(point.split(',')[1]))
    const steps = heights.slice(1).map((height, index) => (heights[index] ?? 0) - height)
    expect(steps.every((step) => step > 50 && Math.abs(step - (steps[0] ?? 0)) < 0.2)).toBe(true)
  })

  it('keeps names apart, inside of the picture, and escaped', () => {
    const names = all(/<text x="564" y="([\d.]+)"/g)
      .map(Number)
      .toSorted((a, b) => a - b)
    expect(names).toHaveLength(13)
    const gaps = names.slice(1).map((at, index) => at - (names[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThan(16.8)
    expect(Math.min(...names)).toBeGreaterThan(20)
    expect(Math.max(...names)).toBeLessThan(540)
    expect(svg).toContain('find &lt;everywhere> &amp; &quot;rare&quot;')
  })

  it('is legible in both color schemes', () => {
    const grounds = all(/\.ground { fill: (#\w{6}) }/g)
    const texts = all(/\btext { fill: (#\w{6})/g)
    const lines = new Set(all(/ stroke="(#\w{6})"/g))
    expect([grounds.length, texts.length, lines.size]).toEqual([2, 2, 7])
    for (const [index, ground] of grounds.entries()) {
      expect(contrastOf(texts[index] ?? '', ground)).toBeGreaterThan(7)
      // Also the thin lines that lead to the names, which therefore are not transparent.
      for (const line of lines) expect(contrastOf(line, ground), line).toBeGreaterThan(3)
    }
    expect(svg).not.toContain('opacity')
  })

  it('labels both axes in powers of ten', () => {
    const ticks = all(/text-anchor="(?:end|middle)">([\d,.]+)</g)
    expect(ticks).toEqual(expect.arrayContaining(['0.1', '1', '1,000', '10,000', '1,000,000']))
    expect(svg).toContain('>milliseconds<')
    expect(svg).toContain('>files in the workspace<')
  })
})

describe('the page', () => {
  it('shows the curve and its points where a run has them', () => {
    const section = scaleSection({ figures: [figureOf(growing)] })
    expect(section).toContain('](scale.svg)')
    expect(section).toContain('| 1,000,000 files |')
    expect(section).toContain('| 0.70 ms')
    expect(scaleCurve({ figures: [figureOf(growing)] })).toContain('<svg')
  })

  it('has no curve where a run has none', () => {
    expect(scaleSection({ figures: [] })).toBe('The last run did not measure this.')
    expect(scaleCurve({ figures: [] })).toBeNull()
  })

  it('prices every counted call, with the CPU time of a run that has it', () => {
    const rows = costSection({ figures: [] }).split('\n').slice(2, -2)
    expect(rows).toHaveLength(Object.keys(TOOL_COSTS).length)
    expect(rows.find((row) => row.startsWith('| read_file '))).toMatch(/\|\s+\| \$0\.45 +\|$/)

    const cost = { call: 'read_file', cpuMs: 100 }
    const measured = costSection({ figures: [figure('cost-x', { cost })] })
    // 100 ms add 2 dollars for the Worker and 0.16 for the object.
    expect(measured).toMatch(/\| read_file +\|.*\| 100\.00 ms \| \$2\.61 +\|/)
  })

  it('shows what a peer uses and pays beside ours, and not in place of ours', () => {
    const usage = { requests: 1, rowsRead: 3, rowsWritten: 2.5, classA: 0, classB: 0 }
    const peer = { title: 'peer 1.0', usage }
    const costs = [{ cpuMs: 0 }, { cpuMs: 1, peer }].map((cost) => ({ call: 'read_file', ...cost }))
    const figures = costs.map((cost) => figure('cost-x', { cost }))
    const rows = peerCostSection({ figures }).split('\n').slice(2)
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatch(/^\| read_file \| Edgewise +\| 1 /)
    // 0.45 for the requests, 0.003 and 2.50 for the rows, 0.02 for the Worker.
    expect(rows[1]).toMatch(/peer 1\.0 +\| 1 +\| 3 +\| 2\.5 .*\| 1\.00 ms \| \$2\.97/)
    expect(costSection({ figures })).toMatch(/\| read_file +\|.*\| 0\.00 ms +\| \$0\.45 +\|/)
    expect(peerCostSection({ figures: [] })).toBe('The last run did not measure this.')
  })
})

const sentences = await readRowSentences()

describe('the sentences about the rows', () => {
  it('say of each row with a goal what limits it', () => {
    const goals = sentences.filter(({ goal }) => goal !== 'reported')
    expect(goals.filter(({ limit }) => limit === undefined).map(({ name }) => name)).toEqual([])
  })

  it('say of each row that missed a goal what was tried', () => {
    const missed = new Set(
      readResults().figures.flatMap(({ row, verdict }) => (verdict === 'missed' ? [row] : [])),
    )
    const unsaid = sentences.filter(({ name, tried }) => missed.has(name) && tried === undefined)
    expect(unsaid.map(({ name }) => name)).toEqual([])
  })

  it('are whole sentences of one line', () => {
    for (const text of sentences.flatMap(({ limit = [], tried = [] }) => [limit, tried].flat()))
      expect(text).toMatch(/^[A-Z][^\n]*\.$/)
  })

  it('are on the page, once for all figures that share one', () => {
    const page = benchSection(
      [
        { name: 'a', goal: '', limit: 'The call.', tried: 'A cache, which did not help.' },
        { name: 'b', goal: '', limit: 'The call.' },
      ],
      {
        ...{ date: '2026-01-01T00:00:00.000Z', machine: { summary: 'one core' } },
        figures: [
          figure('a', { work: 'read', goal: { ratioAtMost: 1 } }),
          figure('b', { work: 'list', goal: { ratioAtMost: 3 } }),
        ],
        failures: [{ row: 'c', error: 'Error: reason' }],
      },
    )
    expect(page).toContain('- **read; list**: The call.')
    expect(page.split('Missed goals')[1]).toContain(
      '- **read**, beside baseline: 1.00 ms (2.00 ×, goal at most 1 ×): A cache, which did not help.',
    )
    expect(page.split('Missed goals')[1]).not.toContain('list')
    expect(page).toContain('- `c`: Error: reason')
  })
})

describe('the file of results', () => {
  it('is as it is written, with one raw figure a line', () => {
    const text = readFileSync('bench/results.json', 'utf8')
    expect(formatRun(JSON.parse(text))).toBe(text)
    expect(text.match(/^ {4}\{"row":[^\n]*"edgewise":/gm)).toHaveLength(
      readResults().figures.length,
    )
  })

  it('leaves out what follows from its figures', () => {
    const run = { date: '', machine: { summary: '' }, failures: [], seconds: [] }
    const text = formatRun({ ...run, figures: [figure('a', { goal: { ratioAtMost: 1 } })] })
    expect(text).not.toMatch(/ratio"|verdict|cells/)
  })
})
