import { diffTexts } from '#core/diff/hunks.ts'
import { cutHunks } from '../../../views/diff/cut-hunks.ts'
import { expect, it } from 'vitest'

const numbers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => `${from + at}\n`).join('')

it('shows a difference of up to 500 lines as a whole', () => {
  const { hunks } = diffTexts('', numbers(500))
  expect(cutHunks(hunks)).toEqual({ shown: hunks, left: 0 })
})

it('shows the first 400 lines of a longer one, and counts the others', () => {
  const { hunks } = diffTexts('', numbers(2_000))
  const { shown, left } = cutHunks(hunks)
  expect(left).toBe(1_600)
  expect(shown).toHaveLength(1)
  expect(shown[0]).toMatchObject({ newLines: 400, oldLines: 0 })
  expect(shown[0]?.lines).toEqual(hunks[0]?.lines.slice(0, 400))
})

it('cuts the hunk that reaches beyond them, with the numbers of the lines that stay', () => {
  const { hunks } = diffTexts(
    numbers(1_000),
    numbers(300, 5_000) + numbers(400, 300) + numbers(300, 9_000),
  )
  const { shown, left } = cutHunks(hunks)
  const lines = shown.flatMap((hunk) => hunk.lines)
  expect(lines).toHaveLength(400)
  expect(left).toBe(hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0) - 400)
  for (const hunk of shown)
    expect(hunk.oldLines).toBe(hunk.lines.filter(({ kind }) => kind !== 'insert').length)
})
