/**
 * Sliding: moves a change up or down to the position that reads best.
 *
 * Lines that were only inserted, or only deleted, can move up by one if the line above them equals the last
 * of them, and down likewise; the script does not get longer. The position is chosen whose two edges are
 * least indented, which keeps a block whole, then the one that follows more blank lines, then the last.
 * The idea is that of git's indent heuristic, in fewer rules.
 *
 * @module
 */

import type { Change } from './lines.ts'

/** Maximum number of lines that a change may move in either direction. */
const MAX_SLIDE = 100
/** Maximum indentation, in columns, that is measured. */
const MAX_INDENT = 200
const TAB = 8

/** Moves each change to its best position. `changes` must be in order. */
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
    // At least one line stays between two changes.
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

/** Returns by how many lines to move `[start, end)`, strictly between `above` and `below`. */
function bestSlide(
  lines: readonly string[],
  start: number,
  end: number,
  above: number,
  below: number,
): number {
  let low = 0
  while (low > -MAX_SLIDE && start + low - 1 > above && same(lines, start + low - 1, end + low - 1))
    low--
  let high = 0
  while (high < MAX_SLIDE && end + high + 1 < below && same(lines, start + high, end + high)) high++

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

/** Rates an edge between two lines, lower is better: first by indentation, then by blank lines. */
function edgeCost(lines: readonly string[], at: number): number {
  const above = indentOf(lines[at - 1])
  const line = indentOf(lines[at])
  const blank = above === null ? 0 : line === null ? 1 : 2
  return 10 * (line ?? indentOf(lines[at + 1]) ?? 0) + blank
}

/** Returns the columns of white space before the text, or null for a blank line. */
function indentOf(line: string | undefined): number | null {
  if (line === undefined) return null
  let columns = 0
  for (let at = 0; at < line.length && columns < MAX_INDENT; at++) {
    if (line[at] === '\t') columns += TAB - (columns % TAB)
    else if (line[at] === ' ') columns++
    else return line[at] === '\n' || line[at] === '\r' ? null : columns
  }
  return columns < MAX_INDENT ? null : MAX_INDENT
}
