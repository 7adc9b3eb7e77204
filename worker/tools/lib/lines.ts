/**
 * Numbered lines: the part of a text that `read_file` shows, within limits of lines and bytes.
 *
 * Lines end with `\n`; a final newline ends the last line and begins no other. A text is read as a stream of
 * pieces, so memory depends on what is shown and not on the size of the file.
 *
 * @module
 */

import { MAX_KEPT_LINE_LENGTH } from '../limits.ts'

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
export function numberLines(text: string, window: LineWindow): Lines {
  const counter = createCounter(window)
  counter.push(text)
  return counter.end()
}

/** Numbers the lines of a text that arrives in pieces. */
export async function numberStream(
  pieces: AsyncIterable<string>,
  window: LineWindow,
): Promise<Lines> {
  const counter = createCounter(window)
  for await (const piece of pieces) counter.push(piece)
  return counter.end()
}

/**
 * Counts and numbers the lines of a text that arrives in pieces, or of the part of it that begins after `before` lines.
 */
export function createCounter(window: LineWindow, before = 0) {
  const shown = createShown(window)
  let number = before
  let rest = ''
  /** Bytes of the unfinished line after the part that is kept. */
  let dropped = 0

  function push(piece: string): void {
    const ends = countNewlines(piece)
    if (ends > 0 && !shown.wants(number + 1, number + ends)) return pass(piece, ends)
    const [first = '', ...more] = piece.split('\n')
    // Appended without a search: a line may come in thousands of pieces.
    rest += first
    for (const line of more) {
      finish(rest)
      rest = line
    }
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

function createShown({ start, limit, maxBytes, maxLineBytes }: LineWindow) {
  const lines: string[] = []
  const cut = new Set<CutReason>()
  const fits = createBudget(maxBytes, lines)
  const inWindow = (number: number) => number >= start && (limit === 0 || number < start + limit)

  return {
    /** Whether the content of any of these lines can change the result. */
    wants(first: number, last: number): boolean {
      if (last < start || cut.has('max_bytes')) return false
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
      if (number < start || cut.has('max_bytes')) return
      if (!inWindow(number)) return void cut.add('line_limit')
      const short = shorten(text, maxLineBytes, dropped)
      const line = `${number}: ${short}`
      if (!fits(line) && lines.length > 0) return void cut.add('max_bytes')
      if (short !== text) cut.add('long_lines')
      lines.push(line)
    },

    end: (total: number): Lines => ({
      content: lines.join('\n'),
      count: lines.length,
      total,
      cut: [...cut],
    }),
  }
}

/** Tells whether one more line fits the byte limit. Bytes are counted only when an upper bound exceeds it. */
function createBudget(maxBytes: number, lines: readonly string[]): (line: string) => boolean {
  /** The bytes of the first lines, exactly, and of all lines at most. */
  let exact = { lines: 0, bytes: 0 }
  let most = 0
  return (line) => {
    most += 3 * line.length + 1
    if (maxBytes === 0 || most <= maxBytes) return true
    const more = [...lines.slice(exact.lines), line, ''].join('\n')
    most = exact.bytes + utf8Bytes(more)
    exact = { lines: lines.length + 1, bytes: most }
    return most <= maxBytes
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
  if (maxBytes === 0 || (behind === 0 && text.length * 3 <= maxBytes)) return text
  const bytes = utf8Bytes(text) + behind
  if (bytes <= maxBytes) return text
  const { read, written } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes))
  return `${text.slice(0, read)}[TRUNCATED: ${bytes - written} bytes hidden]`
}

const ENCODER = new TextEncoder()

/** Length of a line up to which it is tested whether it is ASCII, where counting units is counting bytes. */
const SHORT = 256

function utf8Bytes(text: string): number {
  // To encode a long text is faster than the test.
  // oxlint-disable-next-line no-control-regex -- the range is what ASCII means
  return text.length <= SHORT && /^[\x00-\x7f]*$/.test(text)
    ? text.length
    : ENCODER.encode(text).length
}
