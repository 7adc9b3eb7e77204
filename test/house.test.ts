/**
 * The house rules that can be counted: documentation, words, folders, crumbs, cycles and lengths.
 *
 * @module
 */

import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listFunctions, listUndocumented } from './support/house/functions.ts'
import {
  countImporters,
  importCycles,
  importGraph,
  namesUsedElsewhere,
} from './support/house/imports.ts'
import { linesBetween, readSources, ROOMS } from './support/house/source.ts'
import { findDialect } from './support/house/words.ts'

/** A function above this number of lines needs a reason. */
const MAX_FUNCTION_LINES = 60

/** Functions that may be longer, with the reason. At most ten. */
const LONG_FUNCTIONS: Readonly<Record<string, string>> = {
  'host/view/lifecycle.ts createLifecycle':
    'a closure minifies smaller, and mcp-view.js is at its limit',
  'host/view/view.ts createView': 'a closure minifies smaller, and mcp-view.js is at its limit',
}

/** A file below this number of lines with one importer belongs to its importer. */
const MIN_FILE_LINES = 25

/** Files that are built into a script of their own, or that the build replaces by what they write. */
const ENTRIES = new Set([
  'host/mcp-view.ts',
  'polyfill/approval/ui/index.ts',
  'worker/mcp/static-results.ts',
])

/** Names of folders that say what kind of files they hold, and not what for. */
const KINDS = new Set(
  'common components constants helpers hooks misc models pages parts services shared state styles types utils'.split(
    ' ',
  ),
)

/** Files whose words are not checked: measurements, and the list of words itself. */
const NOT_CHECKED = new Set(['bench/results.json', 'test/support/house/words.ts'])

const sources = readSources(ROOMS)
const imports = importGraph(sources)

describe('the rooms of the product', () => {
  it('document every export that leaves its folder', () => {
    // The facts of a tool are explained by their type, and by the first line of their file.
    const documented = sources.filter(({ file }) => !file.endsWith('.facts.ts'))
    const used = namesUsedElsewhere(sources)
    const found = documented.flatMap((source) => listUndocumented(source, used.get(source.file)))
    expect(found).toEqual([])
  })

  it('have no folder for a kind of file', () => {
    const folders = new Set(sources.flatMap(({ file }) => dirname(file).split('/')))
    expect([...folders].filter((folder) => KINDS.has(folder))).toEqual([])
  })

  it('have no small file with one importer', () => {
    const importers = countImporters(imports)
    const crumbs = sources.filter(
      ({ file, text }) =>
        !ENTRIES.has(file) &&
        linesBetween(text, 0, text.length) <= MIN_FILE_LINES &&
        importers.get(file) === 1,
    )
    const advice = 'Too small for a file with one importer: move it into that importer'
    expect(
      crumbs.map(({ file }) => file),
      advice,
    ).toEqual([])
  })

  it('have no cycle of imports above three files, types included', () => {
    expect(importCycles(imports).filter(({ length }) => length > 3)).toEqual([])
  })

  it('keep functions short, except for a few with a reason', () => {
    const long = sources.flatMap(listFunctions).filter(({ lines }) => lines > MAX_FUNCTION_LINES)
    expect(long.map(({ name }) => name).toSorted()).toEqual(Object.keys(LONG_FUNCTIONS).toSorted())
    expect(long.length).toBeLessThanOrEqual(10)
  })

  it('name every limit MAX_', () => {
    const names = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/\b(?:MOST|LONGEST|DEEPEST|LARGEST|FARTHEST|REMEMBERED)_?[A-Z_]*\b/g)].map(
        ([name]) => `${file} ${name}`,
      ),
    )
    expect(names).toEqual([])
  })
})

it.each([
  ['the product', ROOMS.map((room) => `${room}/**/*.{ts,tsx,css,html,md}`)],
  ['scripts, benchmarks and examples', ['{scripts,bench,examples}/**/*.{ts,md,json}']],
  ['the documentation', ['*.md', 'docs/**/*.md']],
  ['the tests', ['test/**/*.{ts,tsx,js,css,html,json,md,yml}']],
])('%s: uses the words of the field', (_, patterns) => {
  const files = patterns.flatMap((pattern) =>
    globSync(pattern, { exclude: ['**/node_modules/**'] }),
  )
  expect(files.length).toBeGreaterThan(3)
  const found = files
    .filter((file) => !NOT_CHECKED.has(file))
    .flatMap((file) => findDialect(readFileSync(file, 'utf8')).map((hit) => `${file}:${hit}`))
  expect(found, 'test/support/house/words.ts lists the words that are not used').toEqual([])
})
