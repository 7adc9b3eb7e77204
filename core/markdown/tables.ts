/** The tables of GFM. `test/core/markdown/blocks.test.ts` has the cases. @module */

import { interrupts, type Source, type Taken } from './starts.ts'
import { parseInline } from './inline.ts'
import type { Alignment } from './tree.ts'

/** Maximum number of columns; a line with more is no table. */
const MAX_COLUMNS = 100

const RULE_OF_COLUMN = /^:?-+:?$/

/** Whether a table begins at a line: below its head is a line of rules for as many columns. */
export function isTableAt(lines: readonly string[], at: number): boolean {
  const head = lines[at] ?? ''
  const rules = lines[at + 1] ?? ''
  if (!head.includes('|') || !rules.includes('-') || !/^[\s|:-]+$/.test(rules)) return false
  const columns = splitCells(rules)
  return (
    columns.length <= MAX_COLUMNS &&
    columns.every((column) => RULE_OF_COLUMN.test(column)) &&
    splitCells(head).length === columns.length
  )
}

/** Splits a row at its lines; one after a backslash belongs to the text. */
function splitCells(line: string): string[] {
  const text = line.trim()
  const inner = text.slice(text.startsWith('|') ? 1 : 0)
  const cells = [...inner.matchAll(/((?:[^|\\]|\\.?)*)(\||$)/gs)].map(([, cell = '']) =>
    cell.replaceAll('\\|', '|').trim(),
  )
  // What follows the last line is no cell.
  cells.pop()
  if (inner.endsWith('|') && !inner.endsWith('\\|') && cells.at(-1) === '') cells.pop()
  return cells
}

const alignmentOf = (rule: string): Alignment => {
  if (rule.endsWith(':')) return rule.startsWith(':') ? 'center' : 'right'
  return rule.startsWith(':') ? 'left' : null
}

/** Reads a table. Each row has as many cells as the head. */
export function readTable({ lines, definitions }: Source, at: number): Taken {
  const alignments = splitCells(lines[at + 1] ?? '').map(alignmentOf)
  const cellsOf = (line: string) => {
    const cells = splitCells(line)
    return alignments.map((_, column) => parseInline(cells[column] ?? '', definitions))
  }
  let next = at + 2
  while (next < lines.length && !interrupts(lines[next] ?? '')) next++
  const rows = lines.slice(at + 2, next).map(cellsOf)
  return { block: { type: 'table', alignments, head: cellsOf(lines[at] ?? ''), rows }, next }
}
