/**
 * Text files: tells text from other bytes, and decodes and encodes it without changing more than asked.
 *
 * Text is valid UTF-8 without a NUL character. A byte order mark and the kind of line ending belong to the
 * file and not to what an agent edits, so both are removed on reading and restored on writing.
 *
 * @module
 */

import type { ReadonlyBytes } from './bytes.ts'

const BOM = '\ufeff'

const NUL = '\0'

/** Maximum bytes of UTF-8 for one code unit of a string. */
export const MAX_UNIT_BYTES = 3

/**
 * The texts of bytes that were decoded or encoded here, as the same bytes are checked, compared and edited.
 */
const texts = new WeakMap<ReadonlyBytes, string>()

/** Creates a UTF-8 decoder that throws on invalid bytes and keeps a byte order mark. */
export const createStrictDecoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** For whole contents: each use leaves it as it was. */
const STRICT = createStrictDecoder()

/** Whether bytes are text. */
export function isText(bytes: ReadonlyBytes): boolean {
  return wholeText(bytes) !== null
}

/** Decodes bytes with their byte order mark and line endings; null when they are not text. */
export function wholeText(bytes: ReadonlyBytes): string | null {
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

/**
 * Creates a strict decoder of the chunks of a stream; a call without bytes ends it. A byte order mark at the beginning
 * of the text is left out; workerd's own leaves out one at the beginning of a later chunk, too. `hasBegun` is true for
 * a stream from the middle of a text.
 */
export function createStreamDecoder(hasBegun = false): (bytes?: Uint8Array) => string {
  const decoder = createStrictDecoder()
  return (bytes) => {
    const text = decoder.decode(bytes, { stream: bytes !== undefined })
    if (hasBegun || text === '') return text
    hasBegun = true
    return text.startsWith(BOM) ? text.slice(1) : text
  }
}

/**
 * Decodes a stream without its byte order mark, and tells whether it is text: pass every chunk to `push`, then call
 * `end`.
 */
export function createTextProbe() {
  const decode = createStreamDecoder()
  let text = true
  /** Returns the text of a chunk, or nothing once the stream is known not to be text. */
  function push(bytes?: Uint8Array): string {
    if (!text) return ''
    try {
      const decoded = decode(bytes)
      text = !decoded.includes(NUL)
      return decoded
    } catch {
      text = false
      return ''
    }
  }
  return {
    push: (bytes: Uint8Array) => push(bytes),
    end(): boolean {
      push()
      return text
    },
  }
}

/** Whether a line of a text ends in `\n` alone. */
export const hasUnixLine = (text: string): boolean => /(?<!\r)\n/.test(text)

/** A decoded text file: the text to edit, and what encoding has to restore. */
export interface TextFile {
  /** Without a byte order mark, and with `\n` line endings when every line ended in `\r\n`. */
  readonly text: string
  /** The file begins with a byte order mark. */
  readonly bom: boolean
  /** Every line ends in `\r\n`. A file that mixes endings is left as it is. */
  readonly crlf: boolean
}

/** Decodes bytes as a text file; null when they are not text. */
export function decodeText(bytes: ReadonlyBytes): TextFile | null {
  const whole = wholeText(bytes)
  if (whole === null) return null
  texts.set(bytes, whole)
  const bom = whole.startsWith(BOM)
  const text = bom ? whole.slice(1) : whole
  const crlf = text.includes('\r\n') && !hasUnixLine(text)
  return { text: withEndings(text, { crlf }), bom, crlf }
}

/** Returns text with the line endings of the decoded text of a file, to be found in it or added to it. */
export function withEndings(text: string, { crlf }: Pick<TextFile, 'crlf'>): string {
  return crlf ? text.replaceAll('\r\n', '\n') : text
}

/**
 * Encodes text with the byte order mark and the line endings of the file it came from. Its line endings are those of
 * `decodeText`: with `crlf` a `\r` before `\n` belongs to the content of the line, and stays.
 */
export function encodeText(
  text: string,
  like: Pick<TextFile, 'bom' | 'crlf'> = PLAIN,
): ReadonlyBytes {
  const lines = like.crlf ? text.replaceAll('\n', '\r\n') : text
  const whole = like.bom ? BOM + lines : lines
  const bytes = new TextEncoder().encode(whole)
  if (whole.isWellFormed() && !whole.includes(NUL)) texts.set(bytes, whole)
  return bytes
}

const PLAIN = { bom: false, crlf: false }
