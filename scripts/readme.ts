/**
 * Puts the measured figures into the README, between `<!-- bench:start -->` and
 * `<!-- bench:end -->` and the same for `sizes`. Nobody types a figure by hand. With `--check` it
 * changes nothing and fails when the README does not say what was measured.
 *
 * @module
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { formatted } from './formatted.ts'
import { table } from './markdown.ts'
import { inProject } from './settings.ts'
import { kilobytes, readSizes } from './sizes.ts'

const results = z.object({
  date: z.string(),
  machine: z.object({ summary: z.string() }),
  head: z.array(z.string()),
  figures: z.array(z.object({ cells: z.array(z.string()) })),
})

function benchSection(): string {
  const file = inProject('bench/results.json')
  const { date, machine, head, figures } = results.parse(JSON.parse(readFileSync(file, 'utf8')))
  const cells = figures.map((figure) => figure.cells)
  return `${table(head, cells)}\n\nMeasured on ${date.slice(0, 10)} on ${machine.summary}.`
}

function sizesSection(): string {
  const cells = readSizes().map((size) => [
    size.name,
    kilobytes(size.raw),
    kilobytes(size.gzip),
    `${kilobytes(size.limit)} ${size.of}`,
  ])
  return table(['What', 'Raw', 'Gzip', 'Limit'], cells)
}

/** The text with what stands between the marks of a section replaced. */
function replaceSection(text: string, section: string, content: string): string {
  const [start, end] = [`<!-- ${section}:start -->`, `<!-- ${section}:end -->`]
  const [before, rest] = halves(text, start)
  const [, after] = halves(rest, end)
  return `${before}${start}\n\n${content}\n\n${end}${after}`
}

function halves(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  if (at === -1) throw new Error(`Cannot find ${mark} in README.md`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}

const file = inProject('README.md')
const old = readFileSync(file, 'utf8')
const withBench = replaceSection(old, 'bench', benchSection())
const current = await formatted(file, replaceSection(withBench, 'sizes', sizesSection()))
if (!process.argv.includes('--check')) writeFileSync(file, current)
else if (current !== old) {
  console.error('README.md does not show the measured figures: run npm run readme')
  process.exitCode = 1
}
