/**
 * Columns: the lines of a hunk with their numbers, in one column or side by side.
 *
 * Side by side, a deleted line is next to the inserted line that replaced it; the lines between two such
 * pairs are filled in from the top. Both forms come from the same hunk and contain every line.
 *
 * @module
 */

import type { DiffLine, Hunk } from './hunks.ts'

/** A line and its number on each side that it is on, counted from 1. */
export interface NumberedLine {
  readonly line: DiffLine
  readonly oldNumber: number | null
  readonly newNumber: number | null
}

/** One row: a line that stays is on both sides; at a change either side may be empty. */
export interface Row {
  readonly left: NumberedLine | null
  readonly right: NumberedLine | null
}

/** Numbers the lines of a hunk. */
export function numberLines(hunk: Hunk): NumberedLine[] {
  let oldNumber = hunk.oldStart
  let newNumber = hunk.newStart
  return hunk.lines.map((line) => ({
    line,
    oldNumber: line.kind === 'insert' ? null : oldNumber++,
    newNumber: line.kind === 'delete' ? null : newNumber++,
  }))
}

/** Arranges the lines of a hunk side by side. */
export function rowsOf(hunk: Hunk): Row[] {
  const rows: Row[] = []
  let deleted: NumberedLine[] = []
  let inserted: NumberedLine[] = []
  const end = () => {
    rows.push(...besides(deleted, inserted))
    deleted = []
    inserted = []
  }
  for (const numbered of numberLines(hunk)) {
    const { kind } = numbered.line
    if (kind === 'context' || (kind === 'delete' && inserted.length > 0)) end()
    if (kind === 'context') rows.push({ left: numbered, right: numbered })
    else if (kind === 'delete') deleted.push(numbered)
    else inserted.push(numbered)
  }
  end()
  return rows
}

function besides(deleted: readonly NumberedLine[], inserted: readonly NumberedLine[]): Row[] {
  const left = cutAtPairs(deleted)
  const right = cutAtPairs(inserted)
  const blocks = Math.max(left.length, right.length)
  return Array.from({ length: blocks }, (_, index) =>
    besidesFromTop(left[index] ?? [], right[index] ?? []),
  ).flat()
}

/** Cuts before and after each line that has a partner, so that equal indexes belong together. */
function cutAtPairs(lines: readonly NumberedLine[]): NumberedLine[][] {
  const blocks: NumberedLine[][] = [[]]
  for (const line of lines) {
    if (line.line.spans) blocks.push([line], [])
    else blocks.at(-1)?.push(line)
  }
  return blocks
}

function besidesFromTop(left: readonly NumberedLine[], right: readonly NumberedLine[]): Row[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => ({
    left: left[index] ?? null,
    right: right[index] ?? null,
  }))
}
