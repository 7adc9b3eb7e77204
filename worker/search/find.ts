/**
 * Finding a text in another in linear time, whatever the two are.
 *
 * The platform's own search is many times faster than anything written here, and takes the product of
 * both lengths where a long text repeats itself. So it looks for the beginning only; what it finds is
 * compared, and once comparing has cost as much as the whole text, Knuth, Morris and Pratt take over.
 *
 * @module
 */

import type { Meter } from './meter.ts'

/** UTF-16 code units that the platform looks for: it takes at most so many looks at a character. */
const HEAD = 16

// What looks cost beside one of the platform's at a character: see MAX_EDIT_STEPS.
const PER_CALL = 8
const COMPARED_PER_STEP = 8
const PER_UNIT = 3

/** Answers the first occurrence at or after `from`, or -1, and takes from the meter what it cost. */
export type Finder = (text: string, from: number, meter: Meter) => number

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

/** Every occurrence at or after `from`, those that overlap included. */
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

/** By each of its beginnings: how long an end of it is that is a beginning of the needle, too. */
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
