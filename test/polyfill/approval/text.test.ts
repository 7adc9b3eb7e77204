import { character } from '../../support/core/character.ts'
import fc from '../../support/core/random.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { HIDDEN } from '#core/visible.ts'
import { intrinsics } from '#polyfill/approval/intrinsics.ts'
import { shown } from '#polyfill/approval/ui/dom.ts'
import { setIntrinsics } from '#polyfill/approval/ui/intrinsics.ts'
import { drawPreview } from '#polyfill/approval/ui/preview.ts'

beforeAll(() => {
  if (intrinsics) setIntrinsics(intrinsics)
})

const HIDING = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u2800\u00a0\u3000]/u

/** Emoji and what shapes text are let through. */
const rest = (text: string) =>
  text.replace(HIDDEN, (found, emoji?: string) => (emoji ? '' : found)).replace(/[\n\t]/g, '')

describe('untrusted text', () => {
  it.each([
    ['a\u202eb', 'aU+202Eb'],
    ['\u0000', 'U+0000'],
    ['a\u00a0b', 'aU+00A0b'],
    ['\ud800', 'U+D800'],
    ['tab\tline\n', 'tab\tline\n'],
    ['👩‍👩‍👧 ok', '👩‍👩‍👧 ok'],
    ['a\u200db', 'aU+200Db'],
  ])('%o', (text, expected) => {
    expect(shown(text).textContent).toBe(expected)
  })

  it('never hides anything, and never becomes markup', () => {
    const strings = fc.oneof(fc.string({ unit: character }), fc.string({ unit: 'grapheme' }))
    const holds = fc.property(strings, (text) => {
      const element = shown(text)
      expect(rest(element.textContent ?? '')).not.toMatch(HIDING)
      expect([...element.querySelectorAll('*')].every(({ localName }) => localName === 'i')).toBe(
        true,
      )
    })
    fc.assert(holds, { numRuns: 500 })
  })

  it('is cut if it is too long, with the number of omitted characters', () => {
    expect(shown('a'.repeat(20), 5).textContent).toBe('aaaaa15 more characters')
  })
})

describe('previews', () => {
  it.each<[string, unknown, string[]]>([
    ['text', 'one\ntwo', ['one', 'two']],
    ['content', { content: [{ type: 'text', text: 'one' }, { type: 'image' }] }, ['one']],
    ['nothing known', { a: 1 }, ['{', '  "a": 1', '}']],
    ['nothing', null, ['null']],
    [
      'hunks',
      { hunks: [{ path: '/a', newStart: 1, lines: [{ kind: 'insert', text: 'x' }] }] },
      ['@@ /a 1', '+ x'],
    ],
    [
      'broken hunks',
      { hunks: [null, { lines: [3, { kind: {} }] }] },
      ['@@  ', '@@  ', '   ', '   '],
    ],
  ])('are lines: %s', (_, preview, lines) => {
    const drawn = [...drawPreview(preview).children].map((line) => line.textContent)
    expect(drawn.map((line) => line?.trimEnd())).toEqual(lines.map((line) => line.trimEnd()))
  })

  it('show what is added and what goes', () => {
    const diff = drawPreview('@@ -1 +1 @@\n-old\n+new\n same')
    expect([...diff.children].map(({ className }) => className)).toEqual(['at', 'cut', 'add', ''])
  })

  it('take anything', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true }), (preview) => void drawPreview(preview)),
    )
  })
})
