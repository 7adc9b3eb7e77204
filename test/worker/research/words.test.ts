/** The words of a query, and how they count. */

import { MAX_RESEARCH_WORDS } from '#worker/research/limits.ts'
import { indexQueryOf, scorePath, scoreText, wordsOf } from '#worker/research/words.ts'
import { expect, it } from 'vitest'

it.each([
  ['What is the Q4 plan?', ['what', 'plan', 'the', 'is', 'q4']],
  ['plan PLAN Plan', ['plan']],
  ['snake_case und Größe', ['snake_case', 'größe', 'und']],
  ['四半期 計画', ['四半期', '計画']],
  ['?!', []],
])('%j has the words %j', (query, words) => expect(wordsOf(query)).toEqual(words))

it('keeps the longest words', () => {
  const query = Array.from({ length: 50 }, (_, index) => 'x'.repeat(index + 1)).join(' ')
  const lengths = wordsOf(query).map((word) => word.length)
  expect(lengths).toEqual(Array.from({ length: MAX_RESEARCH_WORDS }, (_, index) => 50 - index))
})

it.each([
  [['plan', 'the', 'is'], '("pla" AND "lan") OR ("the")'],
  [['straße', 'plan'], '("str" AND "tra") OR ("pla" AND "lan")'],
  [['größe', 'plan'], null],
  [['is'], null],
  [['計画', 'plan'], null],
])('asks the index for %j with %j', (words, query) => expect(indexQueryOf(words)).toBe(query))

it('counts a word in the name more than in the folder, and longer words more', () => {
  const of = (path: string) => scorePath(path, ['strategy', 'plan'])
  expect(of('/plan.md')).toBeGreaterThan(of('/plan/a.md'))
  expect(of('/Strategy.md')).toBeGreaterThan(of('/plan.md'))
  expect(of('/other.md')).toBe(0)
})

it('counts words, their number and the whole phrase', () => {
  const of = (text: string) => scoreText(text, ['launch', 'plan'], 'launch plan')
  expect(of('nothing')).toBe(0)
  expect(of('plan plan')).toBeGreaterThan(of('plan'))
  expect(of('plan of the Launch')).toBeGreaterThan(of('plan plan plan'))
  expect(of('the LAUNCH PLAN')).toBeGreaterThan(of('plan of the launch'))
  expect(of('plan '.repeat(64))).toBe(of('plan '.repeat(1_000)))
})
