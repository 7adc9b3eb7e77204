/** UTF-16: decodes and encodes it in either byte order. `test/worker/texts/text.test.ts` tests it. @module */

import type { ReadonlyBytes } from '../encoding/bytes.ts'

/** The byte order of UTF-16. */
export type Utf16 = 'utf-16le' | 'utf-16be'

/** Code units that one call turns into a string: arguments of a call are limited. */
const UNITS_PER_CALL = 8_192

/** Returns the string of UTF-16 code units, as they are. */
export function stringOf(units: Uint16Array): string {
  let text = ''
  for (let at = 0; at < units.length; at += UNITS_PER_CALL)
    text += String.fromCharCode(...units.subarray(at, at + UNITS_PER_CALL))
  return text
}

/** Returns the byte order that a byte order mark names; null without one. */
export function utf16Of(bytes: ReadonlyBytes): Utf16 | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
}

/** Decodes an even number of bytes. Lone surrogates stay. */
export function decodeUtf16(bytes: ReadonlyBytes, order: Utf16): string {
  const [low, high] = order === 'utf-16le' ? [0, 1] : [1, 0]
  const units = new Uint16Array(bytes.length >> 1)
  for (let unit = 0, at = 0; unit < units.length; unit++, at += 2)
    units[unit] = (bytes[at + low] ?? 0) | ((bytes[at + high] ?? 0) << 8)
  return stringOf(units)
}

/** Encodes a text without adding a byte order mark. */
export function encodeUtf16(text: string, order: Utf16): Uint8Array {
  const [low, high] = order === 'utf-16le' ? [0, 1] : [1, 0]
  const bytes = new Uint8Array(text.length * 2)
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    bytes[2 * at + low] = unit & 0xff
    bytes[2 * at + high] = unit >> 8
  }
  return bytes
}
