/**
 * Cuts a long text with references into pieces, so that other requests can run between them: millions of references take
 * seconds to decode. `test/worker/xml/read.test.ts` tests it.
 *
 * @module
 */

/** Length of a piece: 20 ms if it is full of references. */
const PIECE = 64 * 1024

/** Longest reference that is not cut. */
const MAX_REFERENCE = 40

/** Fewest characters that the references of a piece become. */
const MIN_DECODED = PIECE / 16

/** Whether a decoded text may have been a whole piece, after which other requests should get a turn. */
export const isLongPiece = (text: string): boolean => text.length >= MIN_DECODED

/** Cuts a text into pieces. No reference and no pair of surrogates is in two of them. */
export function* piecesOf(text: string): Generator<string> {
  let at = 0
  while (text.length - at > PIECE) {
    const end = endOfPiece(text, at + PIECE)
    yield text.slice(at, end)
    at = end
  }
  yield text.slice(at)
}

function endOfPiece(text: string, end: number): number {
  const reference = text.slice(end - MAX_REFERENCE, end).lastIndexOf('&')
  const isOpen = reference !== -1 && !text.slice(end - MAX_REFERENCE + reference, end).includes(';')
  if (isOpen) return end - MAX_REFERENCE + reference
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end
}
