/**
 * Sliding: where a change could just as well begin a few lines earlier or later, choose the place
 * that reads best.
 *
 * Lines that were only inserted, or only deleted, can move up by one when the line above them equals
 * the last of them, and down likewise; the script stays as short as it was. Of these places the one
 * is taken whose two edges are least indented, which keeps a block whole, then the one that follows
 * more blank lines, then the last. The idea is that of git's indent heuristic, in fewer rules.
 *
 * @module
 */

import type { Change } from './lines.ts'

/** How many lines a change may slide, either way. */
const FARTHEST = 100
/** How far the indentation of a line is looked at. */
const DEEPEST = 200
const TAB = 8

export function slideChanges(
  changes: readonly Change[],
  old: readonly string[],
  next: readonly string[],
): Change[] {
  const slid: Change[] = []
  for (const [index, change] of changes.entries()) {
    const { oldStart, oldEnd, newStart, newEnd } = change
    const below = changes[index + 1]
    const above = slid.at(-1)
    let by = 0
    // One line always stays between two changes.
    if (oldStart === oldEnd)
      by = bestSlide(
        next,
        newStart,
        newEnd,
        above?.newEnd ?? -1,
        below?.newStart ?? next.length + 1,
      )
    else if (newStart === newEnd)
      by = bestSlide(old, oldStart, oldEnd, above?.oldEnd ?? -1, below?.oldStart ?? old.length + 1)
    slid.push(by === 0 ? change : moved(change, by))
  }
  return slid
}

function moved({ oldStart, oldEnd, newStart, newEnd }: Change, by: number): Change {
  return {
    oldStart: oldStart + by,
    oldEnd: oldEnd + by,
    newStart: newStart + by,
    newEnd: newEnd + by,
  }
}

/** By how many lines to move `[start, end)`, which stays within `above` and `below`, exclusive. */
function bestSlide(
  lines: readonly string[],
  start: number,
  end: number,
  above: number,
  below: number,
): number {
  let low = 0
  while (low > -FARTHEST && start + low - 1 > above && same(lines, start + low - 1, end + low - 1))
    low--
  let high = 0
  while (high < FARTHEST && end + high + 1 < below && same(lines, start + high, end + high)) high++

  let best = high
  let least = Infinity
  for (let by = high; by >= low && low < high; by--) {
    const cost = edgeCost(lines, start + by) + edgeCost(lines, end + by)
    if (cost < least) [best, least] = [by, cost]
  }
  return best
}

function same(lines: readonly string[], one: number, other: number): boolean {
  return lines[one] === lines[other]
}

/** How much an edge between two lines disturbs: indentation counts first, a missing blank after. */
function edgeCost(lines: readonly string[], at: number): number {
  const above = indentOf(lines[at - 1])
  const line = indentOf(lines[at])
  const blank = above === null ? 0 : line === null ? 1 : 2
  return 10 * (line ?? indentOf(lines[at + 1]) ?? 0) + blank
}

/** Columns of white space before the text; null where there is no text. */
function indentOf(line: string | undefined): number | null {
  if (line === undefined) return null
  let columns = 0
  for (let at = 0; at < line.length && columns < DEEPEST; at++) {
    if (line[at] === '\t') columns += TAB - (columns % TAB)
    else if (line[at] === ' ') columns++
    else return line[at] === '\n' || line[at] === '\r' ? null : columns
  }
  return columns < DEEPEST ? null : DEEPEST
}
