/** Lines as they are shown: marked where they changed, shortened where they are long. */

import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { MAX_SHOWN_LENGTH, partsOf } from '#core/diff/layout.ts'

describe('a line', () => {
  it('has marks where it changed', () => {
    expect(partsOf('one two', [[4, 7]])).toEqual([
      { text: 'one ', marked: false },
      { text: 'two', marked: true },
    ])
  })

  it('is cut in long unchanged parts', () => {
    const text = `${'x'.repeat(5_000)}here${'y'.repeat(5_000)}`
    const parts = partsOf(text, [[5_000, 5_004]])
    expect(parts.some((part) => part.marked && part.text === 'here')).toBe(true)
    const shown = parts.reduce((sum, part) => sum + part.text.length, 0)
    const left = parts.reduce((sum, part) => sum + (part.left ?? 0), 0)
    expect(shown).toBeLessThan(MAX_SHOWN_LENGTH)
    expect(shown + left).toBe(text.length)
  })

  it('is never cut within a character', () => {
    const parts = partsOf(`x${'😀'.repeat(5_000)}`, [[4_001, 4_003]])
    expect(parts.some(({ left }) => left !== undefined)).toBe(true)
    expect(parts.every(({ text }) => text.isWellFormed())).toBe(true)
  })

  it('shows or counts every character once, for any spans', () => {
    const span = fc.tuple(fc.nat(6_000), fc.nat(6_000))
    const line = fc.tuple(fc.nat(5_000), fc.array(span, { maxLength: 20 }))
    const holds = fc.property(line, ([length, spans]) => {
      const text = Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')
      let at = 0
      for (const part of partsOf(text, spans)) {
        if (part.left === undefined) expect(text.startsWith(part.text, at)).toBe(true)
        at += part.text.length + (part.left ?? 0)
      }
      expect(at).toBe(text.length)
    })
    fc.assert(holds, { numRuns: 300 })
  })
})
