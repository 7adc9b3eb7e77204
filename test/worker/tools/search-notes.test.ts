/** What the text of a search says beside the matches: how to go on, where something is not shown. */

import { MAX_SEARCH_FILE_BYTES, MAX_SEARCH_SCAN_BYTES } from '#worker/limits.ts'
import { createLeftOut } from '#worker/tools/lib/left-out.ts'
import { createMatches, type Found } from '#worker/tools/lib/matches.ts'
import { describe, expect, it } from 'vitest'
import { errorOf, freshWorkspace } from '../../support/worker/client.ts'

type Workspace = ReturnType<typeof freshWorkspace>

async function search({ call }: Workspace, args: Record<string, unknown> = {}, policy?: unknown) {
  const meta = policy === undefined ? {} : { policy }
  const { result } = await call('search_files', { pattern: 'needle', ...args }, meta)
  const [block] = result?.content ?? []
  if (block?.type !== 'text') throw new Error(JSON.stringify(result))
  return { text: block.text ?? '', structured: result?.structuredContent ?? {} }
}

it('says nothing where everything is shown', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/a.txt', 'a needle')
  const { text, structured } = await search(workspace)
  expect(text).toBe('a.txt\n1: a needle')
  expect(structured).not.toHaveProperty('note')
  expect((await search(workspace, { pattern: 'nothing' })).text).toBe('No matches')
})

it('says how to read the rest of a cut line', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/a.txt', `a needle ${'x'.repeat(30_000)}`)
  expect((await search(workspace)).text).toMatch(
    /\[TRUNCATED: 29609 bytes hidden\]\n\(for more of a cut line, use read_file with its start_line and column\)$/,
  )
})

const linesOf = (path: string, lines: Found['lines'], isLong = false): Found => ({
  path,
  count: 1,
  isLong,
  lines,
})

it('says how to see the context that was left out', () => {
  const matches = createMatches(50, 0)
  matches.add(linesOf('a.txt', (mode) => [mode === 'full' ? 'x'.repeat(60) : '6: needle']))
  const note =
    'context was left out to stay within the limit: narrow it with root or glob, or use read_file with start_line'
  expect(matches.end({ left: createLeftOut() }).text).toBe(`a.txt\n6: needle\n(${note})`)
})

describe('files that were not searched', () => {
  it.each([
    [
      { binary: ['a', 'b', 'c', 'd'], isComplete: false },
      'files not searched: 4 or more not text: a, b, c, …',
    ],
    [{ isComplete: false }, 'files not searched: maybe some not text'],
    [
      { large: ['log'] },
      `files not searched: 1 larger than ${MAX_SEARCH_FILE_BYTES} bytes, use read_file: log`,
    ],
    [
      { unread: 2, hidden: 3 },
      `files not searched: 2 after ${MAX_SEARCH_SCAN_BYTES} bytes of others, narrow it with root or glob; 3 hidden, set hidden`,
    ],
  ])('%j', (some, note) => {
    const left = { ...createLeftOut(), ...some }
    const { text, structured } = createMatches(0, 0).end({ left })
    expect(text).toBe(`No matches in what was searched\n(${note})`)
    expect(structured.note).toBe(note)
  })

  const BINARY = new Uint8Array([0, 110, 101, 101, 100, 108, 101, 255])

  it('are counted and named where nothing was found, and only counted otherwise', async () => {
    const workspace = freshWorkspace()
    for (const name of ['a.bin', 'b/c.bin', '.x/d.bin']) await workspace.put(`/${name}`, BINARY)
    const none = await search(workspace)
    expect(none.text).toContain('2 not text: a.bin, b/c.bin')
    expect(none.structured).toMatchObject({ skipped: 2, total_matches: 0 })
    await workspace.put('/b/a.txt', 'needle')
    const some = await search(workspace)
    expect(some.text).toBe('b/a.txt\n1: needle\n(files not searched: 2 not text)')
    expect((await search(workspace, { glob: ['*.txt'] })).structured).not.toHaveProperty('skipped')
    expect((await search(workspace, { root: '/b' })).structured).toMatchObject({ skipped: 1 })
  })

  it('are an error where one is the root', async () => {
    const { call, put } = freshWorkspace()
    await put('/a.bin', BINARY)
    const { result } = await call('search_files', { pattern: 'needle', root: '/a.bin' })
    expect(errorOf(result)['code']).toBe('BINARY_FILE')
    expect(result?.content[0]?.text).toContain('/a.bin')
  })

  it('are named where the root is too large', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/log', 'needle\n'.padEnd(MAX_SEARCH_FILE_BYTES + 1, '.'))
    const { text, structured } = await search(workspace, { root: '/log' })
    expect(text).toContain('use read_file: log')
    expect(structured).toMatchObject({ skipped: 1 })
  })

  it.each([
    { roots: [{ path: '/', deny: ['secret/**', '*.key', '.hidden/**'] }] },
    { roots: [{ path: '/open' }] },
  ])('are counted only where the caller sees them: %j', async (policy) => {
    const workspace = freshWorkspace()
    await workspace.put('/open/a.bin', BINARY)
    await workspace.put('/open/.env', 'needle')
    const before = await search(workspace, {}, policy)
    expect(before.structured).toMatchObject({ skipped: 1, hidden: 1 })
    for (const name of ['secret/b.bin', 'secret/.c', 'd.key', '.hidden/e'])
      await workspace.put(`/${name}`, name.includes('b.') ? BINARY : 'needle 100%')
    await workspace.put('/f.key', new Uint8Array([0, 1]))
    expect(await search(workspace, {}, policy)).toEqual(before)
    const literal = await search(workspace, { pattern: '(needle) 100%+' }, policy)
    expect(literal.text).not.toContain('plain text')
    const names = { pattern: '\\.c$', root: 'open' }
    const found = await workspace.call('find_files', names, { policy })
    expect(found.result?.structuredContent).not.toHaveProperty('hidden')
  })
})

