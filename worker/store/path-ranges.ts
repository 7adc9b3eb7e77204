/**
 * Ranges of paths, as an ordered index reads them: half-open, and within a list sorted and disjoint.
 *
 * `test/worker/store/path-ranges.test.ts` tests them.
 *
 * @module
 */

import { rangeBelow, ROOT, type StorePath } from '#core/path.ts'

/** Paths from `low` on and before `high`. */
export interface PathRange {
  readonly low: string
  readonly high: string
}

/** Sorted and disjoint ranges. */
export type PathRanges = readonly PathRange[]

/** All paths. */
export const WHOLE: PathRanges = [rangeBelow(ROOT)]

/** Whether ranges have all paths. */
export const isWhole = ([first]: PathRanges): boolean =>
  first?.low === WHOLE[0]?.low && first?.high === WHOLE[0]?.high

/** Returns the part of a folder, without itself, that lies in some ranges; all of it without ranges. */
export function rangesBelow(folder: StorePath, within?: PathRanges, after?: StorePath): PathRanges {
  const { low, high } = rangeBelow(folder)
  const all = [{ low: after ? justAfter(after) : low, high }]
  return within ? intersectRanges(within, all) : all
}

/** Returns the first key after a path, which is unique because no path contains a control character. */
export const justAfter = (path: string): string => `${path}\u0001`

/** Returns the ranges of paths, without what is below them. */
export const rangesAt = (paths: readonly StorePath[]): PathRanges =>
  joinRanges(paths.map((path) => ({ low: path, high: justAfter(path) })))

/** Returns the ranges of folders or files, with everything below them. */
export const rangesWithin = (paths: readonly StorePath[]): PathRanges =>
  joinRanges([...rangesAt(paths), ...paths.map(rangeBelow)])

/** Sorts ranges, and joins those that touch. */
export function joinRanges(ranges: PathRanges): PathRanges {
  const joined: PathRange[] = []
  for (const range of ranges.toSorted((a, b) => compareKeys(a.low, b.low))) {
    const last = joined.at(-1)
    if (last && compareKeys(range.low, last.high) <= 0)
      joined.splice(-1, 1, { low: last.low, high: laterKey(last.high, range.high) })
    else joined.push(range)
  }
  return joined
}

/** Returns what is left of ranges without others. */
export function subtractRanges(ranges: PathRanges, others: PathRanges): PathRanges {
  const left: PathRange[] = []
  const keep = (low: string, high: string) => compareKeys(low, high) < 0 && left.push({ low, high })
  let first = 0
  for (const { low, high } of ranges) {
    let from = low
    while (isBefore(others[first], low)) first++
    for (let at = first; at < others.length; at++) {
      const other = others[at]
      if (!other || compareKeys(other.low, high) >= 0) break
      keep(from, other.low)
      from = laterKey(from, other.high)
    }
    keep(from, high)
  }
  return left
}

/** Returns what two lists of ranges share. */
export const intersectRanges = (one: PathRanges, other: PathRanges): PathRanges =>
  subtractRanges(one, subtractRanges(WHOLE, other))

const isBefore = (range: PathRange | undefined, low: string) =>
  range !== undefined && compareKeys(range.high, low) <= 0

/** Returns the index of the range that has a path; -1 if none has. */
export function findRange(ranges: PathRanges, path: string): number {
  let [first, end] = [0, ranges.length]
  while (first < end) {
    const middle = Math.floor((first + end) / 2)
    if (compareKeys(ranges[middle]?.low ?? path, path) <= 0) first = middle + 1
    else end = middle
  }
  const last = ranges[first - 1]
  return last && compareKeys(path, last.high) < 0 ? first - 1 : -1
}

/** Returns the later one of two keys. */
export const laterKey = (a: string, b: string) => (compareKeys(a, b) < 0 ? b : a)

/** Compares keys as SQLite does: by code points, and not by UTF-16 units. */
export function compareKeys(a: string, b: string): number {
  let at = 0
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1)
}
