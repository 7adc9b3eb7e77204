/**
 * Text that a person is to judge: what could hide in it gets a name.
 *
 * Characters that have no form of their own, or that turn text round, stand there by their names: a
 * line may not look like another than it is. Very long lines are cut, but not where they changed.
 *
 * @module
 */

import type { Span } from '#core/diff/words.ts'

/** Text as it is, or the name of one character. */
export type Piece = string | { readonly name: string }

/** UTF-16 code units of a line that is shown whole. */
export const LONGEST_SHOWN = 2_000

/** What is kept of a longer one, on either side of each place where it changed. */
const KEPT = 200

/** Places of a longer line that are kept. */
const MOST_PLACES = 10

// Emoji hold invisible characters between visible ones, and are let through whole.
const EMOJI = String.raw`\p{ExtPict}[\ufe0f\p{EMod}]?(?:\u200d\p{ExtPict}[\ufe0f\p{EMod}]?)*|[0-9#*]\ufe0f\u20e3`

// U+2800 is the blank of Braille.
const HIDDEN = new RegExp(
  String.raw`(${EMOJI})|(?![ \t])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`,
  'gu',
)

// oxlint-disable-next-line no-control-regex -- most lines are this, and hide nothing
const PLAIN = /^[\t\x20-\x7e]*$/

const NAMES: Readonly<Record<string, string>> = {
  '\0': 'NUL',
  '\b': 'BS',
  '\n': 'LF',
  '\r': 'CR',
  '\u001b': 'ESC',
  '\u00a0': 'NBSP',
  '\u00ad': 'SHY',
  '\u200b': 'ZWSP',
  '\u200c': 'ZWNJ',
  '\u200d': 'ZWJ',
  '\u200e': 'LRM',
  '\u200f': 'RLM',
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
  '\ufeff': 'BOM',
}

export function piecesOf(text: string): Piece[] {
  if (PLAIN.test(text)) return [text]
  const pieces: Piece[] = []
  let at = 0
  for (const { 0: found, 1: emoji, index } of text.matchAll(HIDDEN)) {
    if (emoji) continue
    pieces.push(text.slice(at, index), { name: nameOf(found) })
    at = index + found.length
  }
  return [...pieces, text.slice(at)].filter((piece) => piece !== '')
}

function nameOf(char: string): string {
  const code = char.codePointAt(0) ?? 0
  return NAMES[char] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** A part of a line: marked as changed or not, or so many characters that are left out. */
export interface LinePart {
  readonly text: string
  readonly marked: boolean
  readonly left?: number
}

/** A line cut where its marks begin and end, and where it is too long to show. */
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

/** What is shown of a line: all, or its ends and what is near a change. */
function keptRanges(text: string, spans: readonly Span[]): Span[] {
  if (text.length <= LONGEST_SHOWN) return [[0, text.length]]
  const places = spans.slice(0, MOST_PLACES).flat()
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

/** The place, or the one before where it would cut a character in half. */
function wholeFrom(text: string, at: number): number {
  const code = at > 0 ? (text.codePointAt(at - 1) ?? 0) : 0
  return code > 0xffff ? at - 1 : at
}
