/** Needles: they find what a plain search finds, in linear time. */

import { exactNeedle, MAX_NEEDLE } from '#worker/search/needle.ts'
import { expect, it } from 'vitest'
import fc from '../../support/core/random.ts'

/** Few characters, rare and common ones, so that needles and parts of them are often found. */
const characters = fc.constantFrom(
  'a',
  'n',
  'H',
  'x',
  '7',
  '_',
  ' ',
  '\n',
  '$',
  'é',
  '中',
  '\u{1f600}',
)
const text = fc.string({ unit: characters, maxLength: 300 })
const needle = fc.string({ unit: characters, minLength: 1, maxLength: 20 })

/** Texts of which most contain the beginning of the needle. */
const searched = fc.tuple(fc.array(fc.oneof(text, needle), { maxLength: 8 }), needle, fc.nat(400))

it('finds what a plain search finds', () => {
  fc.assert(
    fc.property(searched, fc.boolean(), ([texts, wanted, from], hasIt) => {
      const whole = texts.join(hasIt ? wanted : '')
      const head = wanted.slice(0, MAX_NEEDLE)
      const start = whole.indexOf(head, from)
      const end = start === -1 || from > whole.length ? -1 : start + head.length - 1
      expect(exactNeedle(wanted)(whole, from)).toBe(end)
    }),
    { numRuns: 2_000 },
  )
})

it.each(['needleInHaystack', 'x', 'return', 'a1', '中文'])(
  'finds %s wherever its rare character is common',
  (wanted) => {
    const head = wanted.slice(0, MAX_NEEDLE)
    const find = exactNeedle(wanted)
    const before = 'H'.repeat(5_000) + '1'.repeat(5_000) + '中'.repeat(5_000) + 'I'.repeat(5_000)
    expect(find(before + wanted, 0)).toBe(before.length + head.length - 1)
    expect(find(wanted + before + wanted, 1)).toBe(wanted.length + before.length + head.length - 1)
    expect(find(before + wanted.slice(0, -1), 0)).toBe(
      wanted.length > MAX_NEEDLE ? before.length + head.length - 1 : -1,
    )
  },
)
