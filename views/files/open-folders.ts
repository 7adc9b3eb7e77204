/**
 * Open folders, kept in the frame's session history where the browser allows it.
 *
 * @module
 */

import { ROOT, type StorePath } from '#core/path.ts'
import { resolveIn } from './client.ts'
import { createParser } from './json-parser.ts'
import type { Tree } from './tree.ts'

const MAX_FOLDERS = 50

let stored = ''

const parseState = createParser({ open: ['' as string] })

/**
 * Stores the open folders. A sandboxed frame has no storage, but usually a session history; without
 * that, nothing is kept.
 */
export function storeOpenFolders({ openPaths }: Tree): void {
  const open = openPaths.slice(0, MAX_FOLDERS)
  if (String(open) === stored) return
  stored = String(open)
  try {
    history.replaceState({ open }, '')
  } catch {
    // Without it, a reload shows only the roots.
  }
}

/** Returns the folders that were open before a reload. */
export function restoreOpenFolders(): StorePath[] {
  const { open } = parseState(history.state)
  return open.slice(0, MAX_FOLDERS).map((path) => resolveIn(ROOT, path))
}
