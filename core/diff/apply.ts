/**
 * Applying: the new text, made of the old one and the hunks between them.
 *
 * Nothing is guessed: a hunk fits where it says or not at all. That `applyHunks(old, diff)` is the
 * new text is the law that `test/core/diff.test.ts` holds every diff to.
 *
 * @module
 */

import { err, ok, type Result } from '../result.ts'
import type { DiffLine, Hunk } from './hunks.ts'
import { splitLines } from './lines.ts'

/** The hunk, counted from 1, that does not fit. */
export interface Misfit {
  readonly hunk: number
}

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

/** The lines with their ends. */
function piecesOf(text: string): string[] {
  const { texts, terminated } = splitLines(text)
  return texts.map((line, at) => (at < texts.length - 1 || terminated ? `${line}\n` : line))
}

/** The lines of a hunk, with their ends, but for those that are only on the other side. */
function sideOf({ lines }: Hunk, without: DiffLine['kind']): string[] {
  return lines.filter(({ kind }) => kind !== without).map(pieceOf)
}

function pieceOf({ text, noNewline }: DiffLine): string {
  return noNewline ? text : `${text}\n`
}
