/**
 * Open folders, kept in the frame's session history where the browser allows it.
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

/**
 * Stores the open folders. A sandboxed frame has no storage, but usually a session history; without
 * that, nothing is kept.
 */
export function keepPlace({ tree }: Files): void {
  const open = tree.openPaths.slice(0, MOST)
  if (String(open) === kept) return
  kept = String(open)
  try {
    history.replaceState({ open }, '')
  } catch {
    // Without it, a reload shows only the top folders.
  }
}

/** Returns the folders that were open before a reload. */
export function placeBefore(): StorePath[] {
  const { open } = readPlace(history.state)
  return open.slice(0, MOST).map((path) => pathIn(ROOT, path))
}
