/**
 * Writes the generated sections of the documentation, each between marks such as `<!-- bench:start -->`: measured
 * figures, sizes, limits, and an example that the tests run. With `--check` it changes no file and fails where a
 * page is not up to date.
 *
 * @module
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import * as limits from '../worker/limits.ts'
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
    rounded(size.raw),
    rounded(size.gzip),
    `${kilobytes(size.limit)} ${size.of}`,
  ])
  return table(['What', 'Raw', 'Gzip', 'Limit'], cells)
}

/** Rounded, so that a page is up to date for longer than one change. */
const rounded = (bytes: number) => `${Math.round(bytes / 1000)} kB`

/** The program that the README shows is run by `test/examples.test.ts`. */
function exampleSection(): string {
  return `\`\`\`ts\n${readFileSync(inProject('examples/first-steps.ts'), 'utf8').trim()}\n\`\`\``
}

const LIMIT = /\/\*\*\s*(?<text>(?:(?!\*\/)[^])*?)\s*\*\/\nexport const (?<name>\w+) =/g

/** Every limit is a constant with a docstring; the table has the first sentence of each. */
function limitsSection(): string {
  const values = new Map<string, number>(Object.entries(limits))
  const text = readFileSync(inProject('worker/limits.ts'), 'utf8')
  const cells = [...text.matchAll(LIMIT)].map(({ groups = {} }) => {
    const { text: comment = '', name = '' } = groups
    const sentence = comment
      .replace(/^\* /, '')
      .replace(/\s*\n \*\s*/g, ' ')
      .split(/(?<=\.) /)[0]
    return [sentence ?? '', inUnits(name, values.get(name) ?? 0), `\`${name}\``]
  })
  return table(['Limit', 'Value', 'Constant'], cells)
}

const BYTES = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
] as const

/** The unit of a limit is part of its name. */
function inUnits(name: string, value: number): string {
  const count = (number: number) => number.toLocaleString('en')
  const [unit, size] = BYTES.find(([, one]) => name.includes('BYTES') && value % one === 0) ?? []
  if (size !== undefined) return `${count(value / size)} ${unit}`
  if (name.endsWith('_MS')) return `${count(value / 1000)} s`
  return name.endsWith('_SECONDS') ? `${count(value)} s` : count(value)
}

/** Replaces what is between the marks of a section. */
function replaceSection(text: string, section: string, content: string): string {
  const [start, end] = [`<!-- ${section}:start -->`, `<!-- ${section}:end -->`]
  const [before, rest] = halves(text, start)
  const [, after] = halves(rest, end)
  return `${before}${start}\n\n${content}\n\n${end}${after}`
}

function halves(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  if (at === -1) throw new Error(`Cannot find ${mark}`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}

type Section = () => string

/** The generated sections of each page. */
const PAGES: Readonly<Record<string, Readonly<Record<string, Section>>>> = {
  'README.md': { example: exampleSection },
  'docs/limits.md': { limits: limitsSection },
  'docs/performance.md': { sizes: sizesSection, bench: benchSection },
}

async function update(page: string, sections: Readonly<Record<string, Section>>): Promise<boolean> {
  const file = inProject(page)
  const old = readFileSync(file, 'utf8')
  const filled = Object.entries(sections).reduce(
    (text, [section, content]) => replaceSection(text, section, content()),
    old,
  )
  const current = await formatted(file, filled)
  if (current === old) return true
  if (!process.argv.includes('--check')) writeFileSync(file, current)
  return false
}

for (const [page, sections] of Object.entries(PAGES)) {
  const isCurrent = await update(page, sections)
  if (isCurrent || !process.argv.includes('--check')) continue
  console.error(`${page} is not up to date: run npm run docs`)
  process.exitCode = 1
}
