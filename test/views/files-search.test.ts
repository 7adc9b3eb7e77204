/** Search: what is asked for what was typed, what is shown of the answers, and which of them. @module */

import { parsePath } from '#core/path.ts'
import { readFound, readMatches } from '#views/files/answers.ts'
import { cutToMatch, marksOf } from '#views/files/marks.ts'
import { createSearch, globOf, matchRows, summaryOf } from '#views/files/search.ts'
import { describe, expect, it, vi } from 'vitest'

const QUERY = { text: 'x', mode: 'contents', pattern: false } as const

describe('what is asked', () => {
  it.each([
    ['main', '**/*main*'],
    ['/src/main', '**/*src/main*'],
    ['*.ts', '*.ts'],
    ['src/**', 'src/**'],
    ['a\\b', '**/*a\\\\b*'],
    ['{a,b}', '{a,b}'],
  ])('%j is the glob %j', (text, glob) => expect(globOf(text)).toBe(glob))

  it('waits for the last letter, takes text as it stands, and shows no answer to an old question', async () => {
    const answers: ((value: unknown) => void)[] = []
    const search = vi.fn<(root: string, pattern: string, signal: AbortSignal) => Promise<never>>(
      () => new Promise((resolve) => void answers.push(resolve as never)),
    )
    const found = createSearch({ find: vi.fn(), search }, () => {})
    found.ask({ mode: 'contents' })
    for (const text of ['a', 'a.', 'a.b']) found.ask({ text })
    await vi.waitFor(() => expect(search).toHaveBeenCalledTimes(1))
    expect(search.mock.calls[0]?.slice(0, 2)).toEqual(['/', 'a\\.b'])
    found.ask({ text: 'c(', pattern: true })
    expect(search.mock.calls[0]?.[2].aborted).toBe(true)
    await vi.waitFor(() => expect(search).toHaveBeenCalledTimes(2))
    expect(search.mock.calls[1]?.[1]).toBe('c(')
    answers[1]?.(
      readMatches({
        total_matches: 1,
        total_files: 1,
        files: [{ path: 'new', matches: ['1: c('] }],
      }),
    )
    await vi.waitFor(() => expect(found.state.phase).toBe('done'))
    answers[0]?.(readMatches({ files: [{ path: 'old', matches: ['1: a.b'] }] }))
    await new Promise((resolve) => setTimeout(resolve))
    expect(found.state.rows.map(({ path }) => path)).toEqual(['/new', '/new'])
  })

  it('goes on where an answer was cut', async () => {
    const find = vi.fn(async (_root: string, _glob: string, offset: number) =>
      readFound({ matches: [`f${offset}`, `d${offset}/`], truncated: offset < 4 }),
    )
    const found = createSearch({ find, search: vi.fn() }, () => {})
    found.ask({ text: 'f' }, 0)
    await vi.waitFor(() => expect(found.state.rows).toHaveLength(3))
    await found.more()
    await found.more()
    expect(found.state.rows.map(({ type, shown }) => `${type} ${shown}`)).toEqual(
      [0, 2, 4].flatMap((n) => [`name f${n}`, `folder d${n}`]),
    )
    expect(found.state.said).toBe('6 names')
  })

  it('tells what went wrong', async () => {
    const find = vi.fn().mockRejectedValue(new Error('no line'))
    const found = createSearch({ find, search: vi.fn() }, () => {})
    found.ask({ text: 'f' }, 0)
    await vi.waitFor(() => expect(found.state).toMatchObject({ phase: 'failed', said: 'no line' }))
    found.ask({ text: '' })
    expect(found.state).toMatchObject({ phase: 'idle', rows: [] })
  })
})

describe('what is shown', () => {
  it('has the lines of each file, or their number', () => {
    const answer = readMatches({
      files: [
        { path: 'a', matches: ['1: x\n2- y\n3:   x x'] },
        { path: 'b', count: 7 },
      ],
      total_files: 9,
      total_matches: 1234,
      skipped: 1,
    })
    const rows = matchRows(answer, parsePath('/top'), QUERY)
    expect(rows).toMatchObject([
      { type: 'file', path: '/top/a', number: 2 },
      { type: 'line', number: 1, shown: 'x', marks: [[0, 1]] },
      {
        type: 'line',
        number: 3,
        shown: 'x x',
        marks: [
          [0, 1],
          [2, 3],
        ],
      },
      { type: 'count', path: '/top/b', number: 7 },
    ])
    expect(summaryOf(answer)).toBe(
      '1,234 lines in 9 files; the 2 with most are shown; 1 file too large',
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
  ])('marks in %j what %j asks for', (line, wanted, marks) => {
    expect(marksOf(line, wanted)).toEqual(marks)
  })

  it('marks no pattern that could take long', () => {
    const start = performance.now()
    for (const text of ['(a|a)*b', '(a*)*b', 'a*a*a*b', '(a|aa)+$', '(?=a*)b', '.*b'])
      marksOf('a'.repeat(240), { text, pattern: true })
    expect(performance.now() - start).toBeLessThan(100)
  })

  it('shows the part of a long line that matches', () => {
    const shown = cutToMatch(`  ${'y'.repeat(10_000)}x`, QUERY)
    expect(shown.length).toBeLessThan(250)
    expect(shown).toMatch(/^…y+x$/)
  })
})
