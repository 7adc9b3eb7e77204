/**
 * Words: finds which parts of two lines differ, as ranges that a view can mark.
 *
 * A line is divided into words, runs of white space and single characters, and these pieces are aligned
 * like lines. A mark never splits a surrogate pair. Of lines longer than {@link LONGEST_LINE}, only the
 * common start and end are found, which visits each character once.
 *
 * @module
 */

import { align } from './align.ts'

/** A range of UTF-16 code units, half-open. */
export type Span = readonly [from: number, to: number]

/** The changed ranges of two lines. */
export interface Spans {
  readonly old: readonly Span[]
  readonly new: readonly Span[]
}

/** Maximum length, in UTF-16 code units, of a line that is compared word by word. */
export const LONGEST_LINE = 1_000

/** Steps for the words of two lines, see align.ts: enough for about 100 changed words. */
const WORD_STEPS = 2 ** 15

// A pattern cannot find words in scripts that are written without spaces.
const PIECE =
  /(?:(?![\p{Ideographic}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}_])+|\s+|./gsu

const ASCII_PIECE = /\w+|\s+|./gs

// oxlint-disable-next-line no-control-regex -- all of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/

/** Splits a line into words, runs of white space and single characters. Joined, they are the line. */
export function piecesOf(line: string): readonly string[] {
  return line.match(ASCII.test(line) ? ASCII_PIECE : PIECE) ?? []
}

/** Returns the ranges to mark in each of two lines. */
export function changedSpans(old: string, next: string): Spans {
  if (old.length > LONGEST_LINE || next.length > LONGEST_LINE) return outerSpans(old, next)
  const oldPieces = piecesOf(old)
  const newPieces = piecesOf(next)
  const partners = alignTexts(oldPieces, newPieces, WORD_STEPS)
  const stays = new Set(partners)
  return {
    old: spansOf(oldPieces, (index) => partners[index] !== -1),
    new: spansOf(newPieces, (index) => stays.has(index)),
  }
}

/** Returns the lengths, in UTF-16 code units, of the common start and end of two lines, without overlap. */
export function commonEnds(old: string, next: string): { start: number; end: number } {
  const most = Math.min(old.length, next.length)
  let start = 0
  while (start < most && old.charCodeAt(start) === next.charCodeAt(start)) start++
  if (cutsCharacter(old, start) || cutsCharacter(next, start)) start--
  let end = 0
  const oldLast = old.length - 1
  const newLast = next.length - 1
  while (end < most - start && old.charCodeAt(oldLast - end) === next.charCodeAt(newLast - end))
    end++
  if (cutsCharacter(old, old.length - end) || cutsCharacter(next, next.length - end)) end--
  return { start, end }
}

/** Aligns texts as `align` does numbers. */
export function alignTexts(
  old: readonly string[],
  next: readonly string[],
  steps: number,
): Int32Array {
  const numbers = new Map<string, number>()
  const number = (text: string) => {
    const known = numbers.get(text) ?? numbers.size
    numbers.set(text, known)
    return known
  }
  return align(Int32Array.from(old, number), Int32Array.from(next, number), steps)
}

function outerSpans(old: string, next: string): Spans {
  const { start, end } = commonEnds(old, next)
  const between = (line: string): Span[] =>
    start < line.length - end ? [[start, line.length - end]] : []
  return { old: between(old), new: between(next) }
}

/** Joins adjacent changed pieces, also across pieces of white space. */
function spansOf(pieces: readonly string[], stays: (index: number) => boolean): Span[] {
  const spans: Span[] = []
  let at = 0
  let open = false
  for (const [index, piece] of pieces.entries()) {
    const end = at + piece.length
    if (!stays(index)) {
      const last = open ? spans.pop() : undefined
      spans.push([last?.[0] ?? at, end])
      open = true
    } else if (piece.trim() !== '') open = false
    at = end
  }
  return spans
}

/** Whether an index lies between the two halves of a surrogate pair. */
export function cutsCharacter(text: string, at: number): boolean {
  return at > 0 && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}
