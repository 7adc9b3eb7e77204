/** Text that is read in blocks, parsers of untrusted JSON, and formatted sizes and dates. @module */

import { parsePage, parseLines } from '#views/files/tool-results.ts'
import { createDates, formatSize } from '#views/files/format.ts'
import { findLanguage } from '#core/highlight/languages.ts'
import { BLOCK, TextBlocks } from '#views/files/text-blocks.ts'
import { createParser } from '#views/files/json-parser.ts'
import { describe, expect, it, vi } from 'vitest'

/** A file as `read_file` gives it, `most` lines in one answer. */
function fileOf(lines: string[], most = 200) {
  let version = 1
  const read = vi.fn(async (start: number, limit: number) => {
    const part = lines.slice(start - 1, start - 1 + Math.min(limit, most))
    const content = part.map((line, index) => `${start + index}: ${line}`).join('\n')
    return parseLines({
      content,
      start_line: start,
      count: part.length,
      total: lines.length,
      version,
    })
  })
  return { read, change: () => void version++ }
}

async function textOf(lines: string[], most?: number, name = 'a.log') {
  const { read, change } = fileOf(lines, most)
  const stale = vi.fn()
  const first = await read(1, 2 * BLOCK)
  const text = new TextBlocks(first, {
    read,
    language: findLanguage(name),
    onChange: () => {},
    onStale: stale,
  })
  return { text, read, change, stale }
}

const shown = (text: Awaited<ReturnType<typeof textOf>>['text'], block: number) =>
  text.tokens(block)?.map((tokens) => tokens.map(([piece]) => piece).join(''))

describe('a text', () => {
  const lines = Array.from({ length: 1_050 }, (_, n) => `${n}: line\t${n}`)

  it('is read where it is visible, and nowhere else', async () => {
    const { text, read } = await textOf(lines)
    expect(text).toMatchObject({ total: 1_050, count: 11 })
    expect(shown(text, 1)).toEqual(lines.slice(100, 200))
    expect(text.tokens(7)).toBeNull()
    await text.load(7)
    await text.load(10)
    expect(shown(text, 7)).toEqual(lines.slice(700, 800))
    expect(shown(text, 10)).toEqual(lines.slice(1_000))
    expect(read).toHaveBeenCalledTimes(3)
    await Promise.all([text.load(7), text.load(0)])
    expect(read).toHaveBeenCalledTimes(3)
  })

  it('is assembled from results with fewer lines than requested', async () => {
    const { text } = await textOf(lines, 30)
    for (const block of [0, 3]) {
      await text.load(block)
      expect(shown(text, block)).toEqual(lines.slice(block * 100, block * 100 + 100))
    }
  })

  it('is highlighted from the end state of the previous block, once that is known', async () => {
    const source = ['/*', ...lines.slice(0, 250).map(() => 'inside'), '*/']
    const { text } = await textOf(source, 100, 'a.ts')
    await text.load(2)
    expect(text.tokens(2)?.[0]).toEqual([['inside', null]])
    await text.load(0)
    await text.load(1)
    text.tokens(0)
    text.tokens(1)
    expect(text.tokens(2)?.[0]).toEqual([['inside', 'comment']])
  })

  it('reports that the file has changed', async () => {
    const { text, change, stale } = await textOf(lines)
    change()
    await text.load(5)
    expect(stale).toHaveBeenCalledTimes(1)
    expect(text.tokens(5)).toBeNull()
  })

  it('reports a failed read, and tries again', async () => {
    const { text, read } = await textOf(lines)
    read.mockRejectedValueOnce(new Error('no line'))
    await text.load(5)
    expect(text.error).toBe('no line')
    text.retry()
    await text.load(5)
    expect(text.error).toBeNull()
    expect(shown(text, 5)).toEqual(lines.slice(500, 600))
  })
})

describe('a parser', () => {
  const parse = createParser({
    a: '',
    n: 1,
    yes: false,
    list: [{ b: '' }],
    pair: [[0, 0]],
  } as const)

  it.each([
    [null, { a: '', n: 1, yes: false, list: [], pair: [] }],
    ['text', { a: '', n: 1, yes: false, list: [], pair: [] }],
    [
      { a: 1, n: '2', yes: 'true', list: {}, pair: 3 },
      { a: '', n: 1, yes: false, list: [], pair: [] },
    ],
    [
      {
        a: 'x',
        n: 2,
        yes: true,
        list: [{ b: 'y', more: 1 }, null],
        pair: [[1, 2], ['x'], 3],
        other: 1,
      },
      {
        a: 'x',
        n: 2,
        yes: true,
        list: [{ b: 'y' }, { b: '' }],
        pair: [
          [1, 2],
          [0, 0],
          [0, 0],
        ],
      },
    ],
    [Object.create({ a: 'inherited' }), { a: '', n: 1, yes: false, list: [], pair: [] }],
  ])('turns %j into the expected shape', (value, expected) => {
    expect(parse(value)).toEqual(expected)
  })

  it('reads a page of nothing as an empty one', () => {
    expect(parsePage(undefined)).toEqual({ entries: [], next: '' })
  })
})

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.0 kB'],
  [9_949, '9.9 kB'],
  [99_700, '100 kB'],
  [999_600, '1.0 MB'],
  [123_456_789, '123 MB'],
  [5e12, '5000 GB'],
])('%d bytes are %s', (bytes, text) => expect(formatSize(bytes)).toBe(text))

it('formats dates for the host, and nothing for an invalid one', () => {
  const at = '2026-03-04T23:30:00Z'
  expect(createDates('en-GB', 'UTC').day(at)).toBe('4 Mar 2026')
  expect(createDates('en-GB', 'Asia/Tokyo').day(at)).toBe('5 Mar 2026')
  expect(createDates('no such language!', 'No/Where').day(at)).toMatch(/Mar [45], 2026/)
  expect(createDates(undefined, undefined).full('')).toBe('')
})

it('makes each format of dates once, however many dates there are', () => {
  const formats = vi.spyOn(Intl, 'DateTimeFormat')
  const onTheSpot = vi.spyOn(Date.prototype, 'toLocaleString')
  const dates = createDates('en-GB', 'UTC')
  for (let minute = 10; minute < 60; minute++) {
    const at = `2026-03-04T23:${minute}:00Z`
    expect([dates.day(at), dates.full(at)]).toEqual(['4 Mar 2026', `4 Mar 2026, 23:${minute}`])
  }
  expect(formats).toHaveBeenCalledTimes(2)
  expect(onTheSpot).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})
