/**
 * Cuts the middle out of a long value of a sentence: a person decides by it, and two paths can differ at either end.
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

/** Cuts a text to at most the given length; null if it is not longer. No end has half a character. */
export function cutMiddle(text: string, most: number): Cut | null {
  if (text.length <= most) return null
  const half = Math.floor(most / 2)
  const head = text.slice(0, half).replace(/[\ud800-\udbff]$/, '')
  const tail = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, '')
  return { head, left: text.length - head.length - tail.length, tail }
}
