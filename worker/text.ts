/**
 * Text: which bytes are text, and how they are read and written without changing more than asked.
 *
 * Text is valid UTF-8 without a NUL character. A byte order mark and the kind of line ending belong
 * to the file and not to what an agent edits, so both are taken off at the door and put back.
 *
 * @module
 */

const BOM = '\ufeff'

/** A decoder that throws on what is not UTF-8. */
export const createStrictDecoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Whether bytes are text. */
export function isText(bytes: Uint8Array): boolean {
  return wholeText(bytes) !== null
}

/** The text that bytes are, mark and line endings included; null when they are none. */
export function wholeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return createStrictDecoder().decode(bytes)
  } catch {
    return null
  }
}

/** The same question for a stream: `push` every chunk, then ask `end`. */
export function createTextProbe() {
  const decoder = createStrictDecoder()
  let text = true
  const feed = (bytes?: Uint8Array) => {
    if (!text) return
    try {
      if (bytes?.includes(0)) text = false
      else decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      text = false
    }
  }
  return {
    push: (bytes: Uint8Array) => feed(bytes),
    end(): boolean {
      feed()
      return text
    },
  }
}

/** A text file taken apart: what an agent sees, and what has to be put back round it. */
export interface TextFile {
  /** The text with `\n` line endings when every line ended in `\r\n`, and without a mark. */
  readonly text: string
  readonly bom: boolean
  /** Every line ends in `\r\n`. A file that mixes endings is left as it is. */
  readonly crlf: boolean
}

/** Reads bytes as text; null when they are not. */
export function decodeText(bytes: Uint8Array): TextFile | null {
  const whole = wholeText(bytes)
  if (whole === null) return null
  const bom = whole.startsWith(BOM)
  const text = bom ? whole.slice(1) : whole
  const crlf = text.includes('\r\n') && !/(?<!\r)\n/.test(text)
  return { text: crlf ? text.replaceAll('\r\n', '\n') : text, bom, crlf }
}

/** Writes text back in the manner of the file it came from. */
export function encodeText(text: string, like: Pick<TextFile, 'bom' | 'crlf'>) {
  const lines = like.crlf ? text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n') : text
  return new TextEncoder().encode(like.bom ? BOM + lines : lines)
}
