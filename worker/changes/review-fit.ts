/**
 * Fitting: how much of a change one page shows. Lines are taken in order until there are enough of
 * them, or until they are long together; what is left out is counted, so that the page can say so.
 *
 * @module
 */

import type { DiffLine, Hunk } from '#core/diff/hunks.ts'
import type { FileDiff } from '#core/diff/unified.ts'
import type { Html } from './review-html.ts'
import { markedLine } from './review-text.ts'

/** Lines of all hunks that a page shows. */
export const MOST_LINES = 5_000

/** Characters of HTML that the lines of a page may take. */
export const MOST_MARKUP = 1_000_000

/** A file as far as it is shown. */
export interface Fitted<File extends FileDiff> {
  readonly file: File
  /** As far as they are shown. */
  readonly hunks: readonly Hunk[]
  /** Every line that is shown, as HTML. */
  readonly code: ReadonlyMap<DiffLine, Html>
  /** Every line ends with `\r\n`, which is said once. */
  readonly crlf: boolean
  /** Lines that are not shown. */
  readonly missing: number
}

export function fitFiles<File extends FileDiff>(files: readonly File[]): Fitted<File>[] {
  let lines = 0
  let markup = 0
  return files.map((file) => {
    const code = new Map<DiffLine, Html>()
    const crlf = hasOnlyReturns(file.hunks)
    const take = (line: DiffLine): boolean => {
      if (lines >= MOST_LINES || markup >= MOST_MARKUP) return false
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
  return lines.every(({ text, noNewline }) => noNewline ?? text.endsWith('\r'))
}
