/** Lines of texts of which the widths are known. @module */

import { expect, it } from 'vitest'
import { countLines } from '../../../host/console/activity/drawn-lines.ts'
import { expectWithin } from '../../support/core/expect-within.ts'

const FONT = '20px monospace'

/** The width of some characters, with a pixel to spare. */
function widthOf(count: number): number {
  const element = document.createElement('span')
  element.style.font = FONT
  element.textContent = 'a'.repeat(count)
  document.body.append(element)
  const { width } = element.getBoundingClientRect()
  element.remove()
  return width + 1
}

it('breaks at spaces, and in words that are wider than the line', () => {
  const texts = ['', 'ten', '0123456789', '012345 789', '012345 7890', 'a'.repeat(21)]
  expect(countLines(texts, FONT, widthOf(10))).toEqual([1, 1, 1, 1, 2, 3])
})

it('leaves nothing in the page, and takes a moment for a text of any length', async () => {
  const before = document.body.childElementCount
  const count = () => countLines(['word '.repeat(1_000_000)], FONT, 600)[0]
  expect(count()).toBeGreaterThan(40)
  await expectWithin(2000, count)
  expect(document.body.childElementCount).toBe(before)
})
