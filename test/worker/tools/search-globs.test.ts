/** Globs of `search_files` and `find_files`: hidden names, brackets in names, and syntax of other programs. */

import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'

const FILES = [
  'src/.env',
  'src/.env.local',
  'src/a.ts',
  'src/deep/b.tsx',
  'README.md',
  'a(1).txt',
  '.env',
  '.github/workflows/ci.yml',
  '.github/.cache/x.yml',
  'app/[slug]/page.tsx',
  'app/[...rest]/page.tsx',
  'app/s/page.tsx',
]

async function workspaceOf(files: readonly string[] = FILES) {
  const workspace = freshWorkspace()
  for (const file of files) await workspace.put(`/${file}`, 'needle')
  async function find(args: Record<string, unknown>) {
    const { result } = await workspace.call('find_files', args)
    const { matches, note, hidden } = result?.structuredContent ?? {}
    return { matches, note, hidden, text: result?.content[0]?.text ?? '' }
  }
  async function search(args: Record<string, unknown>) {
    const { result } = await workspace.call('search_files', { pattern: 'needle', ...args })
    const { files: found, note } = result?.structuredContent ?? {}
    const paths = Array.isArray(found) ? found.map((file: { path: string }) => file.path) : []
    return { paths, note, text: result?.content[0]?.text ?? '' }
  }
  return { find, search }
}

it.each([
  ['.env*', ['.env', 'src/.env', 'src/.env.local']],
  ['**/.env', ['.env', 'src/.env']],
  ['.github/**', ['.github/workflows/ci.yml']],
  ['./.env', ['.env']],
  ['src/.*', ['src/.env', 'src/.env.local']],
  ['{.env,*.md}', ['.env', 'README.md', 'src/.env']],
  ['app/[slug]/*', ['app/[slug]/page.tsx', 'app/s/page.tsx']],
  ['app/[[]*/page.tsx', ['app/[...rest]/page.tsx', 'app/[slug]/page.tsx']],
  ['app/[...rest]/**', ['app/[...rest]/page.tsx', 'app/s/page.tsx']],
  ['./src/*.ts', ['src/a.ts']],
  ['/src/**/*.{ts,tsx}', ['src/a.ts', 'src/deep/b.tsx']],
  ['*(1).txt', ['a(1).txt']],
])('the glob %s finds %j, as a name and as a scope', async (glob, paths) => {
  const { find, search } = await workspaceOf()
  expect((await find({ pattern: glob, glob: true, type: 'file' })).matches).toEqual(paths)
  expect((await search({ glob: [glob] })).paths).toEqual(paths)
})

it.each([
  ['!(*.ts)', 'exclude'],
  ['+(a|b).ts', '{a,b}'],
  ['@(a|b).ts', '{a,b}'],
  ['?(a|b).ts', '{a,b}'],
  ['*.ts,*.md', 'one glob'],
  ['*.ts, *.md', 'one glob'],
  ['*.ts *.md', 'one glob'],
  ['*.ts|*.md', 'one glob'],
  ['src\\a.ts', 'use / between folders'],
  ['src/**.tsx', 'whole segment'],
  ['[Rr]ead[Mm]e.txt', 'brackets are a class'],
])('the glob %s says what to send instead: %s', async (glob, advice) => {
  const { find, search } = await workspaceOf()
  const found = await find({ pattern: glob, glob: true })
  expect(found).toMatchObject({ matches: [], note: expect.stringContaining(advice) })
  expect(found.text).toContain(advice)
  const searched = await search({ glob: [glob] })
  // A leading ! excludes there, and nothing has the rest of the name.
  if (!glob.startsWith('!')) expect(searched.text).toMatch(/^No matches in what was searched\n/)
  expect(searched.note).toContain(advice)
})

it('a glob that excludes is one of search_files, and the argument exclude of find_files', async () => {
  const { find, search } = await workspaceOf()
  expect((await find({ pattern: '!*.md', glob: true })).note).toContain('use exclude')
  const { paths } = await search({ glob: ['!*.md', '!app/[slug]/**', '!src'] })
  expect(paths).toEqual(['a(1).txt', 'app/[...rest]/page.tsx'])
})