describe('a pattern that other programs read in another way', () => {
  it.each([
    ['/needle/i', 'without them it is in 1 lines of 1 files'],
    ['\\<needle\\>', 'with \\b for the edge of a word it is in 1 lines'],
    ['Gr\\w+e', 'with [\\w\\pL] in its place it is in 1 lines'],
  ])('%s says how it is read here', async (pattern, advice) => {
    const workspace = freshWorkspace()
    await workspace.put('/a.txt', 'a needle\nGröße\n')
    const { text, structured } = await search(workspace, { pattern })
    expect(text).toMatch(/^No matches in what was searched\n/)
    expect(structured['note']).toContain(advice)
    expect((await search(workspace, { pattern: pattern.replace('e', 'q') })).text).toBe(
      'No matches',
    )
  })

  it('finds what the note says to send', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a.txt', 'Größe\n')
    expect((await search(workspace, { pattern: 'Gr[\\w\\pL]+e' })).text).toBe('a.txt\n1: Größe')
  })
})

it('says where bytes that are not UTF-8 may hide a match beyond ASCII', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/latin.txt', new Uint8Array([102, 252, 114, 10]))
  await workspace.put('/a.txt', 'für')
  const note = '1 not UTF-8, where only ASCII and . can match'
  expect((await search(workspace, { pattern: 'für' })).text).toBe(`a.txt\n1: für\n(${note})`)
  const none = await search(workspace, { pattern: 'f\\x{fc}r!' })
  expect(none.text).toBe(`No matches in what was searched\n(${note}: latin.txt)`)
  expect((await search(workspace, { pattern: 'fur' })).text).toBe('No matches')
  expect((await search(workspace, { pattern: 'f.r' })).text).toContain('latin.txt\n1: f\ufffdr')
})

describe('plain text', () => {
  it.each([
    'price[0]',
    'def foo(a):',
    'x?.y ?? 0',
    '$scope.items',
    'a || b',
    'C:\\new',
    '*p++',
    '^_^',
  ])('is searched with literal, and suggested for %s', async (pattern) => {
    const workspace = freshWorkspace()
    await workspace.put('/a.ts', `one\n  ${pattern}\n`)
    await workspace.put('/b.ts', 'two')
    const literal = await search(workspace, { pattern, literal: true })
    expect(literal.text).toBe(`a.ts\n2:   ${pattern}`)
    const reply = await workspace.call('search_files', { pattern })
    const shown = reply.result?.content[0]?.text ?? ''
    if (shown.includes('a.ts')) return
    expect(shown).toContain('set literal to true')
    if (!reply.result?.isError) expect(shown).toContain('as plain text it is in 1 lines of 1 files')
  })

  it('is not suggested where it is nowhere', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a.ts', 'one')
    expect((await search(workspace, { pattern: 'price[0]' })).text).toBe('No matches')
  })

  it.each(['foo(', '(a|foo(', 'a[0', '^foo($', '*.ts'])(
    'is quoted as it was sent where %s is no expression',
    async (pattern) => {
      const { call } = freshWorkspace()
      const { result } = await call('search_files', { pattern })
      const message = result?.content[0]?.text ?? ''
      expect(errorOf(result)['code']).toBe('INVALID_PATTERN')
      expect(message).not.toContain('(?')
      expect(message).toContain('set literal to true')
    },
  )
})

describe('minified files', () => {
  const bundle = (length: number) =>
    `${'a=f(b);'.repeat(length / 14)}stats=1;${'c=d;'.repeat(length / 8)}`

  it('leave room for source code', async () => {
    const workspace = freshWorkspace()
    const one = await (async () => {
      await workspace.put('/dist/1.js', bundle(720_000))
      return search(workspace, { pattern: 'stats' })
    })()
    expect(one.text.length).toBeLessThan(700)
    for (const name of ['2.js', '3.js']) await workspace.put(`/dist/${name}`, bundle(700_000))
    await workspace.put('/src/a.ts', 'const stats = 1\nlog(stats)\n')
    const { text, structured } = await search(workspace, { pattern: 'stats' })
    expect(structured).toMatchObject({ mode: 'full', truncated: false, total_files: 4 })
    expect(text).toContain('src/a.ts\n1: const stats = 1\n--\n2: log(stats)'.replace('\n--', ''))
  })

  it('lose their lines before source code does', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/data.jsonl', `${bundle(1_400)}\n`.repeat(100))
    await workspace.put('/src/a.ts', 'const stats = 1\n')
    const { text, structured } = await search(workspace, { pattern: 'stats' })
    expect(structured).toMatchObject({ mode: 'reduced', truncated: true, total_matches: 101 })
    expect(text).toContain('data.jsonl: 100 long lines')
    expect(text).toContain('src/a.ts\n1: const stats = 1')
  })
})
