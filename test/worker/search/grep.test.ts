import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import {
  findHits,
  MAX_WHOLE_LINE,
  showHits,
  type GrepOptions,
  type Hits,
} from '#worker/search/grep.ts'
import { unlimited } from '#worker/search/meter.ts'
import { compilePattern, type Pattern } from '#worker/search/pattern.ts'

function pattern(text: string): Pattern {
  const compiled = compilePattern(text, { case: 'auto' })
  if (!compiled.ok) throw new Error(compiled.error)
  return compiled.value
}

interface Options extends GrepOptions {
  readonly most: number
}

function hitsOf(text: string, test: Pattern, most = Infinity, maxLineBytes = 0): Hits {
  const work = findHits(text, test, unlimited(), { maxLineBytes, most })
  for (;;) {
    const { done, value } = work.next()
    if (done && value) return value
  }
}

const countMatches = (text: string, test: Pattern) => hitsOf(text, test).count

function grep(text: string, source: string, options: Partial<Options> = {}): string[] {
  const { before = 0, after = 0, maxLineBytes = 0, most } = options
  const hits = hitsOf(text, pattern(source), most, maxLineBytes)
  return showHits(text, hits, { before, after, maxLineBytes })
}

const POEM = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n'

describe('chunks', () => {
  it('number matches and context', () => {
    expect(grep(POEM, 'five')).toEqual(['5: five'])
    expect(grep(POEM, 'five', { before: 1, after: 2 })).toEqual([
      '4- four\n5: five\n6- six\n7- seven',
    ])
  })

  it('are merged if they overlap or touch', () => {
    expect(grep(POEM, '^(two|four)$', { before: 1, after: 1 })).toEqual([
      '1- one\n2: two\n3- three\n4: four\n5- five',
    ])
    expect(grep(POEM, '^(two|five)$', { before: 1, after: 1 })).toEqual([
      '1- one\n2: two\n3- three\n4- four\n5: five\n6- six',
    ])
    expect(grep(POEM, '^(two|six)$', { before: 1, after: 1 })).toHaveLength(2)
    expect(grep(POEM, '^(two|three|five)$')).toEqual(['2: two\n3: three', '5: five'])
  })

  it('stop at both ends of the text', () => {
    expect(grep('a\nb\n', 'a', { before: 9, after: 9 })).toEqual(['1: a\n2- b'])
    expect(grep('a\nb', 'b', { before: 9, after: 9 })).toEqual(['1- a\n2: b'])
  })

  it('end after the requested number of matches, with their context', () => {
    const options = { before: 0, after: 1, most: 2 }
    expect(grep('a\na\na\na\n', 'a', options)).toEqual(['1: a\n2: a\n3- a'])
    expect(grep('a\na\n', 'a', { most: 9 })).toEqual(['1: a\n2: a'])
  })
})

describe('lines', () => {
  it.each([
    ['', '', 0],
    ['', '^$', 0],
    ['\n', '^$', 1],
    ['\n\n', '', 2],
    ['a', '', 1],
    ['a\n', '', 1],
    ['a\n\n', '', 2],
    ['a\n\nb', '^$', 1],
    ['\r\n', '^$', 1],
    ['\r', '^$', 1],
    ['a\rb\n', '^a.b$', 1],
    ['a\nb', 'a.b', 0],
    ['a\nb', 'a[^x]b', 0],
    ['a\nb', '(?s)a.b', 0],
    ['x\n\ny', '\\s', 0],
  ])('of %j that match %j: %i', (text, source, count) => {
    expect(countMatches(text, pattern(source))).toBe(count)
  })

  it('have no \\r at their end', () => {
    expect(grep('one\r\ntwo\r\nthree', 'o$', { before: 1 })).toEqual(['1- one\n2: two'])
    expect(grep('one\r\ntwo\r\n', '(?-m)e$|\\z', { after: 1 })).toEqual(['1: one\n2: two'])
  })

  it('have the right number after long stretches without a match', () => {
    const text = `${'nothing\n'.repeat(5000)}needle\n${'\n'.repeat(7)}a needle again`
    expect(grep(text, 'needle')).toEqual(['5001: needle', '5009: a needle again'])
    expect(grep(text, 'n[e]+dle')).toEqual(['5001: needle', '5009: a needle again'])
  })
})

