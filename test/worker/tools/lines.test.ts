/** Numbered lines: what is shown is what a slow and simple counterpart shows, whatever the limits are. */

import { describe, expect, it } from 'vitest'
import { numberLines } from '#worker/tools/lib/line-counter.ts'
import type { LineWindow } from '#worker/tools/lib/lines.ts'
import fc from '../../support/core/random.ts'

const bytesOf = (text: string) => new TextEncoder().encode(JSON.stringify(text)).length - 2

/** Cuts a numbered line to the characters that fit, or to one byte, and says how many bytes it hides. */
function cutSlowly(line: string, maxBytes: number): string {
  const utf8 = (text: string) => new TextEncoder().encode(text).length
  const number = line.slice(0, line.indexOf(' ') + 1)
  const characters = Array.from(line.slice(number.length))
  const beginnings = characters.map((_, at) => characters.slice(0, at + 1).join(''))
  const fits = (text: string) => utf8(text) <= 1 || bytesOf(`${number}${text}\n`) <= maxBytes
  const kept = beginnings.findLast(fits) ?? ''
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
