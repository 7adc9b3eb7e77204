/**
 * Text in which nothing hides: what it reads, and over every character there is that none without a
 * form of its own is left and none is lost.
 */

import { character } from '../support/core/character.ts'
import fc from '../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { HIDDEN, visible, visiblePieces } from '#core/visible.ts'
import { SOON_MS } from '../support/core/hostile.ts'
import { expectWithin } from '../support/core/expect-within.ts'

/** What may never be left outside an emoji, by its ranges and not by the properties of Unicode. */
const HIDING = new RegExp(
  [
    '[\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f\\u2028\\u2029]', // controls
    '[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]', // turn text round
    '[\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u206f]', // no width
    '[\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffb\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]', // no form
    '[\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2800\\u3000]', // blanks
    '[\\ud800-\\udfff]', // halves
  ].join('|'),
  'u',
)

const hides = (text: string) => HIDING.test(text)

const CHARS = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code))

const nameOf = (char: string) => {
  const [piece] = visiblePieces(char)
  return piece === undefined || typeof piece === 'string' ? null : piece.name
}

const NAMED = CHARS.flatMap((char) => {
  const name = nameOf(char)
  return name === null ? [] : [[char, name] as const]
})

const BY_NAME = new Map(NAMED.map(([char, name]) => [name, char]))

/** The text that pieces were made of. */
const textOf = (pieces: ReturnType<typeof visiblePieces>) =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : BY_NAME.get(piece.name))).join('')

describe('visible', () => {
  it.each([
    ['', ''],
    ['a b\tc', 'a b\tc'],
    ['\u202eabc\u2069', '[RLO]abc[PDI]'],
    ['a\u200bb\ufeff\u00ad', 'a[ZWSP]b[BOM][SHY]'],
    ['a\u00a0\u3000b', 'a[NBSP][U+3000]b'],
    ['\0\n\u001b\u0085\u2028', '[NUL][LF][ESC][NEL][U+2028]'],
    ['\b\v\f\r\u007f\u0001', '[BS][VT][FF][CR][DEL][U+0001]'],
    ['\u061c\u2060', '[ALM][WJ]'],
    ['a\u{e0041}\u{e0100}\ufe0f', 'a[U+E0041][U+E0100][U+FE0F]'],
    ['\u3164\u2800\u034f\ue000', '[U+3164][U+2800][U+034F][U+E000]'],
    ['\ud83d!', '[U+D83D]!'],
    ['\u{1d159}\u{16fe4}', '[U+1D159][U+16FE4]'],
    ['👨‍👩‍👧 ❤️ 👍🏽 1️⃣ 🇩🇪', '👨‍👩‍👧 ❤️ 👍🏽 1️⃣ 🇩🇪'],
    ['a\u200db', 'a[ZWJ]b'],
    ['👩\u200d', '👩[ZWJ]'],
    ['1\ufe0f', '1[U+FE0F]'],
    ['😀\ufe0f', '😀[U+FE0F]'],
    ['❤\ufe0f ©\ufe0f\ufe0f ★\ufe0f', '❤\ufe0f ©\ufe0f[U+FE0F] ★[U+FE0F]'],
    ['☝🏽 ☝\ufe0f🏽 👍🏽\ufe0f', '☝🏽 ☝[U+FE0F]🏽 👍🏽[U+FE0F]'],
    ['😀\u200d😀 👩\u200d👩', '😀[ZWJ]😀 👩[ZWJ]👩'],
    ['👩🏽\u200d💻 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥', '👩🏽\u200d💻 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥'],
    ['🏴\u{e0067}\u{e007f}', '🏴[U+E0067][U+E007F]'],
    ['né 漢字 שלום e\u0301', 'né 漢字 שלום e\u0301'],
  ])('%j reads %j', (text, expected) => {
    expect(visible(text)).toBe(expected)
  })

  it('separates names from text', () => {
    expect(visiblePieces('[RLO]\u202e')).toEqual(['[RLO]', { name: 'RLO' }])
    expect(visiblePieces('plain\ttext')).toEqual(['plain\ttext'])
  })

  it('gives every invisible character a name of its own', () => {
    expect(CHARS.filter((char) => hides(char) && nameOf(char) === null)).toEqual([])
    expect(BY_NAME.size).toBe(NAMED.length)
    expect(NAMED.filter(([, name]) => hides(name))).toEqual([])
  })

  it('keeps every character and makes hidden ones visible, for any text', () => {
    const bits = fc.constantFrom(...NAMED.slice(0, 200).map(([char]) => char), '👩', '❤️', '1', '⃣')
    const text = fc.oneof(
      fc.string({ unit: character }),
      fc
        .array(fc.oneof(bits, fc.string({ unit: 'grapheme', maxLength: 2 })))
        .map((all) => all.join('')),
    )
    const holds = fc.property(text, (each) => {
      const pieces = visiblePieces(each)
      expect(textOf(pieces)).toBe(each)
      const left = pieces.filter((piece) => typeof piece === 'string').join('\n')
      const words = left.replace(HIDDEN, (found, emoji?: string) => (emoji ? '' : found))
      expect(words.split('\n').filter(hides)).toEqual([])
    })
    fc.assert(holds, { numRuns: 500 })
  })

  it.each([
    '👩\u200d',
    '👩\u200d👩',
    '👩\u200d💻',
    '❤\ufe0f',
    '1\ufe0f',
    '\u202e',
    '漢',
    'a',
    '\ud83d',
  ])('takes linear time for 200,000 times %j', async (bit) => {
    const text = bit.repeat(200_000)
    expect(textOf(visiblePieces(text))).toBe(text)
    await expectWithin(SOON_MS, () => visiblePieces(text))
  })
})
