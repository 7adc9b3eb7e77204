/**
 * Numbered lines: the part of a text that `read_file` shows, within limits of lines and bytes.
 *
 * Lines end with `\n`; a final newline ends the last line and begins no other. A text is read as a stream of
 * pieces, so memory depends on what is shown and not on the size of the file.
 *
 * @module
 */

import { MAX_UNIT_BYTES, type TextFile } from '../../encoding/text.ts'
import { MAX_KEPT_LINE_LENGTH } from '../limits.ts'

type WholeText = Pick<TextFile, 'text' | 'isAscii'>

/** The part of a text to show. */
export interface LineWindow {
  /** The first line to show, from 1. */
  readonly start: number
  /** Lines to show; 0 for all. */
  readonly limit: number
  /** Bytes to show; 0 for all. */
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

/** Numbers the lines of a text. */
export function numberLines({ text, isAscii }: WholeText, window: LineWindow): Lines {
  const counter = createCounter(window, isAscii ? { unitBytes: 1 } : {})
  counter.push(text)
  return counter.end()
}

/** Where a text begins, and how many bytes of UTF-8 each of its code units may take. */
interface CounterOptions {
  readonly before?: number
  readonly unitBytes?: number
}

/**
 * Counts and numbers the lines of a text that arrives in pieces, or of the part of it that begins after `before` lines.
 */
export function createCounter(
  window: LineWindow,
  { before = 0, unitBytes = MAX_UNIT_BYTES }: CounterOptions = {},
) {
  const shown = createShown(window, unitBytes)
  let number = before
  let rest = ''
  /** Bytes of the unfinished line after the part that is kept. */
  let dropped = 0

  function push(piece: string): void {
    if (!shown.wants(number + 1, number + 1)) {
      const ends = countNewlines(piece)
      if (ends > 0 && !shown.wants(number + 1, number + ends)) return pass(piece, ends)
    }
    let from = 0
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', from)) {
      finish(rest + piece.slice(from, end))
      rest = ''
      from = end + 1
    }
    // Appended without a search: a line may come in thousands of pieces.
    rest += piece.slice(from)
    if (rest.length <= MAX_KEPT_LINE_LENGTH) return
    const kept = shown.kept(number + 1, rest)
    dropped += utf8Bytes(rest.slice(kept.length))
    rest = kept
  }

  /** Counts lines that are not shown. */
  function pass(piece: string, ends: number): void {
    number += ends
    rest = piece.slice(piece.lastIndexOf('\n') + 1)
    dropped = 0
  }

  function finish(line: string): void {
    shown.line(++number, line, dropped)
    dropped = 0
  }

  function end(): Lines {
    if (rest !== '') finish(rest)
    return shown.end(number)
  }
  return {
    push,
    end,
    /** Returns the number of lines that have ended. */
    ended: () => number,
    /** Whether more can change the result, of a text with that many lines. */
    wants: (total: number) => shown.wants(number + 1, total),
  }
}

function createShown({ start, limit, maxBytes, maxLineBytes }: LineWindow, unitBytes: number) {
  /** All lines, each after a newline: appending is faster than joining an array in the end. */
  let content = ''
  let count = 0
  let isFull = false
  const cut = new Set<CutReason>()
  const fits = createBudget(maxBytes, unitBytes)
  const end = limit === 0 ? Infinity : start + limit
  const inWindow = (number: number) => number >= start && number < end

  return {
    /** Whether the content of any of these lines can change the result. */
    wants(first: number, last: number): boolean {
      if (last < start || isFull) return false
      return inWindow(Math.max(first, start)) || !cut.has('line_limit')
    },

    /** Returns the beginning of a long line that can change the result. */
    kept(number: number, text: string) {
      if (!inWindow(number)) return text.slice(0, 1)
      return maxLineBytes === 0 || maxLineBytes > MAX_KEPT_LINE_LENGTH
        ? text
        : beginning(text, maxLineBytes)
    },

    /** Adds a line; `dropped` bytes of it followed the text. */
    line(number: number, text: string, dropped: number) {
      if (number < start || isFull) return
      if (!inWindow(number)) return void cut.add('line_limit')
      const short = shorten(text, maxLineBytes, dropped)
      // One template would append each of its parts to all that comes before.
      const more = content + `\n${number}: ` + short
      isFull = !fits(more) && count > 0
      if (isFull) return void cut.add('max_bytes')
      if (short !== text) cut.add('long_lines')
      content = more
      count++
    },

    end: (total: number): Lines => ({ content: content.slice(1), count, total, cut: [...cut] }),
  }
}

/**
 * Tells whether a text, which begins with the one before, fits the byte limit. Bytes are counted only when an upper
 * bound exceeds it.
 */
function createBudget(maxBytes: number, unitBytes: number): (text: string) => boolean {
  if (maxBytes === 0) return () => true
  /** The length and the bytes of a text that was counted. */
  let length = 0
  let bytes = 0
  return (text) => {
    if (bytes + unitBytes * (text.length - length) <= maxBytes) return true
    bytes += utf8Bytes(text.slice(length))
    length = text.length
    return bytes <= maxBytes
  }
}

/** Counts with `indexOf`, which is many times faster than a look at each character. */
function countNewlines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
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

/** Maximum length of a text that is tested for ASCII; to encode a longer one is faster than the test. */
const MAX_TESTED_LENGTH = 256

function utf8Bytes(text: string): number {
  // oxlint-disable-next-line no-control-regex -- the range is what ASCII means
  return text.length <= MAX_TESTED_LENGTH && /^[\x00-\x7f]*$/.test(text)
    ? text.length
    : ENCODER.encode(text).length
}
