/**
 * Keyboard navigation of the tree, as in the ARIA tree view pattern.
 *
 * A key maps to the row to move to, a folder to open or close, or nothing. The functions change
 * nothing; `test/views/files/tree.test.ts` has the table.
 *
 * @module
 */

import type { Folder, Row } from './tree.ts'

/** Rows that Page Up and Page Down move. */
const PAGE_ROWS = 15

/** Returns what a key does at a row: the index of the next row, a folder to toggle, or null. */
export function findMove(key: string, rows: readonly Row[], at: number): number | Folder | null {
  const row = rows[at]
  const last = rows.length - 1
  const targets: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + PAGE_ROWS,
    PageUp: at - PAGE_ROWS,
    Home: 0,
    End: last,
  }
  const to = targets[key]
  if (!row) return null
  if (to !== undefined) return Math.max(0, Math.min(last, to))
  const folder = row.type === 'folder' ? row : null
  if (key === 'ArrowRight' && folder) return folder.open ? at + 1 : folder
  if (key !== 'ArrowLeft') return null
  if (folder?.open) return folder
  const parent = row.type === 'note' ? row.folder : row.parent
  return parent && rows.includes(parent) ? rows.indexOf(parent) : null
}

/** Milliseconds without input after which type-ahead starts again. */
const PAUSE_MS = 700

/**
 * Creates type-ahead: each letter extends the prefix, and repeating one letter moves to the next
 * match.
 *
 * @returns A function that returns the index of the matching row, or the current one.
 */
export function createTypeAhead() {
  let typed = ''
  let last = 0
  return (letter: string, rows: readonly Row[], at: number, now: number): number => {
    typed = now - last > PAUSE_MS ? letter : typed + letter
    last = now
    const same = typed === letter.repeat(typed.length)
    const wanted = (same ? letter : typed).toLowerCase()
    for (let step = Number(same); step < rows.length; step++) {
      const to = (at + step) % rows.length
      const row = rows[to]
      if (row && row.type !== 'note' && row.name.toLowerCase().startsWith(wanted)) return to
    }
    return at
  }
}
