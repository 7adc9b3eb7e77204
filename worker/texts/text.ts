/**
 * Texts: tells text from other bytes, and decodes and encodes it without changing more than asked.
 *
 * A byte order mark and the endings of lines belong to the file and not to what an agent edits. Nearly all texts are
 * UTF-8 and are decoded by the platform; only what that refuses is looked at closer. `test/worker/texts/text.test.ts` and
 * `test/worker/texts/edits.test.ts` test it.
 *
 * @module
 */

import type { ReadonlyBytes } from '../encoding/bytes.ts'
import { decodeDamaged, encodeDamaged, hasMarks, looksBinary } from './damaged.ts'
import { isTextEncoding, isUtf16, isUtf8, type Encoding, type TextEncoding } from './encoding.ts'
import { mayBeDocument } from './sniff.ts'
import { decodeUtf16, encodeUtf16, utf16Of, type Utf16 } from './utf16.ts'

const BOM = '\ufeff'

const NUL = '\0'

/** Maximum bytes of UTF-8 for one code unit of a string. */
export const MAX_UNIT_BYTES = 3

/** A decoded text. */
export interface Text {
  readonly encoding: TextEncoding
  /** The file begins with a byte order mark, which is not in `content`. */
  readonly bom: boolean
  /** The text with its line endings. Where the encoding is `damaged`, it has marks (`damaged.ts`). */
  readonly content: string
}

/** The UTF-8 of bytes that were decoded or encoded here, as the same bytes are checked, compared and edited. */
const texts = new WeakMap<ReadonlyBytes, string>()

/** Creates a UTF-8 decoder that throws on invalid bytes and keeps a byte order mark. */
export const createStrictDecoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** For whole contents: each use leaves it as it was. */
const STRICT = createStrictDecoder()

/** Decodes valid UTF-8 without a NUL, with its byte order mark and line endings; null for other bytes. */
export function strictText(bytes: ReadonlyBytes): string | null {
  const known = texts.get(bytes)
  if (known !== undefined) return known
  try {
    const text = STRICT.decode(bytes)
    // Looked for in the text, where that is several times faster than in the bytes.
    return text.includes(NUL) ? null : text
  } catch {
    return null
  }
}

/** Decodes bytes; null when they are not text. */
export function decodeText(bytes: ReadonlyBytes): Text | null {
  const whole = strictText(bytes)
  if (whole === null) return decodeOther(bytes)
  texts.set(bytes, whole)
  return whole.startsWith(BOM)
    ? { encoding: 'utf-8-bom', bom: true, content: whole.slice(1) }
    : { encoding: 'utf-8', bom: false, content: whole }
}

/** Decodes bytes that are not valid UTF-8. */
function decodeOther(bytes: ReadonlyBytes): Text | null {
  const order = utf16Of(bytes)
  if (order) return decodeStrictUtf16(bytes, order)
  if (looksBinary(bytes)) return null
  const whole = decodeDamaged(bytes)
  const bom = whole.startsWith(BOM)
  return { encoding: 'damaged', bom, content: bom ? whole.slice(1) : whole }
}

function decodeStrictUtf16(bytes: ReadonlyBytes, encoding: Utf16): Text | null {
  if (bytes.length % 2 === 1) return null
  const content = decodeUtf16(bytes.subarray(2), encoding)
  return isValidUtf16(content) ? { encoding, bom: true, content } : null
}

/** Whether decoded UTF-16, or a part of it between two characters, is text. */
export const isValidUtf16 = (text: string) => text.isWellFormed() && !text.includes(NUL)

/** Finds out how bytes are encoded. */
export function encodingOf(bytes: ReadonlyBytes): Encoding {
  return decodeText(bytes)?.encoding ?? (mayBeDocument(bytes) ? 'document' : 'binary')
}

/**
 * Decodes bytes for readers that get no note with a text: with line endings, and with a byte order mark in UTF-8. Null
 * for binary and for damaged content, of which only the bytes say all.
 */
export function exactText(bytes: ReadonlyBytes): string | null {
  const text = strictText(bytes)
  if (text !== null) return text
  const other = decodeOther(bytes)
  return other && other.encoding !== 'damaged' ? other.content : null
}

/** A text to be compared with another one. */
export interface ComparedText {
  readonly text: string
  readonly encoding: TextEncoding
  /** It was extracted from a document, of which it is not all. */
  readonly isExtracted?: true
}

/**
 * Decodes bytes to be compared: with line endings, and with marks, because two damaged bytes look the same to a reader.
 * Null for binary content.
 */
export function comparedText(bytes: ReadonlyBytes): ComparedText | null {
  const text = strictText(bytes)
  if (text !== null) return { text, encoding: text.startsWith(BOM) ? 'utf-8-bom' : 'utf-8' }
  const other = decodeOther(bytes)
  return other && { text: other.content, encoding: other.encoding }
}

/** Decodes bytes to be searched: as readers see them, without a byte order mark. Null for binary content. */
export function searchedText(bytes: ReadonlyBytes, encoding: Encoding): string | null {
  if (isUtf8(encoding)) return LENIENT.decode(bytes)
  const text = isTextEncoding(encoding) ? decodeText(bytes) : null
  return text && withoutMarks(text.content, text.encoding)
}

const LENIENT = new TextDecoder()

/** Returns what readers see of a decoded text. Its length is the same. */
export const withoutMarks = (text: string, encoding: Encoding): string =>
  encoding === 'damaged' ? text.toWellFormed() : text

/** Returns what a reader sees of a text: lines that end with `\n`, and U+FFFD for each damaged byte. */
export const shownText = ({ content, encoding }: Text): string =>
  withUnixLines(withoutMarks(content, encoding))

/** Returns a text whose lines all end with `\n`. */
export const withUnixLines = (text: string): string => text.replaceAll('\r\n', '\n')

/** Whether a line of a text ends in `\n` alone. */
export const hasUnixLine = (text: string): boolean => /(?<!\r)\n/.test(text)

/** Encodes a text, by default as UTF-8. Damaged text has to keep its marks. */
export function encodeText({
  content,
  encoding = 'utf-8',
  bom = false,
}: Partial<Text> & Pick<Text, 'content'>): ReadonlyBytes {
  const whole = bom ? BOM + content : content
  if (isUtf16(encoding)) return encodeUtf16(whole, encoding)
  if (encoding === 'damaged' && hasMarks(content)) return encodeDamaged(whole)
  const bytes = new TextEncoder().encode(whole)
  if (whole.isWellFormed() && !whole.includes(NUL)) texts.set(bytes, whole)
  return bytes
}
