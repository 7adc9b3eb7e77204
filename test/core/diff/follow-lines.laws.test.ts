/** Where quoted lines of an earlier text are in a later one. */

import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { followLines, quoteLines, type LineRange } from '#core/diff/follow-lines.ts'
import { runs } from '../../support/core/runs.ts'

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

/** Lines that each occur once, marked so that lines of different places never are equal. */
const linesOf = (mark: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${mark}${index}`)

const count = fc.nat({ max: 30 })
const some = fc.integer({ min: 1, max: 30 })

/** What is above a range, in it and below it, before and after an edit elsewhere. */
const elsewhere = fc.record({
  above: count,
  within: some,
  below: count,
  newAbove: count,
  newBelow: count,
})

const few = fc.array(fc.constantFrom('a', 'b', '', '}', 'a\r'), { maxLength: 12 })

const linesBetween = ({ first, last }: LineRange) => last - first + 1

describe('lines that are followed', () => {
  it('move exactly with an edit elsewhere', () => {
    fc.assert(
      fc.property(elsewhere, ({ above, within, below, newAbove, newBelow }) => {
        const kept = linesOf('kept', within)
        const before = textOf([...linesOf('a', above), ...kept, ...linesOf('b', below)])
        const after = textOf([...linesOf('A', newAbove), ...kept, ...linesOf('B', newBelow)])
        const range = { first: above + 1, last: above + within }
        const quote = null
        expect(followLines({ range, quote, before }, after)).toEqual({
          first: newAbove + 1,
          last: newAbove + within,
        })
      }),
      runs(300),
    )
  })

  it('are outdated after an edit inside, unless the quote is at one place elsewhere', () => {
    fc.assert(
      fc.property(some, fc.nat({ max: 2 }), (within, copies) => {
        const old = linesOf('old', within)
        const before = textOf(['top', ...old, 'end'])
        const more = Array.from({ length: copies }, (_, index) => [`copy${index}`, ...old]).flat()
        const after = textOf(['top', ...old.with(0, 'edited'), 'end', ...more])
        const range = { first: 2, last: within + 1 }
        const found = followLines({ range, quote: old.join('\n'), before }, after)
        const place = { first: within + 4, last: 2 * within + 3 }
        // One line that was replaced by another is at the place of its copy alone.
        expect(found).toEqual(copies === 1 ? place : null)
      }),
      runs(200),
    )
  })

  it('have their text wherever they are found, whatever the texts are', () => {
    fc.assert(
      fc.property(few, few, fc.nat(), fc.nat(), fc.boolean(), (old, next, from, size, isStored) => {
        fc.pre(old.length > 0)
        const first = (from % old.length) + 1
        const range = { first, last: Math.min(old.length, first + (size % 3)) }
        const before = textOf(old)
        const quote = quoteLines(before, range)
        expect(quote).not.toBeNull()
        const after = textOf(next)
        const found = followLines({ range, quote, before: isStored ? before : null }, after)
        if (found) expect(quoteLines(after, found)).toBe(quote)
      }),
      runs(1_000),
    )
  })

  it('are found by their text alone where the earlier text is not stored, if it occurs once', () => {
    fc.assert(
      fc.property(
        few,
        fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 4 }),
        (lines, wanted) => {
          const text = textOf(lines)
          const places = lines.flatMap((_, index) =>
            wanted.every((line, at) => lines[index + at] === line) ? [index + 1] : [],
          )
          const range = { first: 1, last: wanted.length }
          const found = followLines({ range, quote: wanted.join('\n'), before: null }, text)
          expect(found?.first ?? null).toBe(places.length === 1 ? places[0] : null)
          if (found) expect(linesBetween(found)).toBe(wanted.length)
        },
      ),
      runs(500),
    )
  })
})

describe('quoted lines', () => {
  it.each([
    [1, 1, 'a'],
    [2, 3, 'b\n'],
    [3, 3, ''],
    [0, 1, null],
    [2, 1, null],
    [3, 4, null],
  ])('of lines %i to %i are %j', (first, last, quote) => {
    expect(quoteLines('a\nb\n\n', { first, last })).toBe(quote)
  })

  it('end with a last line that has no line break', () => {
    expect(quoteLines('a\nb', { first: 2, last: 2 })).toBe('b')
    const lines = { range: { first: 2, last: 2 }, quote: 'b', before: 'a\nb' }
    expect(followLines(lines, 'a\nb\n')).toEqual({ first: 2, last: 2 })
  })
})

it.each([
  ['all lines alike', 'same\n'.repeat(100_000), 'same\n'.repeat(99_999) + 'end\n'],
  ['no line alike', textOf(linesOf('x', 100_000)), textOf(linesOf('y', 100_000))],
  [
    'lines in another order',
    textOf(linesOf('z', 100_000)),
    textOf(linesOf('z', 100_000).toReversed()),
  ],
])('takes no long search among %s', (_, before, after) => {
  const range = { first: 50_000, last: 50_100 }
  const began = Date.now()
  followLines({ range, quote: quoteLines(before, range), before }, after)
  expect(Date.now() - began).toBeLessThan(2_000)
})
