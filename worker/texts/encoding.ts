/**
 * Encodings of content: how its bytes become text. `test/worker/texts/text.test.ts` tests them.
 *
 * @module
 */

/** The encodings. The store keeps their numbers in `blobs.text`, so the order never changes. */
export const ENCODINGS = [
  'binary',
  'utf-8',
  /** With a byte order mark, as are both kinds of UTF-16. */
  'utf-8-bom',
  'utf-16le',
  'utf-16be',
  /** Text that is not valid UTF-8, as Latin-1 or Shift JIS, or has a NUL; see `damaged.ts`. */
  'damaged',
  /** Content that is not text and may have one that is extracted; see `document.ts`. */
  'document',
] as const

/** How content is encoded. */
export type Encoding = (typeof ENCODINGS)[number]

/** How a text is encoded. */
export type TextEncoding = Exclude<Encoding, 'binary' | 'document'>

/** Returns the number of an encoding in the store. */
export const numberOf = (encoding: Encoding): number => ENCODINGS.indexOf(encoding)

/** Returns the encoding with a number in the store. */
export const encodingAt = (number: number): Encoding => ENCODINGS[number] ?? 'binary'

/** Whether content is text by itself: the text of a document is another one. */
export const isTextEncoding = (encoding: Encoding | undefined): encoding is TextEncoding =>
  encoding !== undefined && encoding !== 'binary' && encoding !== 'document'

/** Whether a text is shown exactly as it is: in other encodings two contents may look the same. */
export const isUtf8 = (encoding: Encoding | undefined): boolean =>
  encoding === 'utf-8' || encoding === 'utf-8-bom'

/** Whether a text has two or four bytes for each character. */
export const isUtf16 = (encoding: Encoding): encoding is 'utf-16le' | 'utf-16be' =>
  encoding === 'utf-16le' || encoding === 'utf-16be'

/** An encoding that a reader has to know of; none for UTF-8. */
export const encodingFact = ({ encoding }: { readonly encoding: TextEncoding }) =>
  NOTES[encoding] === '' ? {} : { encoding }

/** What a reader has to know of an encoding, in a list of notes after a semicolon. */
export const encodingNote = (encoding: TextEncoding): string => NOTES[encoding]

const NOTES: Readonly<Record<TextEncoding, string>> = {
  'utf-8': '',
  'utf-8-bom': '',
  'utf-16le': '; encoding utf-16le, which edits keep',
  'utf-16be': '; encoding utf-16be, which edits keep',
  damaged:
    '; not valid UTF-8: U+FFFD is shown for each damaged byte, and other lines can be edited',
}
