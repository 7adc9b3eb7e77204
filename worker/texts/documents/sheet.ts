/**
 * Rows of a sheet as lines, whose cells are separated by tabs. Empty cells at the end of a row, and rows without a value,
 * take no place: a sheet has millions of them.
 *
 * @module
 */

import type { Writer } from './writer.ts'

/** Columns of a gap that are shown as tabs; a value may be sixteen thousand columns further. */
const MAX_GAP = 64

/** Collects the cells of one row. */
export function createRow() {
  const cells: string[] = []
  return {
    isEmpty: () => cells.length === 0,
    /** Puts a value into a column, counted from 0. */
    put(column: number, value: string): void {
      if (value === '') return
      const gap = Math.min(column - cells.length, MAX_GAP)
      for (let empty = 0; empty < gap; empty++) cells.push('')
      cells.push(value.replaceAll(/[\t\r\n]+/g, ' '))
    },
    /** Writes the row. */
    write(writer: Writer): void {
      if (cells.length > 0) writer.line(cells.join('\t'))
    },
  }
}

/** Returns the column, counted from 0, of a reference such as `AB12`; null if it is none. */
export function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (!letters) return null
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
