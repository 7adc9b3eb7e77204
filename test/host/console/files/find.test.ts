/** Finding a text: all places, the next one and the one before. */

import { findAll, MAX_FOUND, nextPlace } from '#host/console/files/find.ts'
import { expect, it } from 'vitest'

it.each([
  ['one two One', 'one', [0, 8]],
  ['one two One', 'One', [8]],
  ['aaaa', 'aa', [0, 2]],
  ['a.b', '.', [1]],
  ['İ i', 'i', [2]],
  ['text', '', []],
])('finds in %j: %j', (text, wanted, places) => {
  expect(findAll(text, wanted)).toEqual(places)
})

it('counts no more places than its bound', () => {
  expect(findAll('a'.repeat(MAX_FOUND + 5), 'a')).toHaveLength(MAX_FOUND)
})

it.each([
  [4, 1, 1],
  [8, 1, 1],
  [9, 1, 0],
  [8, -1, 0],
  [0, -1, 1],
] as const)('goes from %i in direction %i to place %i', (caret, step, index) => {
  expect(nextPlace([0, 8], caret, step)).toBe(index)
})

it('has no next place where nothing is found', () => {
  expect(nextPlace([], 3, 1)).toBe(-1)
})
