/**
 * Which rows of a table are shown, and in which order: filter and sort, in slices.
 *
 * `test/views/templates/page.test.ts` covers it.
 *
 * @module
 */

import { cellText, type Table } from '../data/rows.ts'
import { sortSliced } from '../slices.ts'

/** A sorted column. */
export interface Sort {
  readonly column: number
  readonly descending: boolean
}

/** Returns the rows that contain a text in any column, pausing between rows. */
export function* filterRows(table: Table, text: string): Generator<void, Uint32Array> {
  const wanted = text.trim().toLowerCase()
  const found = new Uint32Array(table.count)
  let count = 0
  for (let row = 0; row < table.count; row++) {
    if (row % 256 === 0) yield
    if (wanted === '' || hasText(table, row, wanted)) found[count++] = row
  }
  return found.slice(0, count)
}

function hasText(table: Table, row: number, wanted: string): boolean {
  return table.columns.some((_, column) =>
    cellText(table.cell(row, column)).toLowerCase().includes(wanted),
  )
}

/** Sorts rows by a column: numbers by value if all are numbers, else texts; empty cells come last. */
export function* sortRows(
  table: Table,
  rows: Uint32Array,
  { column, descending }: Sort,
): Generator<void, Uint32Array> {
  const texts: string[] = []
  const numbers = new Float64Array(table.count)
  let isNumeric = true
  for (const [index, row] of rows.entries()) {
    if (index % 256 === 0) yield
    const text = cellText(table.cell(row, column)).toLowerCase()
    texts[row] = text
    numbers[row] = text === '' ? Number.NaN : Number(text)
    if (text !== '' && Number.isNaN(numbers[row])) isNumeric = false
  }
  const sign = descending ? -1 : 1
  const byText = (a: string, b: string) => (a < b ? -sign : a > b ? sign : 0)
  return yield* sortSliced(rows, (a, b) => {
    const left = texts[a] ?? ''
    const right = texts[b] ?? ''
    if (left === '' || right === '') return Number(left === '') - Number(right === '')
    if (isNumeric) return sign * ((numbers[a] ?? 0) - (numbers[b] ?? 0))
    return byText(left, right)
  })
}
