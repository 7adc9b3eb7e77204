/** Long texts without their middle or their end. @module */

import { cutEnd, cutMiddle } from '#core/cut-middle.ts'
import { expect, it } from 'vitest'

it.each([
  ['abcdef', 6, null],
  ['abcdefg', 6, { head: 'abc', left: 1, tail: 'efg' }],
  ['abcdefg', 5, { head: 'ab', left: 3, tail: 'fg' }],
  ['a😀bcd😀e', 5, { head: 'a', left: 7, tail: 'e' }],
])('cuts %j to %i', (text, most, cut) => {
  expect(cutMiddle(text, most)).toEqual(cut)
})

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['a😀b', 3, 'a😀'],
  ['a😀b', 2, 'a'],
  ['a\ud83d', 2, 'a\ud83d'],
])('cuts the end of %j after %i', (text, most, cut) => {
  expect(cutEnd(text, most)).toBe(cut)
})