it.each([
  [
    ['*.log', '!keep.log'],
    ['a.txt', 'out/keep.log', 'src/!b.ts', 'src/keep.log'],
  ],
  [
    ['!keep.log', '*.log'],
    ['a.txt', 'src/!b.ts'],
  ],
  [
    ['src/*', '!src/*.log', 'src/x.log'],
    ['a.txt', 'out/keep.log', 'src/keep.log'],
  ],
  [
    ['out/', '!out/keep.log', '*.ts', 'x.log'],
    ['a.txt', 'src/keep.log'],
  ],
  [['\\!b.ts', '*.log '], ['a.txt']],
])('the exclusions %j leave %j, as in .gitignore', async (exclude, left) => {
  const files = ['a.txt', 'out/keep.log', 'src/!b.ts', 'src/keep.log', 'src/x.log']
  const { find, search } = await workspaceOf(files)
  expect((await find({ type: 'file', exclude })).matches).toEqual(left)
  const glob = exclude.map((one) => `!${one}`)
  expect((await search({ glob })).paths).toEqual(left)
})

it.each(['*.ts ', ' *.ts', '\t*.ts\n', 'src/*.ts  '])(
  'blanks around the glob %j are not part of it',
  async (glob) => {
    const { find, search } = await workspaceOf(['src/a.ts', 'b.md'])
    expect((await find({ pattern: glob, glob: true })).matches).toEqual(['src/a.ts'])
    expect((await search({ glob: [glob] })).paths).toEqual(['src/a.ts'])
  },
)

it('a blank after a backslash is part of the name', async () => {
  const { find } = await workspaceOf(['a b%20', 'a b'])
  expect((await find({ pattern: 'a b\\ ', glob: true })).matches).toEqual(['a b '])
})

it.each([['src'], ['src/'], ['app/s']])('the glob %s of a folder says so', async (glob) => {
  const { search } = await workspaceOf()
  expect((await search({ glob: [glob] })).note).toContain('is a folder')
})

it.each([
  [['*.TS'], 'no file in scope matches "*.TS"'],
  [['**/lib'], 'no file in scope matches "**/lib"'],
  [['**/src/'], '"**/src/" is for folders: put ** behind it'],
  [['src/*/'], '"src/*/" is for folders: put ** behind it'],
  [['!*.ts', 'src/a.ts'], 'no file in scope matches "src/a.ts"'],
])('the globs %j, with which nothing is searched, say so', async (glob, advice) => {
  const { search } = await workspaceOf()
  const { text, note } = await search({ glob })
  expect(text).toMatch(/^No matches in what was searched\n/)
  expect(note).toContain(advice)
})

it('a glob of files without a match has no note', async () => {
  const { search } = await workspaceOf()
  expect((await search({ pattern: 'other', glob: ['*.ts', 'src/*.ts'] })).text).toBe('No matches')
})

it('a glob says nothing of files that the caller may not see', async () => {
  const { call, put } = freshWorkspace()
  await put('/open/a.md', 'x')
  await put('/secret/b.ts', 'x')
  const policy = { roots: [{ path: '/', deny: ['secret/**'] }] }
  const { result } = await call('search_files', { pattern: 'y', glob: ['*.ts'] }, { policy })
  expect(result?.structuredContent['note']).toBe('no file in scope matches "*.ts"')
})

it('a glob that begins with the root says that it is relative', async () => {
  const { find, search } = await workspaceOf()
  expect((await search({ root: 'src', glob: ['src/*.ts'] })).note).toContain('relative to root')
  const args = { root: '/src', pattern: '/src/*.ts', glob: true }
  expect((await find(args)).note).toContain('relative to root')
})

it.each([
  ['\\\\.env', 3],
  ['^\\\\.', 3],
  ['ci\\\\.yml', 1],
])('the expression %s counts hidden names', async (pattern, hidden) => {
  const { find } = await workspaceOf()
  const found = await find({ pattern: pattern.replaceAll('\\\\', '\\'), type: 'file' })
  expect(found).toMatchObject({
    matches: [],
    hidden,
    note: `${hidden} hidden left out, set hidden`,
  })
  const all = await find({ pattern: pattern.replaceAll('\\\\', '\\'), type: 'file', hidden: true })
  expect(all.matches).toHaveLength(hidden)
})

it('an expression that can match no name says why, and a path that exists is found', async () => {
  const { find } = await workspaceOf()
  expect(await find({ pattern: 'src/.*ts$' })).toMatchObject({
    matches: [],
    note: expect.stringContaining('set glob for paths'),
  })
  for (const pattern of ['src/a.ts', '/src/a.ts', 'app/[slug]/page.tsx', 'src/.env'])
    expect(await find({ pattern })).toMatchObject({
      matches: [pattern.replace(/^\//, '')],
      note: 'pattern was read as a path',
    })
  expect((await find({ pattern: 'A(1)', case_sensitive: false })).note).toContain('in 1 names')
})

it('a slash at the end of a glob finds folders at any depth', async () => {
  const { find } = await workspaceOf(['a/lib/x', 'lib/y', 'b/lib'])
  expect((await find({ pattern: 'lib/', glob: true })).matches).toEqual(['a/lib/', 'lib/'])
})
