/**
 * A folder in memory for the temporary files of the tests. Nearly every test begins with a workspace of its own,
 * and on a disk the database of each waits until it is written.
 *
 * @module
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'

/** What the tests may need at once, several times over. A container often has 64 MiB here. */
const MIN_FREE_BYTES = 4 * 2 ** 30

/** Where temporary files go. */
export interface MemoryFolder {
  readonly env: Readonly<Record<string, string>>
  readonly remove: () => void
}

/** No folder in memory: temporary files go where they always do. */
export const ON_DISK: MemoryFolder = { env: {}, remove: () => undefined }

/** Makes a temporary folder in memory; where there is too little, temporary files stay where they were. */
export function createMemoryFolder(): MemoryFolder {
  if (process.platform !== 'linux' || freeBytes() < MIN_FREE_BYTES) return ON_DISK
  const folder = mkdtempSync(join(MEMORY, 'edgewise-tests-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  if (canExecute(folder)) return { env: environmentOf(folder), remove }
  remove()
  return ON_DISK
}

/** Tests start about a hundred programs in Node, most of which load the same modules: they compile each once. */
const environmentOf = (folder: string) => ({
  TMPDIR: folder,
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
})

function freeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return Math.min(bavail * bsize, process.availableMemory() / 2)
  } catch {
    return 0
  }
}

/** Some tests install packages into a temporary folder, and run them there. */
function canExecute(folder: string): boolean {
  const file = join(folder, 'check')
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 })
  return spawnSync(file).status === 0
}
