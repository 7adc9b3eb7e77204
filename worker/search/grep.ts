/**
 * Grep: finds the matching lines of a text, with context lines around them, as ripgrep does.
 *
 * A text is tested as a whole first, because most texts have no match, and is split into lines only if there
 * is something to show. A search yields to other work, because a line may take long. Lines end at `\n`; a
 * `\r` before it is not part of the line, and a final newline does not start another line.
 *
 * @module
 */

import { MAX_UNIT_BYTES } from '../texts/text.ts'
import type { Meter } from './meter.ts'
import type { Pattern } from './pattern.ts'

/** How to show the matching lines. */
export interface GrepOptions {
  /** Lines of context before and after a match. */
  readonly before: number
  readonly after: number
  /** Maximum number of bytes to show of a line; 0 means "no limit". */
  readonly maxLineBytes: number
}

/** What to collect while searching. */
export interface SearchOptions {
  /** Maximum number of bytes that will be shown of a line; 0 means "no limit". */
  readonly maxLineBytes: number
  /** Maximum number of matching lines to keep; the others are only counted. */
  readonly most: number
}

/** The matching lines of a text. */
export interface Hits {
  readonly count: number
  /** The indexes in the text at which the kept lines begin. */
  readonly starts: readonly number[]
  /** For long lines, by their start: the index in the line from which to show it. */
  readonly views: ReadonlyMap<number, number>
}

/** Maximum length, in UTF-16 code units, of a line that is shown as a whole: nearly all lines of source code. */
export const MAX_WHOLE_LINE = 500

/** UTF-16 code units of a longer line that are shown, so that one file does not take the place of all others. */
const WINDOW = 400

/** Lines after which a search yields to other work, even if each was fast. */
const TURN_LINES = 32_768

/** What is found in most texts. */
const NO_HITS: Hits = { count: 0, starts: [], views: new Map() }

/**
 * Finds the matching lines. Each `yield` lets other work run, and the caller refills the meter. Returns null
 * if one line takes more steps than a full meter has.
 */
export function* findHits(
  text: string,
  pattern: Pattern,
  meter: Meter,
  { maxLineBytes, most }: SearchOptions,
): Generator<undefined, Hits | null, undefined> {
  let possible = findPossibleLine(text, 0, pattern, meter)
  if (!possible) return NO_HITS
  const starts: number[] = []
  const views = new Map<number, number>()
  let [count, looked] = [0, 0]
  for (; possible; possible = findPossibleLine(text, possible.next, pattern, meter)) {
    if (++looked % TURN_LINES === 0) yield
    const { start, at, end } = possible
    const matches =
      pattern.isFound(text, at) || (yield* tryLine(lineOf(text, possible), pattern, meter))
    if (matches === null) return null
    if (!matches || ++count > most) continue
    starts.push(start)
    if (isLong(end - start, maxLineBytes))
      views.set(start, yield* findView(text, possible, { pattern, meter, maxLineBytes }))
  }
  return { count, starts, views }
}

/**
 * Formats the matching lines with their context, in chunks of consecutive lines: `N: text` is a match and
 * `N- text` is context. Adjacent chunks are joined.
 */
export function showHits(text: string, hits: Hits, options: GrepOptions): string[] {
  const { before, after, maxLineBytes } = options
  const places = placesOf(text, hits)
  const end = endOfContext(text, hits.starts.at(-1) ?? 0, after)
  const lines = text.slice(0, end).split('\n')
  const last = lines.at(-1) === '' ? lines.length - 2 : lines.length - 1
  return windowsRound(places.keys(), before, after, last).map(({ from, to }) => {
    const shown = lines.slice(from, to + 1).map((line, index) => {
      const start = places.get(from + index)
      const view = start === undefined ? 0 : (hits.views.get(start) ?? 0)
      const cut = shorten(withoutReturn(line), maxLineBytes, view)
      return `${from + index + 1}${start === undefined ? '-' : ':'} ${cut}`
    })
    return shown.join('\n')
  })
}

/** A line in which the native search found, at `at`, a text that every match contains. */
interface PossibleLine {
  readonly start: number
  readonly at: number
  /** The index of its newline, or the length of the text. */
  readonly end: number
  readonly next: number
}

function findPossibleLine(
  text: string,
  from: number,
  pattern: Pattern,
  meter: Meter,
): PossibleLine | null {
  const at = from < text.length ? pattern.seek(text, from, meter) : -1
  if (at < 0) return null
  const start = at === from ? from : text.lastIndexOf('\n', at - 1) + 1
  const newline = text.indexOf('\n', at)
  const end = newline < 0 ? text.length : newline
  return { start, at, end, next: end + 1 }
}

const lineOf = (text: string, { start, end }: PossibleLine) => withoutReturn(text.slice(start, end))