describe('a long line', () => {
  const hidden = (bytes: number) => `[TRUNCATED: ${bytes} bytes hidden]`

  it('is cut with the number of hidden characters', () => {
    expect(grep('abcdefghij', 'a', { maxLineBytes: 4 })).toEqual([`1: abcd${hidden(6)}`])
    expect(grep('abcd', 'a', { maxLineBytes: 4 })).toEqual(['1: abcd'])
    expect(grep('x\nabcdef', 'x', { after: 1, maxLineBytes: 3 })).toEqual([
      `1: x\n2- abc${hidden(3)}`,
    ])
  })

  it('is cut where it still shows the match', () => {
    const line = `${'-'.repeat(1000)} needle ${'-'.repeat(1000)}`
    const [chunk = ''] = grep(line, 'needle', { maxLineBytes: 60 })
    expect(chunk).toMatch(/^1: ….*needle.*\[TRUNCATED: 1948 bytes hidden, from column 995\]$/)
  })

  it('is shown as a window around the match, in any part of a minified file', () => {
    const noise = (length: number) => 'var a=f(b);'.repeat(length / 11)
    for (const before of [0, 110, 1_100, 110_000]) {
      const line = `${noise(before)}const stats=e.size;${noise(500_500)}`
      for (const source of ['stats', 'st[a-z]ts=', 'n(o|u)mber|sta.s'])
        expectWindow(grep(line, source)[0], before)
    }
  })

  function expectWindow(chunk = '', before: number): void {
    expect(chunk.length).toBeLessThan(500)
    expect(chunk).toContain('const stats=e.size')
    const [, text = '', column = 1] =
      /^1: …?(.*)\[TRUNCATED: \d+ bytes hidden(?:, from column (\d+))?\]$/.exec(chunk) ?? []
    expect(Number(column) + text.indexOf('const stats')).toBe(before + 1)
  }

  it('is whole up to a length, also as context', () => {
    const line = (length: number) => 'needle'.padEnd(length, '.')
    expect(grep(line(MAX_WHOLE_LINE), 'needle')).toEqual([`1: ${line(MAX_WHOLE_LINE)}`])
    const [over = ''] = grep(`needle\n${'.'.repeat(MAX_WHOLE_LINE + 1)}`, 'needle', { after: 1 })
    expect(over).toBe(`1: needle\n2- ${'.'.repeat(400)}${hidden(MAX_WHOLE_LINE + 1 - 400)}`)
  })

  it('shows its beginning if the match is too long', () => {
    const [chunk = ''] = grep(`a${'-'.repeat(1000)}b`, 'a-*b', { maxLineBytes: 60 })
    expect(chunk).toBe(`1: a${'-'.repeat(59)}${hidden(942)}`)
  })

  it('is never cut inside a character', () => {
    const line = '😀'.repeat(100)
    for (let maxLineBytes = 1; maxLineBytes < 40; maxLineBytes++) {
      const [chunk = ''] = grep(`${line}x${line}`, 'x', { maxLineBytes })
      expect(chunk.isWellFormed(), chunk).toBe(true)
    }
  })

  it('may contain a lone surrogate', () => {
    expect(grep('\ud83dabc', 'a', { maxLineBytes: 4 })).toEqual([`1: \ud83da${hidden(2)}`])
  })
})

/** The expected lines, computed line by line. */
function model(text: string, test: Pattern, before: number, after: number): string[] {
  const lines = text.replace(/\n$/, '').split('\n')
  const hit = lines.map((line) => text !== '' && test.testLine(line.replace(/\r$/, '')))
  const chunks: string[][] = [[]]
  for (const [at, line] of lines.entries()) {
    if (!hit.slice(Math.max(0, at - after), at + before + 1).includes(true)) chunks.push([])
    else chunks.at(-1)?.push(`${at + 1}${hit[at] ? ':' : '-'} ${line.replace(/\r$/, '')}`)
  }
  return chunks.filter((chunk) => chunk.length > 0).map((chunk) => chunk.join('\n'))
}

it('shows the same lines as a scan of every line', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'ab', '', 'key', '\u212aey', '\r', '😀'), {
    maxLength: 30,
  })
  const texts = fc
    .tuple(lines, fc.constantFrom('', '\n', '\r\n'))
    .map(([all, end]) => all.join('\n') + end)
  const sources = fc.constantFrom('a', '^$', '[ab]b?$', 'key', '', 'b|key', '.', 'zz', '\\bab\\b')
  const context = fc.nat(3)
  const check = (text: string, source: string, before: number, after: number) => {
    const test = pattern(source)
    const chunks = showHits(text, hitsOf(text, test), { before, after, maxLineBytes: 0 })
    expect(chunks).toEqual(model(text, test, before, after))
    const hits = chunks.join('\n').match(/^\d+:/gm) ?? []
    expect(countMatches(text, test)).toBe(hits.length)
  }
  fc.assert(fc.property(texts, sources, context, context, check), { numRuns: 1000 })
})
