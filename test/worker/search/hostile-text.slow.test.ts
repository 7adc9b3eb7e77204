/**
 * Content and patterns with the worst running time: each call ends, in a few seconds on a slow machine,
 * with its result or OVER_BUDGET, and other requests are served meanwhile.
 */

import { MAX_EDIT_BYTES, MAX_EDIT_STEPS, MAX_EDITS, MAX_SEARCH_STEPS } from '#worker/limits.ts'
import { createFinder, occurrences } from '#worker/search/find-text.ts'
import { unlimited } from '#worker/search/meter.ts'
import { compilePattern } from '#worker/search/pattern.ts'
import { makeEdits } from '#worker/tools/edit-file.ts'
import { numberStream } from '../../support/worker/number-stream.ts'
import { nearestLines } from '#worker/tools/lib/nearest.ts'
import { describe, expect, it } from 'vitest'
import fc from '../../support/core/random.ts'
import { freshWorkspace, errorOf } from '../../support/worker/client.ts'
import { seed, stubOf } from '../../support/worker/object-life.ts'

type Workspace = ReturnType<typeof freshWorkspace>

/** Time limit (ms) of a call, thirty times that of production because tests run beside each other and other programs. */
const SOON_MS = 30_000

/** A non-repeating text of `a` and `b`. */
function letters(length: number, from: number): string {
  const units = new Uint8Array(length)
  let state = from
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    units[at] = 97 + ((state >> 16) & 1)
  }
  return new TextDecoder().decode(units)
}

/** Calls a tool, and sends another request while it runs. */
async function during({ call, text }: Workspace, name: string, args: Record<string, unknown>) {
  const started = Date.now()
  const done: string[] = []
  const hostile = call(name, args).finally(() => done.push(name))
  await Promise.all([hostile, text('list_roots').finally(() => done.push('list_roots'))])
  const { result } = await hostile
  const content: Record<string, unknown> = { ...result?.structuredContent, ...errorOf(result) }
  return { code: content['code'], content, first: done[0], took: Date.now() - started }
}

describe('edit_file', () => {
  it('counts 50,000 overlapping matches', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'a'.repeat(250_000))
    const edits = [{ find: 'a'.repeat(200_001), replace: '' }]
    const { content, took } = await during(workspace, 'edit_file', { path: 'a', edits })
    expect(content).toMatchObject({ code: 'FIND_NOT_UNIQUE', match_count: 50_000, lines: [1] })
    expect(took).toBeLessThan(SOON_MS)
  })

  it('ends if many edits of a large text take too long', async () => {
    const workspace = freshWorkspace()
    const half = 'a'.repeat(MAX_EDIT_BYTES / 2 - 1)
    await workspace.put('/a', `${half}bc${half}`)
    const long = 'a'.repeat(9_000)
    const edits = Array.from({ length: MAX_EDITS }, (_, at) =>
      at % 2 === 0
        ? { find: `${long}bc`, replace: `${long}cb` }
        : { find: `${long}cb`, replace: `${long}bc` },
    )
    const { code, took, first } = await during(workspace, 'edit_file', { path: 'a', edits })
    expect(code).toBe('OVER_BUDGET')
    expect(took).toBeLessThan(SOON_MS)
    expect(first).toBe('list_roots')
  })

  it('stops after a maximum number of steps', async () => {
    const content = `${'-'.repeat(MAX_EDIT_BYTES - 1)}.`
    const old = { encoding: 'utf-8', bom: false, content } as const
    const edits = (count: number) =>
      Array.from({ length: count }, () => ({ find: '.', replace: '.' }))
    const most = MAX_EDIT_STEPS / MAX_EDIT_BYTES
    expect(await makeEdits(old, edits(most))).toMatchObject({ ok: true })
    expect(await makeEdits(old, edits(most + 1))).toMatchObject({
      error: { reason: 'over_budget' },
    })
  })
})

describe('createFinder', () => {
  const places = (text: string, needle: string) =>
    Array.from({ length: text.length }, (_, at) => at).filter((at) => text.startsWith(needle, at))

  it('finds the same positions as indexOf', () => {
    const parts = fc.array(fc.constantFrom('a', 'b', 'ab', 'a'.repeat(16), 'ab'.repeat(9)))
    const texts = parts.map((all) => all.join(''))
    const check = (text: string, needle: string, from: number) => {
      if (needle === '') return
      expect(createFinder(needle)(text, from, unlimited())).toBe(text.indexOf(needle, from))
      expect([...occurrences(text, needle, 0, unlimited())]).toEqual(places(text, needle))
    }
    fc.assert(fc.property(texts, texts, fc.nat(20), check), { numRuns: 2000 })
  })

  it.each([
    ['a'.repeat(1_000_000), `${'a'.repeat(300_000)}b`],
    ['a'.repeat(1_000_000), `${'a'.repeat(300_000)}b${'a'.repeat(300_000)}`],
    ['ab'.repeat(500_000), `${'ab'.repeat(100_000)}b`],
    [`${'a'.repeat(999)}b`.repeat(1_000), `${'a'.repeat(999)}b`.repeat(500) + 'b'],
  ])('takes a constant number of steps per character', (text, needle) => {
    const meter = { left: 0 }
    expect(createFinder(needle)(text, 0, meter)).toBe(-1)
    expect(-meter.left).toBeLessThan(6 * (text.length + needle.length))
  })
})

