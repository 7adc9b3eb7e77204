/**
 * The hunks of one file as two tables, unified and side by side. Both are in the page; the style shows one of
 * them.
 *
 * @module
 */

import { numberLines, rowsOf, type NumberedLine, type Row } from '#core/diff/layout.ts'
import type { DiffLine, Hunk } from '#core/diff/hunks.ts'
import type { FileDiff } from '#core/diff/unified.ts'
import type { Fitted } from './fit.ts'
import { markup, type Html } from '../../encoding/html.ts'
import { count } from './text.ts'

const SIGNS = { context: '', delete: '−', insert: '+' } as const
const CLASSES = { context: '', delete: 'd', insert: 'i' } as const

/** Maximum number of digits of a line number for which the style has a column width. */
const MAX_DIGITS = 7

/** Renders both tables of a file. */
export function tablesOf(fitted: Fitted<FileDiff>): Html {
  return markup`<div class="scroll">${unifiedTable(fitted)}${splitTable(fitted)}</div>`
}

function unifiedTable(fitted: Fitted<FileDiff>): Html {
  const row = ({ line, oldNumber, newNumber }: NumberedLine) => {
    const numbers = markup`<td class="n">${oldNumber}</td><td class="n">${newNumber}</td>`
    return markup`<tr class="${CLASSES[line.kind]}">${numbers}${lineCells(fitted, line, '')}</tr>\n`
  }
  return markup`<table class="whole ${widthOf(fitted)}">
<caption class="hidden">Changed lines, old and new below each other</caption>
<colgroup><col class="cn"><col class="cn"><col class="cs"><col></colgroup>
${bodies(fitted, 4, (hunk) => numberLines(hunk).map(row))}</table>
`
}

function splitTable(fitted: Fitted<FileDiff>): Html {
  const half = (side: NumberedLine | null, number: number | null) => {
    if (!side) return markup`<td class="n e"></td><td class="e" colspan="2"></td>`
    const kind = CLASSES[side.line.kind]
    return markup`<td class="n ${kind}">${number}</td>${lineCells(fitted, side.line, kind)}`
  }
  const row = ({ left, right }: Row) =>
    markup`<tr>${half(left, left?.oldNumber ?? null)}${half(right, right?.newNumber ?? null)}</tr>\n`
  return markup`<table class="split ${widthOf(fitted)}">
<caption class="hidden">Changed lines, old on the left and new on the right</caption>
<colgroup><col class="cn"><col class="cs"><col><col class="cn"><col class="cs"><col></colgroup>
${bodies(fitted, 6, (hunk) => rowsOf(hunk).map(row))}</table>
`
}

/** Renders the sign and the text of a line, with the class of the row or of the cell. */
function lineCells({ code }: Fitted<FileDiff>, line: DiffLine, kind: string): Html {
  const text = code.get(line) ?? null
  return markup`<td class="s ${kind}">${SIGNS[line.kind]}</td><td class="c ${kind}">${text}</td>`
}

/** Renders one body for each hunk, after a row that counts the unchanged lines before it. */
function bodies(
  { hunks }: Fitted<FileDiff>,
  columns: number,
  rowsFor: (hunk: Hunk) => readonly Html[],
): Html[] {
  let end = 0
  return hunks.map((hunk) => {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1
    const gap = start > end ? gapRow(start - end, columns) : null
    end = start + hunk.oldLines
    return markup`<tbody>${gap}${rowsFor(hunk)}</tbody>\n`
  })
}

function gapRow(lines: number, columns: number): Html {
  const text = lines === 1 ? '1 unchanged line' : `${count(lines)} unchanged lines`
  return markup`<tr class="gap"><td colspan="${columns}">${text}</td></tr>\n`
}

/** Returns the class for columns as wide as the longest line number. */
function widthOf({ hunks }: Fitted<FileDiff>): string {
  const last = hunks.at(-1)
  const most = last ? Math.max(last.oldStart + last.oldLines, last.newStart + last.newLines) : 0
  return `w${Math.min(`${most}`.length, MAX_DIGITS)}`
}
