/**
 * Puts into the README what stands elsewhere: the measured figures, the limits, and an example that
 * the tests run, each between its marks, such as `<!-- bench:start -->`. Nobody types them by hand.
 * With `--check` it changes nothing and fails when the README says something else.
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

/** The program that the README shows is one that the tests run. */
function exampleSection(): string {
  return `\`\`\`ts\n${readFileSync(inProject('examples/first-steps.ts'), 'utf8').trim()}\n\`\`\``
}

const LIMIT =
  /\/\*\*\s*(?<text>(?:(?!\*\/)[^])*?)\s*\*\/\nexport const (?<name>\w+) = (?<value>.+)/g

/** Every limit is a constant with a sentence, and the table is those sentences. */
function limitsSection(): string {
  const text = readFileSync(inProject('worker/limits.ts'), 'utf8')
  const cells = [...text.matchAll(LIMIT)].map(({ groups = {} }) => [
    (groups['text'] ?? '').replace(/\s*\n \*\s*/g, ' ').split(/(?<=\.) /)[0] ?? '',
    (groups['value'] ?? '').replaceAll('_', ',').replace(/ \* ([KMG])IB/, ' $1iB'),
    `\`${groups['name']}\``,
  ])
  return table(['Limit', '', 'Constant'], cells)
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
const sections = {
  example: exampleSection,
  limits: limitsSection,
  sizes: sizesSection,
  bench: benchSection,
}
const filled = Object.entries(sections).reduce(
  (text, [section, content]) => replaceSection(text, section, content()),
  old,
)
const current = await formatted(file, filled)
if (!process.argv.includes('--check')) writeFileSync(file, current)
else if (current !== old) {
  console.error('README.md does not show what is measured: run npm run readme')
  process.exitCode = 1
}
