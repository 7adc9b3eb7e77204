/** Keys of the grid: which cell is next. `test/views/templates/page.test.ts` has the table. @module */

/** A cell; row -1 is the header, column 0 has the check boxes. */
export interface Cell {
  readonly row: number
  readonly column: number
}

export interface GridSize {
  readonly rows: number
  readonly columns: number
  /** Rows that Page Up and Page Down move. */
  readonly pageRows: number
}

/** What of a key press counts. */
export type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Returns the cell to which a key moves; null if it moves to none. */
export function moveCell(
  { key, ctrlKey, metaKey, altKey }: Press,
  { row, column }: Cell,
  { rows, columns, pageRows }: GridSize,
): Cell | null {
  if (altKey) return null
  const isFar = ctrlKey || metaKey
  const targets: Readonly<Record<string, Cell>> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    PageDown: { row: row + pageRows, column },
    PageUp: { row: Math.max(Math.min(row, 0), row - pageRows), column },
    Home: { row: isFar ? 0 : row, column: 0 },
    End: { row: isFar ? rows - 1 : row, column: columns - 1 },
  }
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined
  return (
    (target && {
      row: Math.max(-1, Math.min(rows - 1, target.row)),
      column: Math.max(0, Math.min(columns - 1, target.column)),
    }) ??
    null
  )
}
