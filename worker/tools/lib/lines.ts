/**
 * Numbered lines: the part of a text that `read_file` shows, within limits of lines and bytes.
 *
 * `line-counter.ts` beside it gives the lines one after the other. `test/worker/tools/lines.test.ts` tests both.
 *
 * @module
 */

import { jsonBytes, MAX_JSON_UNIT_BYTES, utf8Bytes } from '../../encoding/json-bytes.ts'
import { MAX_UNIT_BYTES } from '../../encoding/text.ts'
import { MAX_KEPT_LINE_LENGTH } from '../limits.ts'

/** The part of a text to show. */
export interface LineWindow {
  /** The first line to show, from 1. */
  readonly start: number
  /** Lines to show; 0 for all. */
  readonly limit: number
  /** Bytes to show, of the lines as JSON; 0 for all. A first line that takes more is cut. */
  readonly maxBytes: number
  /** Bytes of one line to show; 0 for all. */
  readonly maxLineBytes: number
}

/** Why lines or parts of lines are not shown. */
export type CutReason = 'line_limit' | 'long_lines' | 'max_bytes'

/** The lines of a window. */
export interface Lines {
  /** `N: text`, joined by newlines. */
  readonly content: string
  /** Lines shown. */
  readonly count: number
  /** Lines of the text. */
  readonly total: number
  /** Why lines after `start`, or parts of lines, are left out; empty when none are. */
  readonly cut: readonly CutReason[]
}

/** The lines that are shown, as they are added. */
export interface ShownLines {
  readonly window: LineWindow
  /** The number of the first line after the window. */
  readonly end: number
  /** All lines, each after a newline: appending is faster than joining an array in the end. */
  content: string
  count: number
  /** Whether the bytes are used up. */
  isFull: boolean
  readonly cut: Set<CutReason>
  readonly fits: (content: string) => boolean
}

/** Creates the lines of a window, without any yet. */
export function createShown(window: LineWindow): ShownLines {
  const { start, limit, maxBytes } = window
  const end = limit === 0 ? Infinity : start + limit
  const fits = createBudget(maxBytes)
  return { window, end, content: '', count: 0, isFull: false, cut: new Set(), fits }
}

const isInWindow = ({ window, end }: ShownLines, number: number) =>
  number >= window.start && number < end

/** Whether the content of any line from `first` to `last` can change the result. */
export function canChange(shown: ShownLines, first: number, last: number): boolean {
  const { start } = shown.window
  if (last < start || shown.isFull) return false
  return isInWindow(shown, Math.max(first, start)) || !shown.cut.has('line_limit')
}

/** Returns the beginning of a long line that can change the result. */
export function keepBeginning(shown: ShownLines, number: number, text: string): string {
  if (!isInWindow(shown, number)) return text.slice(0, 1)
  const { maxLineBytes } = shown.window
  return maxLineBytes === 0 || maxLineBytes > MAX_KEPT_LINE_LENGTH
    ? text
    : beginning(text, maxLineBytes)
}

/** Adds a line, if it is in the window and fits; `dropped` bytes of it followed the text. */
export function addLine(shown: ShownLines, number: number, text: string, dropped: number): void {
  const { window, cut } = shown
  if (number < window.start || shown.isFull) return
  if (number >= shown.end) return void cut.add('line_limit')
  const short = shorten(text, window.maxLineBytes, dropped)
  // One template would append each of its parts to all that comes before.
  const more = shown.content + `\n${number}: ` + short
  shown.isFull = !shown.fits(more)
  if (shown.isFull) cut.add('max_bytes')
  if (shown.isFull && shown.count > 0) return
  const line = shown.isFull ? cutFirst(window, number, text, dropped) : short
  if (line !== text) cut.add('long_lines')
  shown.content = shown.isFull ? `\n${number}: ${line}` : more
  shown.count++
}

/** Returns the part of a first line that fits: without any line, a reader could not go on behind it. */
function cutFirst(window: LineWindow, number: number, text: string, dropped: number): string {
  const { maxBytes, maxLineBytes } = window
  const room = fitting(text, maxBytes - jsonBytes(`\n${number}: `))
  // 0 would be no limit.
  return shorten(text, Math.max(1, Math.min(room, maxLineBytes || room)), dropped)
}

/** Counts the bytes of UTF-8 of the longest beginning of a text that takes up to `maxBytes` as JSON. */
function fitting(text: string, maxBytes: number): number {
  let length = 0
  let left = maxBytes
  for (const character of text) {
    left -= ONE_BYTE.test(character) ? 1 : jsonBytes(character)
    if (left < 0) break
    length += character.length
  }
  return utf8Bytes(text.slice(0, length))
}

/** The characters that JSON writes as one byte: to test them is faster than to write them. */
const ONE_BYTE = /[ !#-[\]-~]/

/** Returns the lines that were added, of a text with `total` lines. */
export function linesOf({ content, count, cut }: ShownLines, total: number): Lines {
  return { content: content.slice(1), count, total, cut: [...cut] }
}

/**
 * Tells whether a text, which begins with the one before, fits the byte limit as JSON, in which hosts give it to the
 * model. Bytes are counted only when an upper bound exceeds it.
 */
function createBudget(maxBytes: number): (text: string) => boolean {
  if (maxBytes === 0) return () => true
  /** The length and the bytes of a text that was counted. */
  let length = 0
  let bytes = 0
  return (text) => {
    if (bytes + MAX_JSON_UNIT_BYTES * (text.length - length) <= maxBytes) return true
    bytes += jsonBytes(text.slice(length))
    length = text.length
    return bytes <= maxBytes
  }
}

/** Returns at least so many code units from the start, without splitting a surrogate pair. */
function beginning(text: string, length: number): string {
  return text.slice(0, length + ((text.codePointAt(length - 1) ?? 0) > 0xffff ? 1 : 0))
}

/**
 * Cuts a line to `maxBytes` of UTF-8, never inside a character, and appends how many bytes are hidden.
 * `behind` bytes of the line follow the text and count as hidden.
 */
export function shorten(text: string, maxBytes: number, behind = 0): string {
  if (maxBytes === 0 || (behind === 0 && text.length * MAX_UNIT_BYTES <= maxBytes)) return text
  const bytes = utf8Bytes(text) + behind
  if (bytes <= maxBytes) return text
  const { read, written } = ENCODER.encodeInto(text, new Uint8Array(maxBytes))
  return `${text.slice(0, read)}[TRUNCATED: ${bytes - written} bytes hidden]`
}

const ENCODER = new TextEncoder()
