/**
 * Finds a text in another one in linear time for any input.
 *
 * The native search is many times faster than a search written here, but takes the product of both lengths
 * if a long text repeats itself. So the native search looks only for the beginning of the needle; each
 * candidate is compared, and once the comparisons have cost as much as the whole text, the algorithm of
 * Knuth, Morris and Pratt takes over.
 *
 * @module
 */

import type { Meter } from './meter.ts'

/** UTF-16 code units searched natively: the maximum number of times a character is visited. */
const HEAD = 16

// Costs relative to one character of the native search, see MAX_EDIT_STEPS.
const PER_CALL = 8
const COMPARED_PER_STEP = 8
const PER_UNIT = 3

/** Returns the first occurrence at or after `from`, or -1, and subtracts its cost from the meter. */
export type Finder = (text: string, from: number, meter: Meter) => number

/** Creates a search for one text. */
export function createFinder(needle: string): Finder {
  const head = needle.slice(0, HEAD)
  const perCandidate = PER_CALL + needle.length / COMPARED_PER_STEP

  return (text, from, meter) => {
    meter.left -= text.length - from
    let compares = (text.length - from) / perCandidate
    for (let at = text.indexOf(head, from); at !== -1; at = text.indexOf(head, at + 1)) {
      if (head === needle) return at
      if (at + needle.length > text.length) return -1
      if (--compares < 0) return firstOf(occurrences(text, needle, at, meter))
      meter.left -= perCandidate
      if (text.startsWith(needle, at)) return at
    }
    return -1
  }
}

function firstOf(places: Iterable<number>): number {
  for (const at of places) return at
  return -1
}

/** Yields every occurrence at or after `from`, including overlapping ones. */
export function* occurrences(
  text: string,
  needle: string,
  from: number,
  meter: Meter,
): Generator<number> {
  meter.left -= PER_UNIT * (needle.length + text.length - from)
  const borders = bordersOf(needle)
  let matched = 0
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    while (matched > 0 && unit !== needle.charCodeAt(matched)) matched = borders[matched - 1] ?? 0
    if (unit === needle.charCodeAt(matched)) matched++
    if (matched < needle.length) continue
    yield at + 1 - matched
    matched = borders[matched - 1] ?? 0
  }
}

/** Returns for each prefix the length of its longest proper suffix that is also a prefix of the needle. */
function bordersOf(needle: string): Int32Array {
  const borders = new Int32Array(needle.length)
  let length = 0
  for (let at = 1; at < needle.length; at++) {
    const unit = needle.charCodeAt(at)
    while (length > 0 && unit !== needle.charCodeAt(length)) length = borders[length - 1] ?? 0
    if (unit === needle.charCodeAt(length)) length++
    borders[at] = length
  }
  return borders
}
