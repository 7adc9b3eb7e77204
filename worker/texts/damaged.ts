/**
 * Damaged text: bytes that are not UTF-8 or have a NUL, and are text all the same.
 *
 * Each byte that is no part of a character is a *mark* in the decoded text: a lone surrogate, from which the byte is
 * encoded again, so an edit elsewhere leaves it as it is. No text of a caller has such a character. Readers see the
 * replacement character U+FFFD instead, which has the same length. `test/worker/texts/text.test.ts` tests it.
 *
 * @module
 */

import { hasBytes, type ReadonlyBytes } from '../encoding/bytes.ts'
import { stringOf } from './utf16.ts'

/** Added to a byte that is no part of a character. */
const MARK = 0xdc00

/** The marks of a text: with the flag `u`, a surrogate that is part of a pair is none. */
const MARKS = /[\udc00-\udcff]/gu

/** Bytes at the beginning of content from which follows whether it is text. */
export const SAMPLE_BYTES = 64 * 1024

/** Characters that text has no use for, except as an accident. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\x01-\x07\x0e-\x1a\x1c-\x1f\x7f\udc00]/gu

const INVALID = /[\udc80-\udcff]/gu

/** NULs in a row that one accident leaves, as when a machine stops while a log is written. They count as a few. */
const PAD = /\udc00{8,}/gu
const SHORT_PAD = '\udc00'.repeat(8)

/** The mark in the header of a tar archive, whose other NULs fill fields. */
const TAR = { at: 257, mark: 'ustar' }

/** The beginnings of formats whose bytes could pass for damaged text. */
const SIGNATURES = [
  '\x89PNG',
  'GIF8',
  '\xff\xd8\xff',
  '%PDF-',
  'PK\x03\x04',
  'PK\x05\x06',
  '\x1f\x8b',
  'BZh',
  '7z\xbc\xaf',
  '\xfd7zXZ',
  '\x28\xb5\x2f\xfd',
  'RIFF',
  'OggS',
  'ID3',
  'fLaC',
  'wOF',
  '8BPS',
  '\x7fELF',
  '\xca\xfe\xba\xbe',
  '\xd0\xcf\x11\xe0',
  '\0asm',
  '\0\0\0',
  'SQLite format 3\0',
]

/**
 * Whether content that is not valid text is binary, by its first {@link SAMPLE_BYTES}: it has a known signature, or too
 * many control characters. Among bytes of no character, few of them are enough.
 */
export function looksBinary(bytes: ReadonlyBytes): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  if (SIGNATURES.some((signature) => hasBytes(sample, 0, signature))) return true
  if (hasBytes(sample, TAR.at, TAR.mark)) return true
  const whole = decodeDamaged(sample)
  const text = whole.replaceAll(PAD, SHORT_PAD)
  const size = sample.length - (whole.length - text.length)
  const controls = text.match(CONTROLS)?.length ?? 0
  if (controls * 10 > size) return true
  return controls * 50 > size && (text.match(INVALID)?.length ?? 0) * 10 > size
}

/** Whether a decoded text has marks. */
export const hasMarks = (text: string): boolean => text.search(MARKS) !== -1

/** Decodes bytes, with a mark for each that is no part of a character. */
export function decodeDamaged(bytes: ReadonlyBytes): string {
  const units = new Uint16Array(bytes.length)
  let count = 0
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0
    const length = characterLength(bytes, at)
    if (length === 1) units[count++] = first
    else if (length === 0) units[count++] = MARK + first
    else if (length < 4) units[count++] = codePointAt(bytes, at, length)
    else {
      const point = codePointAt(bytes, at, length) - 0x10000
      units[count++] = 0xd800 + (point >> 10)
      units[count++] = 0xdc00 + (point & 0x3ff)
    }
    at += length || 1
  }
  return stringOf(units.subarray(0, count))
}

/** Encodes what {@link decodeDamaged} has decoded. */
export function encodeDamaged(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let size = 0
  let from = 0
  const encode = (part: string) => {
    size += ENCODER.encodeInto(part, bytes.subarray(size)).written
  }
  for (const { index } of text.matchAll(MARKS)) {
    encode(text.slice(from, index))
    bytes[size++] = text.charCodeAt(index) - MARK
    from = index + 1
  }
  encode(text.slice(from))
  return bytes.slice(0, size)
}

const ENCODER = new TextEncoder()

/** Returns how many of the last bytes begin a character that is not complete. */
export function incompleteEnd(bytes: ReadonlyBytes): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) return lengthFrom(byte) > back ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}

/** Returns the number of bytes that a first byte announces; 0 if it begins no character. */
function lengthFrom(first: number): number {
  if (first < 0x80) return first === 0 ? 0 : 1
  if (first < 0xc2 || first > 0xf4) return 0
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
}

/** Returns the number of bytes of the character that begins at an index; 0 if none does. */
function characterLength(bytes: ReadonlyBytes, at: number): number {
  const first = bytes[at] ?? 0
  const length = lengthFrom(first)
  if (length < 2) return length
  const second = bytes[at + 1] ?? 0
  if (second < (LOWEST[first] ?? 0x80) || second > (HIGHEST[first] ?? 0xbf)) return 0
  for (let next = 2; next < length; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}

/** Second bytes that are out of the usual range: longer forms than needed, surrogates, beyond Unicode. */
const LOWEST: Readonly<Record<number, number>> = { 0xe0: 0xa0, 0xf0: 0x90 }
const HIGHEST: Readonly<Record<number, number>> = { 0xed: 0x9f, 0xf4: 0x8f }

function codePointAt(bytes: ReadonlyBytes, at: number, length: number): number {
  let point = (bytes[at] ?? 0) & (0x7f >> length)
  for (let next = 1; next < length; next++) point = (point << 6) | ((bytes[at + next] ?? 0) & 0x3f)
  return point
}
