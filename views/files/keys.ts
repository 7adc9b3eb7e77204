/**
 * Keys: what the keyboard means in a tree, as the ARIA tree pattern has it.
 *
 * A key is answered with the row to go to, a folder to open or close, or nothing. It never changes
 * anything itself; `test/views/files-tree.test.ts` goes through the table.
 *
 * @module
 */

import type { Folder, Row } from './tree.ts'

/** Rows of one press of Page Up or Page Down. */
const LEAP = 15

export function moveFor(key: string, rows: readonly Row[], at: number): number | Folder | null {
  const row = rows[at]
  const last = rows.length - 1
  const places: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + LEAP,
    PageUp: at - LEAP,
    Home: 0,
    End: last,
  }
  const to = places[key]
  if (!row) return null
  if (to !== undefined) return Math.max(0, Math.min(last, to))
  const folder = row.type === 'folder' ? row : null
  if (key === 'ArrowRight' && folder) return folder.open ? at + 1 : folder
  if (key !== 'ArrowLeft') return null
  if (folder?.open) return folder
  const parent = row.type === 'note' ? row.folder : row.parent
  return parent && rows.includes(parent) ? rows.indexOf(parent) : null
}

/** Milliseconds after which typing begins anew. */
const PAUSE = 700

/** Type-ahead: each letter narrows down, and the same letter again goes on to the next name. */
export function createTypeAhead() {
  let typed = ''
  let last = 0
  return (letter: string, rows: readonly Row[], at: number, now: number): number => {
    typed = now - last > PAUSE ? letter : typed + letter
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