describe('search_files', () => {
  const HOSTILE = '(?:[ab]*a[ab]{100}){5}[x-z]'

  it('ends if one line is too long for the pattern', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', letters(4_000_000, 1))
    const { code, took, content } = await during(workspace, 'search_files', { pattern: HOSTILE })
    expect(code).toBe('OVER_BUDGET')
    expect(JSON.stringify(content)).not.toContain('[ab]')
    expect(took).toBeLessThan(SOON_MS)
  })

  it('ends if there are too many lines, and yields to other requests', async () => {
    const workspace = freshWorkspace()
    const lines = Array.from({ length: 2_000 }, (_, at) => letters(1_000, at + 1))
    await workspace.put('/a', lines.join('\n'))
    const { code, took, first } = await during(workspace, 'search_files', { pattern: HOSTILE })
    expect({ code, first }).toEqual({ code: 'OVER_BUDGET', first: 'list_roots' })
    expect(took).toBeLessThan(SOON_MS)
  })

  it('still finds matches in short lines', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', `${letters(700, 3)}a${letters(100, 4)}x\n${letters(700, 5)}\n`)
    const { result } = await workspace.call('search_files', { pattern: HOSTILE })
    expect(result?.structuredContent).toMatchObject({ total_matches: 1 })
  })

  it('stops after a maximum number of steps', async () => {
    const source = 'a[ab]{60}[x-z]'
    const compiled = compilePattern(source, { case: 'auto' })
    if (!compiled.ok) throw new Error(compiled.error)
    const meter = { left: MAX_SEARCH_STEPS }
    const lines: string[] = []
    while (compiled.value.tryLine(letters(1_000, lines.length + 1), meter) !== null)
      lines.push(letters(1_000, lines.length + 1))
    const code = async (count: number) => {
      const workspace = freshWorkspace()
      await workspace.put('/a', lines.slice(0, count).join('\n'))
      return workspace.code('search_files', { pattern: source })
    }
    // Steps are added up when the search yields, and a line may be started twice.
    expect(await code(Math.floor(lines.length * 0.7))).toBeUndefined()
    while (lines.length < 1_000) lines.push(letters(1_000, lines.length + 1))
    expect(await code(lines.length)).toBe('OVER_BUDGET')
  })

  it('shows a limited part of a file of line breaks', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', '\n'.repeat(4_000_000))
    const { content, took } = await during(workspace, 'search_files', {
      pattern: '^$',
      context: 100,
    })
    expect(content).toMatchObject({ total_matches: 4_000_000, mode: 'summary' })
    expect(took).toBeLessThan(SOON_MS)
  })
})

describe('names', () => {
  const NAMES = Array.from({ length: 2_000 }, (_, at) => `/${letters(250, at + 1)}`)
  const GLOB = `*a${'?'.repeat(900)}x`

  it.each([
    ['find_files', { pattern: 'a[ab]{1000}[x-z]' }],
    ['find_files', { pattern: GLOB, glob: true }],
    ['find_files', { exclude: Array.from({ length: 50 }, () => GLOB) }],
    ['search_files', { pattern: 'x', glob: Array.from({ length: 50 }, () => GLOB) }],
    ['search_files', { pattern: 'x', glob: Array.from({ length: 50 }, () => `!${GLOB}`) }],
  ])('end %s if they take too long: %#', async (name, args) => {
    const workspace = freshWorkspace()
    await seed(stubOf(workspace), NAMES)
    const { code, took } = await during(workspace, name, args)
    expect(code).toBe('OVER_BUDGET')
    expect(took).toBeLessThan(SOON_MS)
  })

  it('can be excluded by many globs in a large workspace', async () => {
    const workspace = freshWorkspace()
    const names = Array.from({ length: 5_000 }, (_, at) => `/src/folder${at % 50}/file${at}.ts`)
    await seed(stubOf(workspace), names)
    const exclude = Array.from({ length: 50 }, (_, at) => `**/file?${at}*.ts`)
    const { result } = await workspace.call('find_files', { exclude, type: 'file', limit: 5_000 })
    expect(result?.isError).not.toBe(true)
  })
})

describe('lines', () => {
  async function* pieces(piece: string, count: number) {
    for (let at = 0; at < count; at++) yield piece
  }

  it('in thousands of chunks are scanned once', async () => {
    const window = { start: 1, column: 1, limit: 0, maxBytes: 0, maxLineBytes: 0 }
    const started = Date.now()
    const lines = await numberStream(pieces('a'.repeat(1_024), 16_384), window)
    await scheduler.wait(0)
    expect(lines.content).toHaveLength(3 + 16 * 1024 * 1024)
    expect(Date.now() - started).toBeLessThan(SOON_MS)
  })

  it('that are not shown are counted', async () => {
    const window = { start: 3, column: 1, limit: 2, maxBytes: 0, maxLineBytes: 0 }
    expect(await numberStream(pieces('a\nb\nc', 1_000), window)).toEqual({
      content: '3: ca\n4: b',
      count: 2,
      total: 2_001,
      cut: ['line_limit'],
      cutLines: [],
    })
  })

  it('nearest to a text are searched for in its beginning only', async () => {
    const line = `${'abcdefghijklmnopqrstuvwxyz'.repeat(11)}\n`
    const started = Date.now()
    const near = nearestLines(`${line.repeat(25_000)}`, 'hello, world')
    await scheduler.wait(0)
    expect(near).toEqual([])
    expect(Date.now() - started).toBeLessThan(SOON_MS)
  })
})
