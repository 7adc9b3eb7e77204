/**
 * Writes the generated sections of the documentation, each between marks such as `<!-- bench:start -->`: measured
 * figures, sizes, limits, error codes, tools, and an example that the tests run. With `--check` it changes no file and fails where a
 * page is not up to date.
 *
 * @module
 */

import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { OWNER_ACTS } from '../core/owner/acts.ts'
import { benchSection, CURVE_FILE, scaleCurve, scaleSection } from './bench-sections.ts'
import { codesSection, configurationExample, fieldsSection, rootsSection } from './configuration.ts'
import { formatAs, table } from './markdown.ts'
import { hintsSection } from './hints-section.ts'
import { ERROR_SECTIONS, toolsSection } from './reference.ts'
import { readRowSentences } from './row-sentences.ts'
import { refuseArguments } from './command-line.ts'
import { runScript } from './errors.ts'
import { inProject } from './settings.ts'
import { kilobytes, readSizes } from './sizes.ts'
import { costSection, peerCostSection } from './cost-sections.ts'
import { updateDeclarations } from './declarations.ts'
import { programsSection } from './program-sections.ts'
import { proposalsSection } from './proposals/index.ts'
import { PACKAGE_PAGES } from './package-pages.ts'

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

/** `test/examples.test.ts` runs the program that the page shows. */
function exampleSection(): string {
  return `\`\`\`ts\n${readFileSync(inProject('examples/first-steps.ts'), 'utf8').trim()}\n\`\`\``
}

const LIMIT = /\/\*\*\s*(?<text>(?:(?!\*\/)[^])*?)\s*\*\/\nexport const (?<name>\w+) =/g

/** The rooms' own limits follow those of the whole Worker. */
const LIMIT_FILES = [
  'worker/limits.ts',
  'core/owner/limits.ts',
  ...globSync('worker/*/**/limits.ts', { cwd: inProject('.') }),
]

/** The acts of the owner, in the order of their list. */
function actsSection(): string {
  const rows = Object.entries(OWNER_ACTS).map(([name, { method, path, from }]) => [
    `\`${method} ${path}\``,
    `\`${name}\``,
    from === 'console' ? 'the console' : '',
  ])
  return table(['Request', 'Act', 'Only from'], rows)
}

/** Every limit is a constant with a docstring; the table has the first sentence of each. */
async function limitsSection(): Promise<string> {
  const rows = await Promise.all(LIMIT_FILES.toSorted(byDepth).map(limitRows))
  return table(['Limit', 'Value', 'Constant'], rows.flat())
}

const byDepth = (a: string, b: string) =>
  a.split('/').length - b.split('/').length || (a < b ? -1 : 1)

async function limitRows(file: string): Promise<string[][]> {
  const module: unknown = await import(/* @vite-ignore */ `../${file}`)
  const values = new Map(
    Object.entries(z.record(z.string(), z.unknown()).parse({ ...Object(module) })),
  )
  const text = readFileSync(inProject(file), 'utf8')
  return [...text.matchAll(LIMIT)].flatMap(({ groups = {} }) => {
    const { text: comment = '', name = '' } = groups
    const value = values.get(name)
    if (typeof value !== 'number') return []
    const sentence = comment
      .replace(/^\* /, '')
      .replace(/\s*\n \*\s*/g, ' ')
      .split(/(?<=\.) /)[0]
    return [[sentence ?? '', inUnits(name, value), `\`${name}\``]]
  })
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

type Section = () => string | Promise<string>

/** The generated sections of each page. */
const PAGES: Readonly<Record<string, Readonly<Record<string, Section>>>> = {
  'docs/configuration.md': {
    fields: fieldsSection,
    roots: rootsSection,
    example: configurationExample,
    codes: codesSection,
  },
  'docs/connect.md': { programs: programsSection },
  'docs/errors.md': ERROR_SECTIONS,
  'docs/examples.md': { example: exampleSection },
  'docs/directories.md': { hints: hintsSection },
  'docs/http.md': { acts: actsSection },
  'docs/limits.md': { limits: limitsSection },
  'docs/performance.md': {
    sizes: sizesSection,
    bench: async () => benchSection(await readRowSentences()),
    scale: () => scaleSection(),
    cost: () => costSection(),
    'cost-of-peers': () => peerCostSection(),
  },
  'docs/proposals.md': { proposals: proposalsSection },
  'docs/tools.md': { tools: toolsSection },
  ...PACKAGE_PAGES,
}

async function update(page: string, sections: Readonly<Record<string, Section>>): Promise<boolean> {
  const file = inProject(page)
  const old = readFileSync(file, 'utf8')
  let filled = old
  for (const [section, content] of Object.entries(sections))
    filled = replaceSection(filled, section, await content())
  const current = await formatAs(file, filled)
  if (current === old) return true
  if (!isCheck) writeFileSync(file, current)
  return false
}

/** Writes the picture of the sizes, or deletes it when no run has measured them. */
function updateCurve(): boolean {
  const file = inProject(CURVE_FILE)
  const old = existsSync(file) ? readFileSync(file, 'utf8') : null
  const current = scaleCurve()
  if (current === old) return true
  if (isCheck) return false
  if (current === null) rmSync(file)
  else writeFileSync(file, current)
  return false
}

function complain(page: string): void {
  if (!isCheck) return
  console.error(`${page} is not up to date: run npm run docs`)
  process.exitCode = 1
}

const OPTIONS = { check: { type: 'boolean', default: false } } as const

let isCheck = false

/** What the command line asks for. */
export async function run(): Promise<void> {
  isCheck = refuseArguments(
    'run docs',
    OPTIONS,
    'Use npm run docs, with -- --check to write no file',
  ).check
  // Before the pages, whose tables are made from the types.
  await updateDeclarations()
  for (const [page, sections] of Object.entries(PAGES)) {
    if (!(await update(page, sections))) complain(page)
  }
  if (!updateCurve()) complain(CURVE_FILE)
}

if (import.meta.main) await runScript(run)
