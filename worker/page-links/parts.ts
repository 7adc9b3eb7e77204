/**
 * Cuts what is too long for one page into parts, each with a way on. The same content has the same parts.
 * `test/worker/page-links/render.test.ts` has the cases.
 *
 * @module
 */

import { MAX_PAGE_CHARACTERS, MAX_PAGE_LINES } from './limits.ts'

/** One part of a content. */
export interface Part<T> {
  readonly items: readonly T[]
  /** The number of items before it. */
  readonly before: number
  /** Its number, from 1. */
  readonly number: number
  readonly isLast: boolean
}

/** Takes a part of some items. One that does not exist has no items. */
export function takePart<T>(
  items: Iterable<T>,
  wanted: number,
  lengthOf: (item: T) => number,
): Part<T> {
  let taken: T[] = []
  let [number, length, before] = [1, 0, 0]
  for (const item of items) {
    const own = lengthOf(item)
    const isFull = taken.length >= MAX_PAGE_LINES || length + own > MAX_PAGE_CHARACTERS
    if (isFull && taken.length > 0) {
      if (number === wanted) return { items: taken, before, number, isLast: false }
      before += taken.length
      number++
      length = 0
      taken = []
    }
    taken.push(item)
    length += own
  }
  const isFound = number === wanted
  return { items: isFound ? taken : [], before, number: wanted, isLast: true }
}

/** Splits a text into lines. One that no page could hold is cut. */
export function* linesOf(text: string): Iterable<string> {
  for (const line of text.split(/\r\n|\n|\r/)) {
    let at = 0
    while (line.length - at > MAX_PAGE_CHARACTERS) {
      const end = endOfPiece(line, at + MAX_PAGE_CHARACTERS)
      yield line.slice(at, end)
      at = end
    }
    yield line.slice(at)
  }
}

/** Never between the two halves of a character. */
const endOfPiece = (text: string, end: number): number =>
  (text.codePointAt(end - 1) ?? 0) > 0xff_ff ? end - 1 : end

/** Takes a part of a text by its lines. */
export const takeLines = (text: string, wanted: number): Part<string> =>
  takePart(linesOf(text), wanted, (line) => line.length + 1)

/** Reads the number of a part from a query; null if it is none. */
export function readPart(text: string | null): number | null {
  if (text === null) return 1
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null
}
