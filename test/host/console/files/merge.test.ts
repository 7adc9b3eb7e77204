/** Two texts that were made of one: changes of different lines are both taken, the others stand between marks. */

import { MARKS, mergeTexts } from '#host/console/files/merge.ts'
import { expect, it } from 'vitest'

const BASE = 'a\nb\nc\nd\ne\nf\n'

it.each([
  ['only mine', 'a\nB\nc\nd\ne\nf\n', BASE, 'a\nB\nc\nd\ne\nf\n'],
  ['only theirs', BASE, 'a\nb\nc\nd\nE\nf\n', 'a\nb\nc\nd\nE\nf\n'],
  ['different lines', 'A\nb\nc\nd\ne\nf\n', 'a\nb\nc\nd\ne\nF\n', 'A\nb\nc\nd\ne\nF\n'],
  ['the same change', 'a\nX\nc\nd\ne\nf\n', 'a\nX\nc\nd\ne\nf\n', 'a\nX\nc\nd\ne\nf\n'],
  ['added at both ends', `0\n${BASE}`, `${BASE}9\n`, `0\n${BASE}9\n`],
  ['removed and added', 'a\nd\ne\nf\n', `${BASE}g\n`, 'a\nd\ne\nf\ng\n'],
  ['of an empty text', '', '', ''],
])('merges without a conflict: %s', (_, mine, theirs, text) => {
  expect(mergeTexts(mine === '' ? '' : BASE, mine, theirs)).toEqual({ text, conflicts: 0 })
})

it('puts both between marks where the same lines changed, and loses neither', () => {
  const mine = 'a\nmine\nc\nd\ne\nf\n'
  const theirs = 'a\ntheirs\nc\nd\ne\nF\n'
  expect(mergeTexts(BASE, mine, theirs)).toEqual({
    text: `a\n${MARKS.mine}\nmine\n${MARKS.middle}\ntheirs\n${MARKS.theirs}\nc\nd\ne\nF\n`,
    conflicts: 1,
  })
})

it('ends each part with a line of its own, also at the end of a text', () => {
  const { text, conflicts } = mergeTexts('a', 'mine', 'theirs')
  expect(conflicts).toBe(1)
  expect(text.split('\n')).toEqual([MARKS.mine, 'mine', MARKS.middle, 'theirs', MARKS.theirs, ''])
})