/** Tests a line with what is left of the meter, then with a full one; null if that does not suffice. */
function* tryLine(
  line: string,
  pattern: Pattern,
  meter: Meter,
): Generator<undefined, boolean | null, undefined> {
  const matches = pattern.tryLine(line, meter)
  if (matches !== null) return matches
  yield
  return pattern.tryLine(line, meter)
}

/** Returns the start of each matching line by its line index, counted from 0. */
function placesOf(text: string, { starts }: Hits): Map<number, number> {
  const places = new Map<number, number>()
  let index = 0
  let counted = 0
  for (const start of starts) {
    for (; counted < start; index++) counted = text.indexOf('\n', counted) + 1
    places.set(index, start)
  }
  return places
}

/** Returns the end of the context after the last match. */
function endOfContext(text: string, start: number, after: number): number {
  let end = start
  for (let lines = 0; lines <= after; lines++) {
    const newline = text.indexOf('\n', end)
    if (newline < 0) return text.length
    end = newline + 1
  }
  return end
}

function windowsRound(hits: Iterable<number>, before: number, after: number, last: number) {
  const windows: { readonly from: number; to: number }[] = []
  for (const hit of hits) {
    const from = Math.max(0, hit - before)
    const to = Math.min(last, hit + after)
    const previous = windows.at(-1)
    if (previous && from <= previous.to + 1) previous.to = to
    else windows.push({ from, to })
  }
  return windows
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

const encoder = new TextEncoder()

/** Whether a line of this length is long, or may have more than `maxBytes` bytes. */
function isLong(length: number, maxBytes: number): boolean {
  return length > MAX_WHOLE_LINE || (maxBytes > 0 && length * MAX_UNIT_BYTES > maxBytes)
}

/**
 * Cuts a long line to what follows `view`, and appends how many bytes are hidden. If the line begins earlier, it gets a
 * `…` and the column at which it is shown.
 */
function shorten(line: string, maxBytes: number, view: number): string {
  if (!isLong(line.length, maxBytes)) return line
  const bytes = encoder.encode(line).length
  const isWindow = line.length > MAX_WHOLE_LINE
  if (!isWindow && bytes <= maxBytes) return line
  const end = isWindow ? startOfPair(line, view + WINDOW) : line.length
  const room = new Uint8Array(maxBytes || WINDOW * MAX_UNIT_BYTES)
  const { read, written } = encoder.encodeInto(line.slice(view, end), room)
  const kept = line.slice(view, view + read)
  const hidden = `${bytes - written} bytes hidden`
  return view === 0
    ? `${kept}[TRUNCATED: ${hidden}]`
    : `…${kept}[TRUNCATED: ${hidden}, from column ${view + 1}]`
}

/** Pieces of a line after which a search yields to other work. */
const TURN_PIECES = 65_536

/** Steps from one piece of a line to the next: first large ones, because each piece is a call of the engine. */
const STEP = { first: 4_096, last: 100 }

/** How to find where a long line matches. */
interface PlaceSearch {
  readonly pattern: Pattern
  readonly meter: Meter
  readonly maxLineBytes: number
}

/**
 * Finds from where to show a long line. It tests pieces of the line that overlap by half, because the engine is fast only
 * if it need not locate the match. A match longer than half a piece may be missed; then more before it is shown.
 */
function* findView(
  text: string,
  possible: PossibleLine,
  search: PlaceSearch,
): Generator<undefined, number, undefined> {
  const line = lineOf(text, possible)
  const { maxLineBytes: most } = search
  // Three steps have room at 3 bytes a unit: a piece of two, and what is shown before it.
  const last = most > 0 ? Math.min(STEP.last, Math.max(1, Math.floor(most / 9))) : STEP.last
  const near = Math.max(0, possible.at - possible.start - last)
  let piece: Piece | null = { from: near, to: near + 2 * last }
  piece = yield* findPiece(line, piece, last, search)
  if (!piece) {
    piece = yield* findPiece(line, { from: 0, to: line.length }, STEP.first, search)
    if (piece) piece = (yield* findPiece(line, piece, last, search)) ?? piece
  }
  return startOfPair(line, Math.max(0, (piece?.from ?? 0) - last))
}

/** A part of a line. */
interface Piece {
  readonly from: number
  readonly to: number
}

/** Finds the first piece of two steps, within a part of a line, that matches. */
function* findPiece(
  line: string,
  { from, to }: Piece,
  step: number,
  { pattern, meter }: PlaceSearch,
): Generator<undefined, Piece | null, undefined> {
  for (let at = from, tried = 0; at < to; at += step) {
    const piece = { from: at, to: Math.min(at + 2 * step, to) }
    if (++tried % TURN_PIECES === 0) yield
    if (yield* tryLine(line.slice(piece.from, piece.to), pattern, meter)) return piece
  }
  return null
}

/** Returns an index, or the one before if it is inside a surrogate pair. */
function startOfPair(line: string, at: number): number {
  return at > 0 && (line.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at
}
