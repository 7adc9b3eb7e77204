/** Numbered lines: what is shown is what a slow and simple counterpart shows, whatever the limits are. */

import { describe, expect, it } from 'vitest'
import { createCounter, numberLines } from '#worker/tools/lib/line-counter.ts'
import type { Lines, LineWindow } from '#worker/tools/lib/lines.ts'
import fc from '../../support/core/random.ts'

const bytesOf = (text: string) => new TextEncoder().encode(JSON.stringify(text)).length - 2

/** Cuts a numbered line to the characters that fit, or to the first one, and says how many bytes it hides. */
function cutSlowly(line: string, maxBytes: number): string {
  const utf8 = (text: string) => new TextEncoder().encode(text).length
  const number = line.slice(0, line.indexOf(' ') + 1)
  const characters = Array.from(line.slice(number.length))
  const beginnings = characters.map((_, at) => characters.slice(0, at + 1).join(''))
  const fits = (text: string) => bytesOf(`${number}${text}\n`) <= maxBytes
  const kept = beginnings.findLast(fits) ?? beginnings[0] ?? ''
  const hidden = utf8(line) - utf8(number + kept)
  return number + kept + (hidden === 0 ? '' : `[TRUNCATED: ${hidden} bytes hidden]`)
}

/** Numbers the lines that fit, and counts all bytes of each, as JSON. */
function numberSlowly(text: string, { start, limit, maxBytes }: LineWindow) {
  const lines = text.replace(/\n$/, '').split('\n')
  const total = text === '' ? 0 : lines.length
  const after = limit === 0 ? total : Math.min(start - 1 + limit, total)
  const wanted = lines.slice(0, total).map((line, index) => `${index + 1}: ${line}`)
  const shown: string[] = []
  for (const line of wanted.slice(start - 1, after)) {
    const fits = maxBytes === 0 || bytesOf([...shown, line, ''].join('\n')) <= maxBytes
    if (!fits && shown.length > 0) return { content: shown.join('\n'), total, cut: ['max_bytes'] }
    if (!fits) {
      const content = cutSlowly(line, maxBytes)
      return { content, total, cut: ['max_bytes', ...(content === line ? [] : ['long_lines'])] }
    }
    shown.push(line)
  }
  const cut = after < total && start - 1 < total ? ['line_limit'] : []
  return { content: shown.join('\n'), total, cut }
}

const characters = fc.constantFrom('a', 'b', '\n', '\n')
const wide = fc.constantFrom('a', '\n', 'é', '€', '😀', '"', '\\', '\u0001', '\ud800')
const windows = fc.record({
  start: fc.integer({ min: 1, max: 5 }),
  column: fc.constant(1),
  limit: fc.integer({ min: 0, max: 5 }),
  maxBytes: fc.integer({ min: 0, max: 40 }),
  maxLineBytes: fc.constant(0),
})

describe('numbered lines', () => {
  it.each([
    ['ASCII', characters],
    ['other text', wide],
  ])('of %s are those within the limits', (_, unit) => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), windows, (text, window) => {
        const { content, total, cut } = numberLines(text, window)
        expect({ content, total, cut }).toEqual(numberSlowly(text, window))
      }),
    )
  })
})

const MARK = /\[TRUNCATED: \d+ bytes hidden\]$/

/** Reads a text as its results say: page by page, and the rest of each line that was cut. */
function readOn(text: string, limits: Pick<LineWindow, 'limit' | 'maxBytes' | 'maxLineBytes'>) {
  const lines: string[] = []
  const readPage = (start: number, column: number, limit: number): Lines => {
    const page = numberLines(text, { ...limits, start, column, limit })
    const isCut = new Set(page.cutLines.map((rest) => rest.start_line))
    const shown = page.count === 0 ? [] : page.content.split('\n')
    for (const [at, line] of shown.entries()) {
      const number = start + at
      const part = line.slice(`${number}: `.length)
      lines[number - 1] =
        (lines[number - 1] ?? '') + (isCut.has(number) ? part.replace(MARK, '') : part)
    }
    return page
  }
  for (let start = 1; ;) {
    const page = readPage(start, 1, limits.limit)
    for (const cut of page.cutLines)
      for (let rest: typeof cut | undefined = cut; rest;)
        rest = readPage(rest.start_line, rest.column, rest.limit).cutLines[0]
    start += page.count
    if (start > page.total) return lines
  }
}

describe('a reader that goes on where its results say', () => {
  const units = fc.constantFrom('a', 'bcdefghij', '\n', 'é', '€', '😀', '"', '\\', '\u0001')
  const long = fc.array(units, { maxLength: 80 }).map((found) => found.join(''))
  const limits = fc.record({
    limit: fc.integer({ min: 0, max: 4 }),
    maxBytes: fc.integer({ min: 0, max: 60 }),
    maxLineBytes: fc.integer({ min: 0, max: 12 }),
  })

  it('reads every character once, of any text and with any limits', () => {
    fc.assert(
      fc.property(long, limits, (text, most) => {
        const lines = text.replace(/\n$/, '').split('\n')
        expect(readOn(text, most)).toEqual(text === '' ? [] : lines)
      }),
      { numRuns: 1_000 },
    )
  })

  it('has the same lines when the text arrives in pieces', () => {
    const pieces = fc.array(long, { maxLength: 6 })
    const windows = fc.record({
      start: fc.integer({ min: 1, max: 6 }),
      column: fc.integer({ min: 1, max: 60 }),
      limit: fc.integer({ min: 0, max: 3 }),
      maxBytes: fc.integer({ min: 0, max: 60 }),
      maxLineBytes: fc.integer({ min: 0, max: 12 }),
    })
    fc.assert(
      fc.property(pieces, windows, (parts, window) => {
        const counter = createCounter(window)
        for (const part of parts) counter.push(part)
        expect(counter.end()).toEqual(numberLines(parts.join(''), window))
      }),
    )
  })

  it('begins with a whole character, and with nothing behind the end of a line', () => {
    const from = (column: number) =>
      numberLines('a😀b\nc', { start: 1, column, limit: 1, maxBytes: 0, maxLineBytes: 0 }).content
    expect([1, 2, 3, 4, 5, 9].map(from)).toEqual([
      '1: a😀b',
      '1: 😀b',
      '1: 😀b',
      '1: b',
      '1: ',
      '1: ',
    ])
  })
})
