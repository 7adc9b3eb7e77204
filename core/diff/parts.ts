/**
 * Parts: a line as it is shown, divided where its marks begin and end.
 *
 * A very long line is not shown whole: its ends and the text near each change are, with the number of
 * omitted characters in between.
 *
 * @module
 */

import { cutsCharacter, type Span } from './words.ts'

/** Maximum length, in UTF-16 code units, of a line that is shown whole. */
export const LONGEST_SHOWN = 2_000

/** UTF-16 code units of a longer line that are shown on either side of each change. */
const KEPT = 200

/** Maximum number of changes of a longer line that are shown. */
const MOST_PLACES = 10

/** A part of a line: marked as changed or not, or an omission. */
export interface LinePart {
  readonly text: string
  readonly marked: boolean
  /** Of an omission: the number of UTF-16 code units that are left out. */
  readonly left?: number
}

/** Divides a line into parts, in order. Spans may overlap, or end after the line. */
export function partsOf(text: string, spans: readonly Span[] = []): LinePart[] {
  const parts: LinePart[] = []
  let at = 0
  for (const [from, to] of keptRanges(text, spans)) {
    if (from > at) parts.push({ text: '', marked: false, left: from - at })
    parts.push(...markedParts(text, spans, from, to))
    at = to
  }
  return parts
}

function* markedParts(
  text: string,
  spans: readonly Span[],
  low: number,
  high: number,
): Iterable<LinePart> {
  let at = low
  for (const [spanFrom, spanTo] of spans) {
    const from = Math.max(spanFrom, at)
    const to = Math.min(spanTo, high)
    if (from >= to) continue
    if (from > at) yield { text: text.slice(at, from), marked: false }
    yield { text: text.slice(from, to), marked: true }
    at = to
  }
  if (at < high) yield { text: text.slice(at, high), marked: false }
}

function keptRanges(text: string, spans: readonly Span[]): Span[] {
  if (text.length <= LONGEST_SHOWN) return [[0, text.length]]
  const places = spans
    .slice(0, MOST_PLACES)
    .flat()
    .map((place) => Math.min(place, text.length))
  const ranges: Span[] = []
  let from = 0
  let to = places.length > 0 ? KEPT : LONGEST_SHOWN - 2 * KEPT
  for (const place of [...places, text.length]) {
    const next = wholeFrom(text, Math.max(place - KEPT, 0))
    if (next > to) {
      ranges.push([from, wholeFrom(text, to)])
      from = next
    }
    to = Math.min(Math.max(to, place + KEPT), text.length)
  }
  return [...ranges, [from, to]]
}

/** Returns the index, or the one before it if it would split a surrogate pair. */
function wholeFrom(text: string, at: number): number {
  return cutsCharacter(text, at) ? at - 1 : at
}
