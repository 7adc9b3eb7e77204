/**
 * Place: which folders are open, kept in the frame's history where a browser lets a view do that.
 *
 * @module
 */

import { ROOT, type StorePath } from '#core/path.ts'
import type { Files } from './files.ts'
import { pathIn } from './server.ts'
import { shape } from './shape.ts'

const MOST = 50

let kept = ''

const readPlace = shape({ open: ['' as string] })

/** Without storage of its own, a frame has at least this. Where not even that, nothing is kept. */
export function keepPlace({ tree }: Files): void {
  const open = tree.openPaths.slice(0, MOST)
  if (String(open) === kept) return
  kept = String(open)
  try {
    history.replaceState({ open }, '')
  } catch {
    // The next reload begins at the top.
  }
}

export function placeBefore(): StorePath[] {
  const { open } = readPlace(history.state)
  return open.slice(0, MOST).map((path) => pathIn(ROOT, path))
}
