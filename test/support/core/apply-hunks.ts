/**
 * Builds the new text from the old one and the hunks between them.
 *
 * A hunk applies exactly at its position or not at all. `test/core/diff/diff.laws.test.ts` checks for every diff that
 * `applyHunks(old, diff)` is the new text.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import type { DiffLine, Hunk } from '#core/diff/hunks.ts'
import { splitLines } from '#core/diff/lines.ts'

/** The number of the hunk, counted from 1, that does not fit. */
export interface Misfit {
  readonly hunk: number
}

/** Applies all hunks, or returns the first that does not fit. */
export function applyHunks(oldText: string, hunks: readonly Hunk[]): Result<string, Misfit> {
  const old = piecesOf(oldText)
  const made: string[] = []
  let at = 0
  for (const [index, hunk] of hunks.entries()) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1
    const expected = sideOf(hunk, 'insert')
    const fits = expected.every((piece, line) => piece === old[start + line])
    if (start < at || start > old.length || !fits) return err({ hunk: index + 1 })
    made.push(old.slice(at, start).join(''), sideOf(hunk, 'delete').join(''))
    at = start + expected.length
  }
  made.push(old.slice(at).join(''))
  return ok(made.join(''))
}

/** Splits a text into lines that keep their line ends. */
function piecesOf(text: string): string[] {
  const { texts, terminated } = splitLines(text)
  return texts.map((line, at) => (at < texts.length - 1 || terminated ? `${line}\n` : line))
}

/** Returns the lines of one side of a hunk, with their line ends. */
function sideOf({ lines }: Hunk, without: DiffLine['kind']): string[] {
  return lines.filter(({ kind }) => kind !== without).map(pieceOf)
}

function pieceOf({ text, noNewline }: DiffLine): string {
  return noNewline ? text : `${text}\n`
}
