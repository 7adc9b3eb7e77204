/**
 * Marks: finds what changed within replaced lines.
 *
 * For each run of deleted and inserted lines, `pairs.ts` finds which line became which, and `words.ts`
 * what differs between the two. Lines are compared until {@link MOST_COMPARED} is used up; later ones have
 * no marks, so a text that changed everywhere costs a bounded amount of work.
 *
 * @module
 */

import type { DiffLine } from './hunks.ts'
import { pairLines } from './pairs.ts'
import { changedSpans, LONGEST_LINE } from './words.ts'

/** Budget of one difference, in UTF-16 code units of replaced lines. */
export const MOST_COMPARED = 2 ** 20

/** Cost of a line in addition to its text. */
const PER_LINE = 16

/** Adds `spans` to lines that have a partner, by replacing them in both arrays. */
export type Marker = (deleted: DiffLine[], inserted: DiffLine[]) => void

/** Creates a marker for one difference, which shares the budget `most` among all its runs. */
export function createMarker(most = MOST_COMPARED): Marker {
  let left = most
  return (deleted, inserted) => {
    if (deleted.length === 0 || inserted.length === 0 || left <= 0) return
    const cost = costOf(deleted) + costOf(inserted)
    const share = Math.min(1, left / cost)
    left -= cost
    markPairs(deleted, inserted, share)
  }
}

function costOf(lines: readonly DiffLine[]): number {
  // Only the two ends of a longer line are compared, which is cheap.
  return lines.reduce((sum, { text }) => sum + Math.min(text.length, LONGEST_LINE) + PER_LINE, 0)
}

/** Marks paired lines. With a `share` below 1, only that share of each side, from the top. */
function markPairs(deleted: DiffLine[], inserted: DiffLine[], share: number): void {
  const texts = (lines: readonly DiffLine[]) =>
    lines.slice(0, Math.floor(lines.length * share)).map((line) => line.text)
  for (const [i, j] of pairLines(texts(deleted), texts(inserted))) {
    const old = deleted[i]
    const next = inserted[j]
    if (!old || !next) continue
    const spans = changedSpans(old.text, next.text)
    deleted[i] = { ...old, spans: spans.old }
    inserted[j] = { ...next, spans: spans.new }
  }
}
