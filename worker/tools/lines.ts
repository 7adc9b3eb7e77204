/**
 * Numbered lines: the part of a text that `read_file` shows, cut to a budget that it always names.
 *
 * Lines are counted by `\n`; a final newline ends the last line and begins no other. A text is read
 * as a stream of pieces, so a log of any size costs no more memory than what is shown of it.
 *
 * @module
 */

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

export type CutReason = 'line_limit' | 'long_lines' | 'max_bytes'

export interface Lines {
  /** `N: text`, joined by newlines. */
  readonly content: string
  /** Lines shown. */
  readonly count: number
  /** Lines there are. */
  readonly total: number
  readonly cut: readonly CutReason[]
}

/** The numbered lines of a text. */
export function numberLines(text: string, window: LineWindow): Lines {
  const counter = createCounter(window)
  counter.push(text)
  return counter.end()
}

/** The same for a text that arrives in pieces. */
export async function numberStream(
  pieces: AsyncIterable<string>,
  window: LineWindow,
): Promise<Lines> {
  const counter = createCounter(window)
  for await (const piece of pieces) counter.push(piece)
  return counter.end()
}

/** UTF-16 units of an unfinished line from which on only what will be shown of it is kept. */
const LONGEST_KEPT = 100_000

function createCounter(window: LineWindow) {
  const shown = createShown(window)
  let number = 0
  let rest = ''
  /** Bytes of the unfinished line that were let go behind the ones that are kept. */
  let dropped = 0

  function push(piece: string): void {
    const ends = countNewlines(piece)
    if (ends > 0 && !shown.wants(number + 1, number + ends)) return pass(piece, ends)
    const [first = '', ...more] = piece.split('\n')
    // Never searched again: a line may come in thousands of pieces.
    rest += first
    for (const line of more) {
      finish(rest)
      rest = line
    }
    if (rest.length <= LONGEST_KEPT) return
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
  return { push, end }
}

function createShown({ start, limit, maxBytes, maxLineBytes }: LineWindow) {
  const lines: string[] = []
  const cut = new Set<CutReason>()
  const fits = createBudget(maxBytes, lines)
  const inWindow = (number: number) => number >= start && (limit === 0 || number < start + limit)

  return {
    /** Whether it matters what some of these lines hold. */
    wants(first: number, last: number): boolean {
      if (last < start || cut.has('max_bytes')) return false
      return inWindow(Math.max(first, start)) || !cut.has('line_limit')
    },

    /** The beginning of a long line, as far as it matters. */
    kept(number: number, text: string) {
      if (!inWindow(number)) return text.slice(0, 1)
      return maxLineBytes === 0 || maxLineBytes > LONGEST_KEPT
        ? text
        : beginning(text, maxLineBytes)
    },

    /** `dropped` bytes of the line stood behind the text. */
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

/** Whether one line more stays within the bytes. They are counted only where it could matter. */
function createBudget(maxBytes: number, lines: readonly string[]): (line: string) => boolean {
  let most = 0
  let exact: number | null = null
  return (line) => {
    most += 3 * line.length + 1
    if (maxBytes === 0 || (exact === null && most <= maxBytes)) return true
    exact ??= lines.reduce((sum, each) => sum + utf8Bytes(each) + 1, 0)
    exact += utf8Bytes(line) + 1
    return exact <= maxBytes
  }
}

function countNewlines(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === NEWLINE) count++
  return count
}

const NEWLINE = 0x0a

/** At least so many characters from the start, and never half of one. */
function beginning(text: string, length: number): string {
  return text.slice(0, length + ((text.codePointAt(length - 1) ?? 0) > 0xffff ? 1 : 0))
}

/**
 * Cuts a line to a number of bytes, and says how many it hides, those behind the text included.
 * Never inside a character.
 */
export function shorten(text: string, maxBytes: number, behind = 0): string {
  if (maxBytes === 0 || (behind === 0 && text.length * 3 <= maxBytes)) return text
  const bytes = utf8Bytes(text) + behind
  if (bytes <= maxBytes) return text
  const { read, written } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes))
  return `${text.slice(0, read)}[TRUNCATED: ${bytes - written} bytes hidden]`
}

function utf8Bytes(text: string): number {
  // Most lines are ASCII, where counting units is counting bytes.
  // oxlint-disable-next-line no-control-regex -- the range is what ASCII means
  return /^[\x00-\x7f]*$/.test(text) ? text.length : new TextEncoder().encode(text).length
}
