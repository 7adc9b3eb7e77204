/**
 * Limits how much of a change one page shows. Lines are taken in order up to a number of lines and a size of
 * HTML; the page counts the lines that are left out.
 *
 * @module
 */

import type { DiffLine, Hunk } from '#core/diff/hunks.ts'
import type { FileDiff } from '#core/diff/unified.ts'
import type { Html } from '../../encoding/html.ts'
import { markedLine } from './text.ts'
import { MAX_REVIEW_LENGTH, MAX_REVIEW_LINES } from './limits.ts'

/** A file and the part of it that is shown. */
export interface Fitted<File extends FileDiff> {
  readonly file: File
  /** The hunks with the lines that are shown. */
  readonly hunks: readonly Hunk[]
  /** The HTML of every line that is shown. */
  readonly code: ReadonlyMap<DiffLine, Html>
  /** Every line ends with `\r\n`, which the page says once. */
  readonly crlf: boolean
  /** Lines that are left out. */
  readonly missing: number
}

/** Takes lines of the files in order until a limit is reached. */
export function fitFiles<File extends FileDiff>(files: readonly File[]): Fitted<File>[] {
  let lines = 0
  let markup = 0
  return files.map((file) => {
    const code = new Map<DiffLine, Html>()
    const crlf = hasOnlyReturns(file.hunks)
    const take = (line: DiffLine): boolean => {
      if (lines >= MAX_REVIEW_LINES || markup >= MAX_REVIEW_LENGTH) return false
      const made = markedLine(line, !crlf)
      code.set(line, made)
      lines++
      markup += made.length
      return true
    }
    const hunks = file.hunks.map((hunk) => ({ ...hunk, lines: takeWhile(hunk.lines, take) }))
    const all = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
    const shown = hunks.filter((hunk) => hunk.lines.length > 0)
    return { file, hunks: shown, code, crlf, missing: all - code.size }
  })
}

function takeWhile<T>(items: readonly T[], take: (item: T) => boolean): readonly T[] {
  const end = items.findIndex((item) => !take(item))
  return end === -1 ? items : items.slice(0, end)
}

function hasOnlyReturns(hunks: readonly Hunk[]): boolean {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const ended = lines.filter(({ noNewline }) => !noNewline)
  return ended.length > 0 && ended.every(({ text }) => text.endsWith('\r'))
}
