/**
 * Layout: what a view shows of a hunk.
 *
 * Lines have their numbers, in one column or side by side. Side by side, a deleted line is next to the
 * inserted line that replaced it; the lines between two such pairs are filled in from the top. Both forms
 * come from the same hunk and contain every line.
 *
 * A line is divided into parts where its marks begin and end. A very long line is not shown whole: its ends
 * and the text near each change are, with the number of omitted characters in between.
 * `test/core/diff/layout.test.ts` covers this.
 *
 * @module
 */

import type { DiffLine, Hunk } from './hunks.ts'
import { cutsCharacter, type Span } from './inline.ts'

/** A line and its number on each side that it is on, counted from 1. */
export interface NumberedLine {
  readonly line: DiffLine
  readonly oldNumber: number | null
  readonly newNumber: number | null
}

/** One row: a line that stays is on both sides; at a change either side may be empty. */
export interface Row {
  readonly left: NumberedLine | null
  readonly right: NumberedLine | null
}

/** Numbers the lines of a hunk. */
export function numberLines(hunk: Hunk): NumberedLine[] {
  let oldNumber = hunk.oldStart
  let newNumber = hunk.newStart
  return hunk.lines.map((line) => ({
    line,
    oldNumber: line.kind === 'insert' ? null : oldNumber++,
    newNumber: line.kind === 'delete' ? null : newNumber++,
  }))
}

/** Arranges the lines of a hunk side by side. */
export function rowsOf(hunk: Hunk): Row[] {
  const rows: Row[] = []
  let deleted: NumberedLine[] = []
  let inserted: NumberedLine[] = []
  const end = () => {
    rows.push(...pairSides(deleted, inserted))
    deleted = []
    inserted = []
  }
  for (const numbered of numberLines(hunk)) {
    const { kind } = numbered.line
    if (kind === 'context' || (kind === 'delete' && inserted.length > 0)) end()
    if (kind === 'context') rows.push({ left: numbered, right: numbered })
    else if (kind === 'delete') deleted.push(numbered)
    else inserted.push(numbered)
  }
  end()
  return rows
}

function pairSides(deleted: readonly NumberedLine[], inserted: readonly NumberedLine[]): Row[] {
  const left = cutAtPairs(deleted)
  const right = cutAtPairs(inserted)
  const blocks = Math.max(left.length, right.length)
  return Array.from({ length: blocks }, (_, index) =>
    pairFromTop(left[index] ?? [], right[index] ?? []),
  ).flat()
}

/** Cuts before and after each line that has a partner, so that equal indexes belong together. */
function cutAtPairs(lines: readonly NumberedLine[]): NumberedLine[][] {
  const blocks: NumberedLine[][] = [[]]
  for (const line of lines) {
    if (line.line.spans) blocks.push([line], [])
    else blocks.at(-1)?.push(line)
  }
  return blocks
}

function pairFromTop(left: readonly NumberedLine[], right: readonly NumberedLine[]): Row[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => ({
    left: left[index] ?? null,
    right: right[index] ?? null,
  }))
}

/** Maximum length, in UTF-16 code units, of a line that is shown whole. */
export const MAX_SHOWN_LENGTH = 2_000

/** UTF-16 code units of a longer line that are shown on either side of each change. */
const KEPT_AROUND = 200

/** Maximum number of changes of a longer line that are shown. */
const MAX_PLACES = 10

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
  if (text.length <= MAX_SHOWN_LENGTH) return [[0, text.length]]
  const places = spans
    .slice(0, MAX_PLACES)
    .flat()
    .map((place) => Math.min(place, text.length))
  const ranges: Span[] = []
  let from = 0
  let to = places.length > 0 ? KEPT_AROUND : MAX_SHOWN_LENGTH - 2 * KEPT_AROUND
  for (const place of [...places, text.length]) {
    const next = wholeFrom(text, Math.max(place - KEPT_AROUND, 0))
    if (next > to) {
      ranges.push([from, wholeFrom(text, to)])
      from = next
    }
    to = Math.min(Math.max(to, place + KEPT_AROUND), text.length)
  }
  return [...ranges, [from, to]]
}

/** Returns the index, or the one before it if it would split a surrogate pair. */
function wholeFrom(text: string, at: number): number {
  return cutsCharacter(text, at) ? at - 1 : at
}
