/**
 * The beginning of a long difference, which is shown until the person asks for all of it.
 * `test/views/diff/cut-hunks.test.ts` has the cases.
 *
 * @module
 */

import type { Hunk } from '#core/diff/hunks.ts'

/** Lines of a difference that are shown at first. A little more is shown as well. */
export const FIRST_LINES = 400
const ROOM = 100

/** Returns the first lines of hunks, and the number of the others. */
export function cutHunks(hunks: readonly Hunk[]): { shown: readonly Hunk[]; left: number } {
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  if (total <= FIRST_LINES + ROOM) return { shown: hunks, left: 0 }
  const shown: Hunk[] = []
  let room = FIRST_LINES
  for (const hunk of hunks) {
    if (room <= 0) break
    shown.push(hunk.lines.length <= room ? hunk : firstOf(hunk, room))
    room -= hunk.lines.length
  }
  return { shown, left: total - FIRST_LINES }
}

function firstOf(hunk: Hunk, count: number): Hunk {
  const lines = hunk.lines.slice(0, count)
  const oldLines = lines.filter(({ kind }) => kind !== 'insert').length
  const newLines = lines.filter(({ kind }) => kind !== 'delete').length
  return { ...hunk, lines, oldLines, newLines }
}
