/**
 * The paths that the documentation and the headers of modules name: each has to exist. And the names of tools in
 * examples.
 *
 * @module
 */

import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const PAGES = globSync([
  '*.md',
  'docs/**/*.md',
  '{core,worker,host,polyfill,views}/**/*.md',
  'packages/*/README.md',
])

const MODULES = globSync(
  '{core,worker,host,polyfill,views,scripts,bench,examples,packages,test}/**/*.{ts,tsx}',
  { exclude: (path) => path.includes('node_modules') },
)

/** A path from the top of the repository in backticks; `*` and `{a,b}` name several files. */
const PATH =
  /`((?:core|worker|host|polyfill|views|scripts|bench|examples|packages|test|docs)\/[\w./*{},-]*)`/g

/** A module by the end of its path. */
const NAME = /`(\w[\w./-]*\.tsx?)`/g

/** The target of a link inside the repository. */
const LINK = /\]\((?!\w+:|#)([^)#\s]+)(?:#[^)]*)?\)/g

/** The name of a tool that a page or an example defines or calls. */
const TOOL_NAME =
  /(?:toolname=|(?:registerTool|callTool)\(\s*(?:\{\s*name:\s*)?|tools\/call[^\n]*"name": ?)['"`]([^'"`]*)/g

/** The comment that opens a module. */
const HEADER = /^(?:#!.*\n)?\/\*\*(?:(?!\*\/)[^])*\*\//

const read = (file: string) => readFileSync(file, 'utf8')

const exists = (path: string) => globSync(path).length > 0

const listMatches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, match]) => match ?? '')

function listMissing(file: string, text: string): string[] {
  const paths = listMatches(text, PATH).filter((path) => !exists(path))
  const names = listMatches(text, NAME).filter((name) => !isEnd(name))
  return [...paths, ...names].map((path) => `${file}: ${path}`)
}

/** Whether some module has a path that ends with this name. */
const isEnd = (name: string) =>
  [...MODULES, 'vitest.config.ts'].some((file) => `/${file}`.endsWith(`/${name}`))

describe('a page', () => {
  it('names only paths that exist', () => {
    expect(PAGES).toContain('docs/security.md')
    expect(PAGES.flatMap((page) => listMissing(page, read(page)))).toEqual([])
  })

  it('of docs/ is on the map', () => {
    const linked = new Set(listMatches(read('docs/README.md'), LINK))
    const pages = globSync('docs/*.md').map((page) => page.slice('docs/'.length))
    expect(pages.filter((page) => page !== 'README.md' && !linked.has(page))).toEqual([])
  })

  it('links only to files that exist', () => {
    const missing = PAGES.flatMap((page) =>
      listMatches(read(page), LINK)
        .filter((link) => !exists(join(dirname(page), link)))
        .map((link) => `${page}: ${link}`),
    )
    expect(missing).toEqual([])
  })
})

it('the header of a module names only paths that exist', () => {
  expect(MODULES.length).toBeGreaterThan(500)
  const missing = MODULES.flatMap((file) => listMissing(file, HEADER.exec(read(file))?.[0] ?? ''))
  expect(missing).toEqual([])
})

it('no example has the name of a tool that APIs of models refuse', () => {
  const examples = globSync('examples/**/*.{ts,html,js,mjs}', {
    exclude: (path) => path.includes('node_modules'),
  })
  const names = [...PAGES, ...examples].flatMap((file) => listMatches(read(file), TOOL_NAME))
  expect(names).toContain('book_table')
  expect(names.filter((name) => !/^[\w-]{1,64}$/.test(name))).toEqual([])
})

it('each promise of security.md names a test', () => {
  const [promised = ''] = read('docs/security.md').split('\n## Not promised')
  const rows = promised
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:Promise|-)/.test(line))
  expect(rows.length).toBeGreaterThan(50)
  expect(rows.filter((row) => !/`test\/[^`]+\.test\.tsx?`[^|]*\|$/.test(row))).toEqual([])
})
