/**
 * Numbered lines: the part of a text that `read_file` shows, within limits of lines and bytes.
 *
 * `line-counter.ts` beside it gives the lines one after the other. `test/worker/tools/lines.test.ts` tests both.
 *
 * @module
 */

import { jsonBytes, MAX_JSON_UNIT_BYTES, utf8Bytes } from '../../encoding/json-bytes.ts'
import type { DocumentFormat } from '../../texts/document.ts'
import type { TextEncoding } from '../../texts/encoding.ts'
import { MAX_UNIT_BYTES } from '../../texts/text.ts'
import { MAX_CUT_LINES, MAX_KEPT_LINE_LENGTH } from './limits.ts'

/** The part of a text to show. */
export interface LineWindow {
  /** The first line to show, from 1. */
  readonly start: number
  /** Where the first line begins to be shown: a column from 1, in UTF-16 code units. */
  readonly column: number
  /** Lines to show; 0 for all. */
  readonly limit: number
  /** Bytes to show, of the lines as JSON; 0 for all. A first line that takes more is cut. */
  readonly maxBytes: number
  /** Bytes of one line to show; 0 for all. */
  readonly maxLineBytes: number
}

/** Why lines or parts of lines are not shown. */
export type CutReason = 'line_limit' | 'long_lines' | 'max_bytes'

/** A line that is shown in part: the arguments of `read_file` that read on where it was cut. */
export interface CutLine {
  readonly start_line: number
  readonly column: number
  readonly limit: 1
}

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
  /** The lines that are shown in part. */
  readonly cutLines: readonly CutLine[]
}

/** The lines of a window of a file. */
export interface TextLines extends Lines {
  readonly encoding: TextEncoding
  /** Set if the lines were extracted from a document. */
  readonly document?: DocumentFacts
}

/** The document from which lines were extracted. */
export interface DocumentFacts {
  readonly format: DocumentFormat
  /** The number of its pages, sheets, slides, chapters or cells; 1 if it has none. */
  readonly pages: number
}

/** The lines that are shown, as they are added. */
export interface ShownLines {
  readonly window: LineWindow
  /** The number of the first line after the window. */
  readonly end: number
  /** All lines, each after a newline: appending is faster than joining an array in the end. */
  content: string
  count: number
  /** The column at which the first line begins to be shown. */
  column: number
  /** Whether the bytes are used up, or the cut lines that a result names. */
  isFull: boolean
  readonly cut: Set<CutReason>
  readonly cutLines: CutLine[]
  readonly fits: (content: string) => boolean
}

/** Creates the lines of a window, without any yet. */
export function createShown(window: LineWindow): ShownLines {
  const { start, column, limit, maxBytes } = window
  return {
    window,
    end: limit === 0 ? Infinity : start + limit,
    content: '',
    count: 0,
    column,
    isFull: false,
    cut: new Set(),
    cutLines: [],
    fits: createBudget(maxBytes),
  }
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
  const { maxLineBytes, maxBytes } = shown.window
  // No limit is 0. As many code units as bytes fit neither limit.
  const most = Math.min(maxLineBytes || Infinity, maxBytes || Infinity)
  return most > MAX_KEPT_LINE_LENGTH ? text : beginning(text, most)
}

/** Adds a line, if it is in the window and fits; `dropped` bytes of it followed the text. */
export function addLine(shown: ShownLines, number: number, text: string, dropped: number): void {
  const { window, cut } = shown
  if (number < window.start || shown.isFull) return
  if (number >= shown.end) return void cut.add('line_limit')
  const short = cutTo(window.maxLineBytes, text, dropped)
  // One template would append each of its parts to all that comes before.
  const more = shown.content + `\n${number}: ` + short.text
  shown.isFull = !shown.fits(more)
  if (shown.isFull) cut.add('max_bytes')
  if (shown.isFull && shown.count > 0) return
  const line = shown.isFull ? cutFirst(window, number, text, dropped) : short
  if (line.kept < text.length || dropped > 0) nameCut(shown, number, line.kept)
  shown.content = shown.isFull ? `\n${number}: ${line.text}` : more
  if (shown.cutLines.length === MAX_CUT_LINES) shown.isFull = true
  shown.count++
}

/** Names a line of which `kept` code units are shown, so that its rest can be read. */
function nameCut(shown: ShownLines, number: number, kept: number): void {
  const { window, column, cut, cutLines } = shown
  const from = number === window.start ? column : 1
  cut.add('long_lines')
  cutLines.push({ start_line: number, column: from + kept, limit: 1 })
}

/** Returns the part of a first line that fits: without any line, a reader could not go on behind it. */
function cutFirst(window: LineWindow, number: number, text: string, dropped: number): ShortLine {
  const { maxBytes, maxLineBytes } = window
  const room = fitting(text, maxBytes - jsonBytes(`\n${number}: `))
  // 0 would be no limit.
  return cutTo(Math.max(1, Math.min(room, maxLineBytes || room)), text, dropped)
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
export function linesOf({ content, count, cut, cutLines }: ShownLines, total: number): Lines {
  return { content: content.slice(1), count, total, cut: [...cut], cutLines }
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

/** The beginning of a line, with a note if it is cut, and how many code units of the line it has. */
interface ShortLine {
  readonly text: string
  readonly kept: number
}

/**
 * Cuts a line to `maxBytes` of UTF-8, but not inside a character and not before its first one, and appends how many
 * bytes are hidden. `behind` bytes of the line follow the text and count as hidden.
 */
function cutTo(maxBytes: number, text: string, behind: number): ShortLine {
  const whole = { text, kept: text.length }
  if (maxBytes === 0 || (behind === 0 && text.length * MAX_UNIT_BYTES <= maxBytes)) return whole
  const bytes = utf8Bytes(text) + behind
  if (bytes <= maxBytes) return whole
  // Without a character of each line, a reader that goes on where a line was cut would never end.
  const room = Math.max(maxBytes, utf8Bytes(beginning(text, 1)))
  const { read, written } = ENCODER.encodeInto(text, new Uint8Array(room))
  if (written === bytes) return whole
  return { text: `${text.slice(0, read)}[TRUNCATED: ${bytes - written} bytes hidden]`, kept: read }
}

/** Cuts a line to `maxBytes` of UTF-8, and appends how many bytes are hidden. */
export const shorten = (text: string, maxBytes: number): string => cutTo(maxBytes, text, 0).text

const ENCODER = new TextEncoder()
