/** Lists in sentences. */

import { joinPieces, joinWords } from '#core/join-words.ts'
import { expect, it } from 'vitest'

it.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
])('joins %j', (items, sentence) => expect(joinWords(items)).toBe(sentence))

it('joins pieces of any kind, with another word', () =>
  expect(joinPieces([[1, 2], [3], [4]], 'or')).toEqual([1, 2, ', ', 3, ' or ', 4]))
