/**
 * Joins the items of a list for a sentence. `test/core/join-words.test.ts` has examples.
 *
 * @module
 */

/** Joins items as "a, b and c". Each item is a list of pieces. */
export function joinPieces<T>(items: readonly (readonly T[])[], word = 'and'): (T | string)[] {
  return items.flatMap((item, index) => {
    const before = index === 0 ? [] : [index === items.length - 1 ? ` ${word} ` : ', ']
    return [...before, ...item]
  })
}

/** Joins strings. */
export const joinWords = (items: readonly string[]): string =>
  joinPieces(items.map((item) => [item])).join('')
