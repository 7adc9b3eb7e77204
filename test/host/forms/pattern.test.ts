/** Untrusted patterns: tried where that takes little time, otherwise left to the server. */

import { isMismatch } from '#host/forms/validate.ts'
import { within } from '../../support/core/expect-within.ts'
import fc from '../../support/core/random.ts'
import { expect, it } from 'vitest'

it.each([
  ['^[a-z]+$', 'abc', false],
  ['^[a-z]+$', 'aBc', true],
  ['^[a-z]{2,3}$', 'abcd', true],
  ['^\\d{4}-\\d{2}$', '2026-07', false],
  ['^\\d{4}-\\d{2}$', 'soon', true],
  ['^(a|b)$', 'c', true],
  ['^[)+]+$', 'x', true],
  ['^\\p{L}+$', 'é', false],
  ['^\\p{L}+$', '1', true],
  // A slow or invalid pattern is never a mismatch here.
  ['^(a+)+$', 'b', false],
  ['^(a|a)*$', 'b', false],
  ['^(\\w+\\s?)*$', '!', false],
  ['(a)\\1', 'b', false],
  ['(?<x>a)\\k<x>', 'b', false],
  ['(', 'b', false],
])('%s on %s', (pattern, text, expected) => {
  expect(isMismatch(pattern, text)).toBe(expected)
})

it('takes bounded time', () => {
  const parts = [
    'a',
    '\\w',
    '[ab]',
    '.',
    '(a|b)',
    '(',
    ')',
    '*',
    '+',
    '?',
    '{2,}',
    '|',
    '^',
    '$',
    '\\',
  ]
  const pattern = fc
    .array(fc.constantFrom(...parts), { maxLength: 14 })
    .map((list) => list.join(''))
  const text = fc.integer({ min: 0, max: 5_000 }).map((length) => `${'a'.repeat(length)}!`)
  fc.assert(
    fc.property(pattern, text, (source, subject) => {
      within(500, () => isMismatch(source, subject))
    }),
    { numRuns: 500 },
  )
})
