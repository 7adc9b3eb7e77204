/** Search: the query for an input, and the rows of the results. @module */

import { parsePath } from '#core/path.ts'
import { parseNames, parseMatches } from '#views/files/tool-results.ts'
import { cutToMatch, findMatches } from '#views/files/match-highlights.ts'
import { Search, toGlob, matchRows, summarize } from '#views/files/search.ts'
import { describe, expect, it, vi } from 'vitest'
import { expectWithin } from '../../support/core/expect-within.ts'

const QUERY = { text: 'x', mode: 'contents', pattern: false } as const

describe('the query', () => {
  it.each([
    ['main', '**/*main*'],
    ['/src/main', '**/*src/main*'],
    ['*.md', '**/*.md'],
    ['/*.md', '*.md'],
    ['src/**', 'src/**'],
    ['a\\b', '**/*a\\\\b*'],
    ['{a,b}', '**/{a,b}'],
  ])('%j is the glob %j', (text, glob) => expect(toGlob(text)).toBe(glob))

  it('waits for the last letter, takes text literally, and drops the result of an old query', async () => {
    const answers: ((value: unknown) => void)[] = []
    const search = vi.fn<(root: string, pattern: string, signal: AbortSignal) => Promise<never>>(
      () => new Promise((resolve) => void answers.push(resolve as never)),
    )
    const found = new Search({ findFiles: vi.fn(), searchFiles: search }, () => {})
    found.change({ mode: 'contents' })
    for (const text of ['a', 'a.', 'a.b']) found.change({ text })
    await expect.poll(() => search).toHaveBeenCalledTimes(1)
    expect(search.mock.calls[0]?.slice(0, 2)).toEqual(['/', 'a\\.b'])
    found.change({ text: 'c(', pattern: true })
    expect(search.mock.calls[0]?.[2].aborted).toBe(true)
    await expect.poll(() => search).toHaveBeenCalledTimes(2)
    expect(search.mock.calls[1]?.[1]).toBe('c(')
    answers[1]?.(
      parseMatches({
        total_matches: 1,
        total_files: 1,
        files: [{ path: 'new', matches: ['1: c('] }],
      }),
    )
    await expect.poll(() => found.state.phase).toBe('done')
    answers[0]?.(parseMatches({ files: [{ path: 'old', matches: ['1: a.b'] }] }))
    await new Promise((resolve) => setTimeout(resolve))
    expect(found.state.rows.map(({ path }) => path)).toEqual(['/new', '/new'])
  })

  it('continues where a result was cut', async () => {
    const find = vi.fn(async (_root: string, _glob: string, offset: number) =>
      parseNames({ matches: [`f${offset}`, `d${offset}/`], truncated: offset < 4 }),
    )
    const found = new Search({ findFiles: find, searchFiles: vi.fn() }, () => {})
    found.change({ text: 'f' }, 0)
    await expect.poll(() => found.state.rows).toHaveLength(3)
    await found.loadMore()
    await found.loadMore()
    expect(found.state.rows.map(({ type, text }) => `${type} ${text}`)).toEqual(
      [0, 2, 4].flatMap((n) => [`name f${n}`, `folder d${n}`]),
    )
    expect(found.state.summary).toBe('6 names')
  })

  it('shows an error', async () => {
    const find = vi.fn().mockRejectedValue(new Error('no line'))
    const found = new Search({ findFiles: find, searchFiles: vi.fn() }, () => {})
    found.change({ text: 'f' }, 0)
    await expect.poll(() => found.state).toMatchObject({ phase: 'failed', summary: 'no line' })
    found.change({ text: '' })
    expect(found.state).toMatchObject({ phase: 'idle', rows: [] })
  })
})

describe('the rows', () => {
  it('has the lines of each file, or their number', () => {
    const answer = parseMatches({
      files: [
        { path: 'a', matches: ['1: x\n2- y\n3:   x x'] },
        { path: 'b', count: 7 },
      ],
      total_files: 9,
      total_matches: 1234,
      skipped: 1,
      hidden: 2,
    })
    const rows = matchRows(answer, parsePath('/top'), QUERY)
    expect(rows).toMatchObject([
      { type: 'file', path: '/top/a', number: 2 },
      { type: 'line', number: 1, text: 'x', marks: [[0, 1]] },
      {
        type: 'line',
        number: 3,
        text: 'x x',
        marks: [
          [0, 1],
          [2, 3],
        ],
      },
      { type: 'count', path: '/top/b', number: 7 },
    ])
    expect(summarize(answer)).toBe(
      '1,234 lines in 9 files; showing the 2 with most lines; 1 file not searched: not text, or too large; 2 hidden files not searched',
    )
  })

  it.each([
    [
      'Foo foo',
      { text: 'foo', pattern: false },
      [
        [0, 3],
        [4, 7],
      ],
    ],
    ['Foo foo', { text: 'Foo', pattern: false }, [[0, 3]]],
    ['a.b axb', { text: 'a.b', pattern: false }, [[0, 3]]],
    [
      'a.b axb',
      { text: 'a.b', pattern: true },
      [
        [0, 3],
        [4, 7],
      ],
    ],
    ['aab', { text: 'a+', pattern: true }, [[0, 2]]],
    ['aab', { text: '(a+)+', pattern: true }, []],
    ['aab', { text: '(', pattern: true }, []],
    ['aab', { text: 'x*', pattern: true }, []],
    ['aab', { text: '', pattern: false }, []],
  ])('marks in %j the matches of %j', (line, wanted, marks) => {
    expect(findMatches(line, wanted)).toEqual(marks)
  })

  it('marks no pattern that could take long', async () => {
    await expectWithin(100, () => {
      for (const text of ['(a|a)*b', '(a*)*b', 'a*a*a*b', '(a|aa)+$', '(?=a*)b', '.*b'])
        findMatches('a'.repeat(240), { text, pattern: true })
    })
  })

  it('shows the part of a long line that matches', () => {
    const shown = cutToMatch(`  ${'y'.repeat(10_000)}x`, QUERY)
    expect(shown.length).toBeLessThan(250)
    expect(shown).toMatch(/^…y+x$/)
  })
})
