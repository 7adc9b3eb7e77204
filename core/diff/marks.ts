/**
 * Marks: in lines that were replaced, what changed within the line.
 *
 * For each run of deleted and inserted lines this finds out which became which (`pairs.ts`) and what
 * differs between the two (`words.ts`). Lines are looked at until {@link MOST_COMPARED} is used up;
 * what follows is shown as it is, so a text that changed everywhere costs no more than a bounded
 * part of it.
 *
 * @module
 */

import type { DiffLine } from './hunks.ts'
import { pairLines } from './pairs.ts'
import { changedSpans, LONGEST_LINE } from './words.ts'

/** What one difference may spend, in UTF-16 code units of replaced lines. */
export const MOST_COMPARED = 2 ** 20

/** What a line costs beside its text. */
const PER_LINE = 16

/** Replaces lines that have a partner by ones that have `spans`. */
export type Marker = (deleted: DiffLine[], inserted: DiffLine[]) => void

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
  // Of a longer line only the two ends are compared, which is cheap.
  return lines.reduce((sum, { text }) => sum + Math.min(text.length, LONGEST_LINE) + PER_LINE, 0)
}

/** Looks at the first lines of each side only, where `share` is less than 1. */
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
