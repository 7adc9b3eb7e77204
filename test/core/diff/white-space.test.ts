import { diffTexts } from '#core/diff/hunks.ts'
import { ignoreWhiteSpace } from '#core/diff/white-space.ts'
import { describe, expect, it } from 'vitest'

const linesOf = (before: string, after: string) =>
  ignoreWhiteSpace(diffTexts(before, after).hunks).flatMap(({ lines }) =>
    lines.map(({ kind, text }) => `${{ context: ' ', delete: '-', insert: '+' }[kind]}${text}`),
  )

describe('differences without white space', () => {
  it('leaves out a hunk in which only spaces and tabs differ', () => {
    expect(linesOf('a\nb\n', '  a\n\tb \n')).toEqual([])
    expect(linesOf('a\r\nb\r\n', 'a\nb\n')).toEqual([])
  })

  it('keeps other changes between lines that are drawn as they are now', () => {
    expect(linesOf('if (x) {\none\ntwo\n}\n', 'if (x) {\n  one\n  TWO\n}\n')).toEqual([
      ' if (x) {',
      '   one',
      '-two',
      '+  TWO',
      ' }',
    ])
  })

  it('keeps blank lines that are new, and characters that only look like a space', () => {
    expect(linesOf('a\nb\n', 'a\n\nb\n')).toEqual([' a', '+', ' b'])
    expect(linesOf('a b\n', 'a\u00a0b\n')).toEqual(['-a b', '+a\u00a0b'])
    expect(linesOf('ab\n', 'a\u200bb\n')).toEqual(['-ab', '+a\u200bb'])
  })

  it('counts as many lines as the hunk has', () => {
    const { hunks } = diffTexts('x\n a\nb\n', 'x\na\nB\nc\n')
    for (const { lines, oldLines, newLines } of ignoreWhiteSpace(hunks)) {
      expect(lines.filter(({ kind }) => kind !== 'insert')).toHaveLength(oldLines)
      expect(lines.filter(({ kind }) => kind !== 'delete')).toHaveLength(newLines)
    }
  })

  it('hides neither the end of the last line nor a return inside of a line', () => {
    expect(linesOf('a\nb', 'a\nb\n')).toEqual([' a', '-b', '+b'])
    expect(linesOf('a\rb\n', 'ab\n')).toEqual(['-a\rb', '+ab'])
  })
})
