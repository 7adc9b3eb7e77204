/** The colours of an edited text: those of the whole text, whichever lines are asked for first. */

import { createPainter } from '#host/console/files/painter.ts'
import { expect, it } from 'vitest'

const kindsOf = (painter: ReturnType<typeof createPainter>, line: number) =>
  painter.tokensOf(line).map(([, kind]) => kind)

it('knows what a line continues, and learns it again after an edit above it', () => {
  const painter = createPainter('a.ts')
  painter.setLines(['/* one', 'const a', '*/ const b'])
  expect(kindsOf(painter, 1)).toEqual(['comment'])
  expect(kindsOf(painter, 2)).toContain('keyword')
  painter.setLines(['// one', 'const a', '*/ const b'])
  expect(kindsOf(painter, 1)).toContain('keyword')
  painter.setLines(['// one', 'const a', 'x'])
  expect(kindsOf(painter, 1)).toContain('keyword')
})

it('keeps every character, and leaves a text of no known language plain', () => {
  const painter = createPainter('unknown.zzz')
  painter.setLines(['const a = "b"'])
  expect(painter.tokensOf(0)).toEqual([['const a = "b"', null]])
  expect(painter.tokensOf(5)).toEqual([['', null]])
})
