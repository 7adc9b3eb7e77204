/** Long values without their middle. @module */

import { cutMiddle } from '#core/cut-middle.ts'
import { expect, it } from 'vitest'

it.each([
  ['abcdef', 6, null],
  ['abcdefg', 6, { head: 'abc', left: 1, tail: 'efg' }],
  ['abcdefg', 5, { head: 'ab', left: 3, tail: 'fg' }],
  ['a😀bcd😀e', 5, { head: 'a', left: 7, tail: 'e' }],
])('cuts %j to %i', (text, most, cut) => {
  expect(cutMiddle(text, most)).toEqual(cut)
})
