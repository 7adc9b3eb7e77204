/**
 * Cuts long texts, never inside a character. Of a value in a sentence the middle is cut out: a person decides by it,
 * and two paths can differ at either end.
 * `test/core/cut-middle.test.ts` has the cases.
 *
 * @module
 */

/** Both ends of a text, and the number of UTF-16 code units between them. */
export interface Cut {
  readonly head: string
  readonly left: number
  readonly tail: string
}

/** Cuts the end off a text of more than the given length. */
export const cutEnd = (text: string, most: number): string =>
  text.length > most ? text.slice(0, most).replace(/[\ud800-\udbff]$/, '') : text

/** Cuts a text to at most the given length; null if it is not longer. */
export function cutMiddle(text: string, most: number): Cut | null {
  if (text.length <= most) return null
  const half = Math.floor(most / 2)
  const head = cutEnd(text, half)
  const tail = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, '')
  return { head, left: text.length - head.length - tail.length, tail }
}
