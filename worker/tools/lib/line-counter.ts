/**
 * Counts the lines of a text, and adds them to those that are shown.
 *
 * Lines end with `\n`; a final newline ends the last line and begins no other. A text can arrive in pieces, so that
 * memory depends on what is shown and not on the size of the file. `test/worker/tools/lines.test.ts` tests it.
 *
 * @module
 */

import { utf8Bytes } from '../../encoding/json-bytes.ts'
import { countNewlines } from '../../texts/endings.ts'
import { MAX_KEPT_LINE_LENGTH } from './limits.ts'
import {
  addLine,
  canChange,
  createShown,
  keepBeginning,
  linesOf,
  type Lines,
  type LineWindow,
  type ShownLines,
} from './lines.ts'

/** Numbers the lines of a text. */
export function numberLines(text: string, window: LineWindow): Lines {
  const counter = createCounter(window)
  counter.push(text)
  return counter.end()
}

/** The lines that have ended, and the one that has not. */
interface Count {
  readonly shown: ShownLines
  ended: number
  /** The unfinished line, or its beginning. */
  rest: string
  /** Bytes of the unfinished line after the part that is kept. */
  dropped: number
  /** Code units of the first shown line that are still to be skipped. */
  skip: number
}

/**
 * Counts and numbers the lines of a text that arrives in pieces, or of the part of it that begins after `before` lines.
 */
export function createCounter(window: LineWindow, before = 0) {
  const count: Count = {
    shown: createShown(window),
    ended: before,
    rest: '',
    dropped: 0,
    skip: window.column - 1,
  }
  return {
    push: (piece: string) => push(count, piece),
    end: () => end(count),
    /** Returns the number of lines that have ended. */
    ended: () => count.ended,
    /** Whether more can change the result, of a text with that many lines. */
    wants: (total: number) => canChange(count.shown, count.ended + 1, total),
  }
}

function push(count: Count, piece: string): void {
  if (isPassedOver(count, piece)) return
  let from = 0
  for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', from)) {
    finishLine(count, count.rest + skipFront(count, piece.slice(from, at)))
    count.rest = ''
    from = at + 1
  }
  // Appended without a search: a line may come in thousands of pieces.
  count.rest += skipFront(count, piece.slice(from))
  if (count.rest.length > MAX_KEPT_LINE_LENGTH) dropEnd(count)
}

/** Only counts the lines of a piece, if none of them can change the result. */
function isPassedOver(count: Count, piece: string): boolean {
  const { shown, ended } = count
  if (canChange(shown, ended + 1, ended + 1)) return false
  const newlines = countNewlines(piece)
  if (newlines === 0 || canChange(shown, ended + 1, ended + newlines)) return false
  count.ended += newlines
  count.dropped = 0
  count.rest = skipFront(count, piece.slice(piece.lastIndexOf('\n') + 1))
  return true
}

/** Drops what is before the column to begin with, if a text belongs to the first shown line; never half of a character. */
function skipFront(count: Count, text: string): string {
  const { skip, ended, shown } = count
  if (skip === 0 || ended + 1 !== shown.window.start) return text
  count.skip = Math.max(0, skip - text.length)
  if ((text.codePointAt(skip - 1) ?? 0) <= 0xffff) return text.slice(skip)
  shown.column--
  return text.slice(skip - 1)
}

/** Keeps only what can change the result of a long unfinished line. */
function dropEnd(count: Count): void {
  const { shown, ended, rest } = count
  count.rest = keepBeginning(shown, ended + 1, rest)
  count.dropped += utf8Bytes(rest.slice(count.rest.length))
}

function finishLine(count: Count, line: string): void {
  addLine(count.shown, ++count.ended, line, count.dropped)
  count.dropped = 0
}

function end(count: Count): Lines {
  const { shown, ended, skip, rest } = count
  const isSkipped = ended + 1 === shown.window.start && skip < shown.window.column - 1
  if (rest !== '' || isSkipped) finishLine(count, rest)
  return linesOf(count.shown, count.ended)
}
