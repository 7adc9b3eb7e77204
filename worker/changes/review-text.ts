/**
 * Text that a person is to judge: what could hide in it is shown.
 *
 * Characters that have no form of their own, or that turn text round, stand there by their names: a
 * line may not look like another than it is. Very long lines are cut, but not where they changed,
 * and say how much is missing.
 *
 * @module
 */

import type { DiffLine } from '#core/diff/hunks.ts'
import type { Span } from '#core/diff/words.ts'
import { joinHtml, markup, type Html } from './review-html.ts'

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

const NAMES: ReadonlyMap<string, string> = new Map([
  ['\0', 'NUL'],
  ['\b', 'BS'],
  ['\n', 'LF'],
  ['\v', 'VT'],
  ['\f', 'FF'],
  ['\r', 'CR'],
  ['\u001b', 'ESC'],
  ['\u007f', 'DEL'],
  ['\u0085', 'NEL'],
  ['\u00a0', 'NBSP'],
  ['\u00ad', 'SHY'],
  ['\u200b', 'ZWSP'],
  ['\u200c', 'ZWNJ'],
  ['\u200d', 'ZWJ'],
  ['\u200e', 'LRM'],
  ['\u200f', 'RLM'],
  ['\u202a', 'LRE'],
  ['\u202b', 'RLE'],
  ['\u202c', 'PDF'],
  ['\u202d', 'LRO'],
  ['\u202e', 'RLO'],
  ['\u2066', 'LRI'],
  ['\u2067', 'RLI'],
  ['\u2068', 'FSI'],
  ['\u2069', 'PDI'],
  ['\ufeff', 'BOM'],
])

/** Text in which nothing is hidden. */
export function visible(text: string): Html {
  const parts: Html[] = []
  let at = 0
  for (const { 0: found, 1: emoji, index } of text.matchAll(HIDDEN)) {
    if (emoji) continue
    parts.push(markup`${text.slice(at, index)}<span class="v">${nameOf(found)}</span>`)
    at = index + found.length
  }
  return joinHtml([...parts, markup`${text.slice(at)}`])
}

/** The same for a place where no markup can stand, such as a title. */
export function visiblePlain(text: string): string {
  return text.replace(HIDDEN, (found, emoji?: string) => emoji ?? `[${nameOf(found)}]`)
}

/** A line with its marks. A `\r` at its end stays quiet, or away where the whole file has them. */
export function markedLine(line: DiffLine, withReturns: boolean): Html {
  const text = line.text.endsWith('\r') ? line.text.slice(0, -1) : line.text
  const spans = line.spans ?? []
  const parts: Html[] = []
  let at = 0
  for (const [from, to] of keptRanges(text, spans)) {
    if (from > at)
      parts.push(markup`<span class="cut">${count(from - at)} characters not shown</span>`)
    parts.push(...markedRange(text, spans, from, to))
    at = to
  }
  if (text !== line.text && withReturns) {
    const marked = spans.some(([, to]) => to === line.text.length)
    parts.push(
      marked ? markup`<mark><span class="v">CR</span></mark>` : markup`<span class="end">CR</span>`,
    )
  }
  if (line.noNewline) parts.push(markup`<span class="end">no newline at the end</span>`)
  return joinHtml(parts)
}

/** A number as people write it: 12,345. */
export function count(number: number): string {
  return number.toLocaleString('en')
}

function nameOf(char: string): string {
  const code = char.codePointAt(0) ?? 0
  return NAMES.get(char) ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

function* markedRange(text: string, spans: readonly Span[], low: number, high: number) {
  let at = low
  for (const [spanFrom, spanTo] of spans) {
    const from = Math.max(spanFrom, low)
    const to = Math.min(spanTo, high)
    if (from >= to) continue
    yield visible(text.slice(at, from))
    yield markup`<mark>${visible(text.slice(from, to))}</mark>`
    at = to
  }
  yield visible(text.slice(at, high))
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
