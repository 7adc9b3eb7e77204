/**
 * Line edits: a change of a text as lines that are replaced.
 *
 * A line includes its ending: the text is split after each `\n`, and a `\r` is a part of the line. So endings survive.
 * `test/core/diff/line-edits.laws.test.ts` has the laws.
 *
 * @module
 */

import { err, ok, type Result } from '../result.ts'
import type { Hunk } from './hunks.ts'
import { diffLines, splitLines, type Lines } from './lines.ts'

/** Lines of a text that are replaced. */
export interface LineEdit {
  /** The first of them, counted from 1; the number of lines plus 1 appends. */
  readonly at: number
  /** The number of lines that are removed. */
  readonly remove: number
  /** The text in their place, with its endings. */
  readonly insert: string
}

/** Why an edit does not fit a text. */
export interface LineEditError {
  /** `no_line`: the text has no such lines. `overlap`: it begins before the end of the edit before it. */
  readonly reason: 'no_line' | 'overlap'
  /** The index of the edit. */
  readonly edit: number
  /** The number of lines of the text. */
  readonly lines: number
}

/** Applies edits, which have to be in the order of their lines. */
export function applyLineEdits(
  text: string,
  edits: readonly LineEdit[],
): Result<string, LineEditError> {
  const lines = splitLines(text)
  const count = lines.texts.length
  const parts: string[] = []
  let next = 0
  for (const [edit, { at, remove, insert }] of edits.entries()) {
    const [start, end] = [at - 1, at - 1 + remove]
    const isInText = [at, remove].every(Number.isSafeInteger) && start >= 0 && remove >= 0
    if (!isInText || end > count) return err({ reason: 'no_line', edit, lines: count })
    if (start < next) return err({ reason: 'overlap', edit, lines: count })
    parts.push(joinLines(lines, next, start), insert)
    next = end
  }
  return ok(parts.join('') + joinLines(lines, next, count))
}

/** Returns the edit that undoes a hunk: the lines of its old side in place of those of the new one. */
export function editOfHunk({ newStart, newLines, lines }: Hunk): LineEdit {
  const old = lines.filter(({ kind }) => kind !== 'insert')
  const insert = old.map(({ text, noNewline }) => (noNewline ? text : `${text}\n`)).join('')
  return { at: newLines === 0 ? newStart + 1 : newStart, remove: newLines, insert }
}

/** Returns the edits that make one text of another. */
export function editsBetween(before: string, after: string): LineEdit[] {
  const script = diffLines(before, after)
  return script.changes.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    at: oldStart + 1,
    remove: oldEnd - oldStart,
    insert: joinLines(script.new, newStart, newEnd),
  }))
}

/** Joins some lines with their endings. */
function joinLines({ texts, terminated }: Lines, start: number, end: number): string {
  if (start === end) return ''
  const ending = terminated || end < texts.length ? '\n' : ''
  return texts.slice(start, end).join('\n') + ending
}
