/**
 * Following: finds where lines of an earlier text are in a later one, for comments on them.
 *
 * The difference of the two texts tells it. Where it does not, because the lines themselves changed or the earlier text
 * is not stored any more, the lines are found by their text, if that occurs once. Otherwise they are outdated. The work is
 * linear in both texts: the difference has a budget of steps for each line.
 * `test/core/diff/follow-lines.laws.test.ts` has the laws.
 *
 * @module
 */

import { diffLines, splitLines, type Change } from './lines.ts'

/** Lines that count from 1; both ends are included. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/** Lines of an earlier text. */
export interface QuotedLines {
  readonly range: LineRange
  /** The lines, joined; null if they were too long to be stored. */
  readonly quote: string | null
  /** The whole earlier text; null if it is not stored any more. */
  readonly before: string | null
}

/** Steps of a search for each line of both texts. */
const STEPS_PER_LINE = 16

/** Returns the lines of a text in a range, joined; null if the text has fewer lines. */
export function quoteLines(text: string, { first, last }: LineRange): string | null {
  const { texts } = splitLines(text)
  const isInside = first >= 1 && first <= last && last <= texts.length
  return isInside ? texts.slice(first - 1, last).join('\n') : null
}

/** Finds quoted lines in a later text; null if they are outdated. */
export const followLines = ({ before, ...lines }: QuotedLines, text: string): LineRange | null =>
  createFollower(before, text)(lines)

/** Creates what finds lines of one text in another. The two texts are compared once. */
export function createFollower(before: string | null, text: string) {
  let changes: readonly Change[] | undefined
  let texts: readonly string[] | undefined
  return ({ range, quote }: Omit<QuotedLines, 'before'>): LineRange | null => {
    if (before === text) return range
    changes ??= before === null ? [] : changesBetween(before, text)
    const moved = before === null ? null : moveLines(range, changes)
    if (moved || quote === null) return moved
    texts ??= splitLines(text).texts
    return findOnce(texts, quote)
  }
}

const changesBetween = (before: string, text: string) =>
  diffLines(before, text, (countLines(before) + countLines(text)) * STEPS_PER_LINE).changes

/** Moves a range by the changes above it; null if a change concerns it. */
function moveLines({ first, last }: LineRange, changes: readonly Change[]): LineRange | null {
  const [start, end] = [first - 1, last]
  let by = 0
  for (const change of changes) {
    if (change.oldStart >= end) break
    if (!isAbove(change, start)) return null
    by += change.newEnd - change.newStart - (change.oldEnd - change.oldStart)
  }
  return { first: first + by, last: last + by }
}

const isAbove = ({ oldEnd }: Change, start: number) => oldEnd <= start

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** Finds the only place where a text has these lines, by the search of Knuth, Morris and Pratt over lines. */
function findOnce(texts: readonly string[], quote: string): LineRange | null {
  const wanted = quote.split('\n')
  const borders = listBorders(wanted)
  let found: LineRange | null = null
  let matched = 0
  for (const [index, line] of texts.entries()) {
    while (matched > 0 && wanted[matched] !== line) matched = borders[matched] ?? 0
    if (wanted[matched] === line) matched++
    if (matched < wanted.length) continue
    if (found) return null
    found = { first: index + 2 - matched, last: index + 1 }
    matched = borders[matched] ?? 0
  }
  return found
}

/** For each number of first lines: how many of them also end these lines, at most, without being all. */
function listBorders(lines: readonly string[]): number[] {
  const borders = [0, 0]
  let length = 0
  for (const line of lines.slice(1)) {
    while (length > 0 && lines[length] !== line) length = borders[length] ?? 0
    if (lines[length] === line) length++
    borders.push(length)
  }
  return borders
}
