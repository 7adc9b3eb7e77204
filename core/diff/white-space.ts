/**
 * Leaves out of hunks what differs in spaces and tabs alone. `test/core/diff/white-space.test.ts` has the cases.
 *
 * @module
 */

import type { DiffLine, Hunk } from './hunks.ts'
import { diffLines } from './lines.ts'

/** Returns hunks in which lines that are equal but for spaces and tabs are unchanged, without hunks that have no others. */
export const ignoreWhiteSpace = (hunks: readonly Hunk[]): Hunk[] =>
  hunks.map(ignoreIn).filter(({ lines }) => lines.some(({ kind }) => kind !== 'context'))

function ignoreIn(hunk: Hunk): Hunk {
  const old = hunk.lines.filter(({ kind }) => kind !== 'insert')
  const next = hunk.lines.filter(({ kind }) => kind !== 'delete')
  const lines: DiffLine[] = []
  let [oldAt, newAt] = [0, 0]
  const takeEqual = (end: number) => {
    for (const line of next.slice(newAt, end)) lines.push(unchanged(line))
    oldAt += end - newAt
    newAt = end
  }
  for (const change of diffLines(textOf(old), textOf(next)).changes) {
    takeEqual(change.newStart)
    lines.push(...old.slice(oldAt, change.oldEnd).map((line) => asKind(line, 'delete')))
    lines.push(...next.slice(newAt, change.newEnd).map((line) => asKind(line, 'insert')))
    oldAt = change.oldEnd
    newAt = change.newEnd
  }
  takeEqual(next.length)
  return { ...hunk, lines }
}

const textOf = (lines: readonly DiffLine[]) =>
  lines
    .map(({ text, noNewline }) => {
      const line = text.endsWith('\r') ? text.slice(0, -1) : text
      return `${line.replace(/[ \t]+/g, '')}${noNewline ? '\0' : ''}\n`
    })
    .join('')

const unchanged = ({ text, noNewline }: DiffLine): DiffLine => ({
  kind: 'context',
  text,
  ...(noNewline && { noNewline }),
})

/** A line that was context in the hunk has no partner, so it has no marks. */
const asKind = (line: DiffLine, kind: 'delete' | 'insert'): DiffLine =>
  line.kind === kind ? line : { ...unchanged(line), kind }
