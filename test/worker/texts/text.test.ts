/** Texts: which bytes are text, how they are encoded, and that encoding gives back every byte. */

import { describe, expect, it } from 'vitest'
import { decodeDamaged, encodeDamaged } from '#worker/texts/damaged.ts'
import { createStreamDecoder } from '#worker/texts/stream.ts'
import { decodeText, encodeText, encodingOf, shownText, withoutMarks } from '#worker/texts/text.ts'
import fc from '../../support/core/random.ts'
import { bytesOf, FILES, utf16 } from '../../support/worker/encoded.ts'

describe('encodingOf', () => {
  it.each(FILES)('finds out how %s is encoded', (_what, bytes, encoding) => {
    expect(encodingOf(bytes)).toBe(encoding)
  })

  it('decodes text after bytes that are not', () => {
    expect(encodingOf(bytesOf(0x61, 0xe2, 0x82))).toBe('damaged')
    expect(encodingOf(bytesOf(0))).toBe('binary')
    expect(decodeText(new TextEncoder().encode('a€'))?.content).toBe('a€')
  })

  it('takes random bytes for binary', () => {
    let next = 1
    const random = () => (next = (next * 48_271) % 2_147_483_647) & 0xff
    for (const size of [600, 5_000, 200_000])
      expect(encodingOf(Uint8Array.from({ length: size }, random))).toBe('binary')
  })
})

const anyBytes = fc.uint8Array({ maxLength: 40 })
const someBytes = fc
  .array(
    fc.oneof(
      fc
        .constantFrom('a', 'é', '€', '😀', '\n', '\r\n', '\r', '\ufeff', '\ufffd')
        .map((text) => new TextEncoder().encode(text)),
      anyBytes,
    ),
    { maxLength: 20 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])))

describe('damaged text', () => {
  it('gives back every byte', () => {
    fc.assert(
      fc.property(someBytes, (bytes) => {
        expect(encodeDamaged(decodeDamaged(bytes))).toEqual(bytes)
      }),
      { numRuns: 500 },
    )
  })

  it('has the characters that the platform decodes, and a mark for each other byte', () => {
    fc.assert(
      fc.property(someBytes, (bytes) => {
        const shown = decodeDamaged(bytes)
          .toWellFormed()
          .replaceAll(/\ufffd+/g, '\ufffd')
        const known = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes)
        expect(shown).toBe(known.replaceAll('\0', '\ufffd').replaceAll(/\ufffd+/g, '\ufffd'))
      }),
      { numRuns: 500 },
    )
  })
})

const content = fc.oneof(
  ...[someBytes, anyBytes],
  someBytes.map((bytes) => utf16(new TextDecoder().decode(bytes).replaceAll('\0', ''), 'utf-16le')),
  someBytes.map((bytes) => utf16(new TextDecoder().decode(bytes).replaceAll('\0', ''), 'utf-16be')),
)

it('a decoded text is encoded to the same bytes', () => {
  fc.assert(
    fc.property(content, (bytes) => {
      const text = decodeText(bytes)
      if (text) expect(Uint8Array.from(encodeText(text))).toEqual(bytes)
    }),
    { numRuns: 500 },
  )
})

it('a stream has the text and the encoding of the whole, however it is cut', () => {
  fc.assert(
    fc.property(content, fc.integer({ min: 1, max: 20 }), (bytes, size) => {
      const decoder = createStreamDecoder()
      let text = ''
      for (let at = 0; at < bytes.length; at += size)
        text += decoder.push(bytes.subarray(at, at + size))
      text += decoder.end()
      const whole = decodeText(bytes)
      expect(decoder.encoding()).toBe(whole?.encoding ?? 'binary')
      if (whole) expect(text).toBe(withoutMarks(whole.content, whole.encoding))
    }),
    { numRuns: 1_000 },
  )
})

it('a reader sees no carriage return of a line end', () => {
  const decoded = decodeText(new TextEncoder().encode('a\r\nb\nc\rd\r\r\n'))
  expect(decoded && shownText(decoded)).toBe('a\nb\nc\rd\r\n')
})
