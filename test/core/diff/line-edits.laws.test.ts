import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { diffTexts } from '#core/diff/hunks.ts'
import {
  applyLineEdits,
  editOfHunk,
  editsBetween,
  type LineEdit,
  type LineEditError,
} from '#core/diff/line-edits.ts'
import { err, ok } from '#core/result.ts'
import { runs } from '../../support/core/runs.ts'

/** Lines with either ending, so that a text mixes them. */
const line = fc.constantFrom('\n', '\r\n', 'a\n', 'a\r\n', 'b\n', '\tb\r\n', '}\n', 'é\n', 'a\rb\n')
const last = fc.constantFrom('', '', 'a', 'b\r', '\r', 'é')
const lines = fc.array(line, { maxLength: 30 })
const text = fc.tuple(lines, last).map(([all, end]) => all.join('') + end)
const splice = fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 3 }), fc.array(line, { maxLength: 3 }))

/** Two texts that have much in common, or nothing. */
const texts = fc.oneof(
  fc.tuple(text, text),
  fc
    .tuple(lines, last, last, fc.array(splice, { maxLength: 4 }))
    .map(([all, oldEnd, newEnd, splices]) => {
      const next = [...all]
      for (const [at, gone, added] of splices) next.splice(at, gone, ...added)
      return [all.join('') + oldEnd, next.join('') + newEnd] as const
    }),
)
const context = fc.integer({ min: 0, max: 4 })

/** Which hunks are left out, by their position. */
const left = fc.array(fc.boolean(), { minLength: 40, maxLength: 40 })

describe('line edits', () => {
  it('undo all hunks of a difference', () => {
    fc.assert(
      fc.property(texts, context, ([before, after], around) => {
        const { hunks } = diffTexts(before, after, around)
        expect(applyLineEdits(after, hunks.map(editOfHunk))).toEqual(ok(before))
      }),
      runs(500),
    )
  })

  it('leave the other hunks as they are', () => {
    fc.assert(
      fc.property(texts, context, left, ([before, after], around, leftOut) => {
        const { hunks } = diffTexts(before, after, around)
        const isLeftOut = (_: unknown, index: number) => leftOut[index % leftOut.length] === true
        const taken = hunks.filter((one, index) => !isLeftOut(one, index))
        const amended = applyLineEdits(after, hunks.filter(isLeftOut).map(editOfHunk))
        // The hunks that are taken, applied to the text before: each replaces its old lines by its new ones.
        expect(applyLineEdits(before, taken.map(forward))).toEqual(amended)
      }),
      runs(500),
    )
  })

  it('between two texts make one of the other', () => {
    fc.assert(
      fc.property(texts, ([before, after]) => {
        expect(applyLineEdits(before, editsBetween(before, after))).toEqual(ok(after))
      }),
      runs(500),
    )
  })
})

/** The edit that makes the change of a hunk. */
function forward({ oldStart, oldLines, lines: all }: Parameters<typeof editOfHunk>[0]): LineEdit {
  const kept = all.filter(({ kind }) => kind !== 'delete')
  const insert = kept.map(({ text: one, noNewline }) => (noNewline ? one : `${one}\n`)).join('')
  return { at: oldLines === 0 ? oldStart + 1 : oldStart, remove: oldLines, insert }
}

const edit = (at: number, remove: number, insert = ''): LineEdit => ({ at, remove, insert })

describe('applying line edits', () => {
  it.each<[string, LineEdit[], string]>([
    ['', [], ''],
    ['', [edit(1, 0, 'a\n')], 'a\n'],
    ['a\n', [edit(2, 0, 'b')], 'a\nb'],
    ['a', [edit(2, 0, 'b')], 'ab'],
    ['a\r\nb\n', [edit(1, 1)], 'b\n'],
    ['a\r\nb\n', [edit(2, 1, 'c\n')], 'a\r\nc\n'],
    ['a\nb\nc', [edit(1, 1, 'x\n'), edit(3, 1, 'z\r\n')], 'x\nb\nz\r\n'],
    ['a\nb\n', [edit(2, 0, '1\n'), edit(2, 1, '2\n')], 'a\n1\n2\n'],
    ['\ufeffa\n', [edit(1, 1, '\ufeffb\n')], '\ufeffb\n'],
  ])('%j with %j is %j', (before, edits, after) => {
    expect(applyLineEdits(before, edits)).toEqual(ok(after))
  })

  it.each<[LineEdit[], LineEditError]>([
    [[edit(0, 1)], { reason: 'no_line', edit: 0, lines: 2 }],
    [[edit(4, 0)], { reason: 'no_line', edit: 0, lines: 2 }],
    [[edit(3, 1)], { reason: 'no_line', edit: 0, lines: 2 }],
    [[edit(1, -1)], { reason: 'no_line', edit: 0, lines: 2 }],
    [[edit(1.5, 0)], { reason: 'no_line', edit: 0, lines: 2 }],
    [[edit(1, Number.NaN)], { reason: 'no_line', edit: 0, lines: 2 }],
    [[edit(1, 2), edit(2, 1)], { reason: 'overlap', edit: 1, lines: 2 }],
    [[edit(2, 1), edit(1, 1)], { reason: 'overlap', edit: 1, lines: 2 }],
  ])('refuses %j', (edits, error) => {
    expect(applyLineEdits('a\nb\n', edits)).toEqual(err(error))
  })
})
