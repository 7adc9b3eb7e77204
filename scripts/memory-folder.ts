/**
 * A folder in memory for the temporary files of the tests. Nearly every test begins with a workspace of its own,
 * and on a disk the database of each waits until it is written. `test/memory-folder.test.ts` tests it.
 *
 * @module
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where folders are in memory, and when to use it; the tests use others. */
interface Memory {
  readonly place: string
  readonly minFreeBytes: number
  /** Whether programs in a folder can be run. */
  readonly canExecute: (folder: string) => boolean
}

/** Only Linux has the place, and a container often 64 MiB of it. 4 GiB are several times what the tests need at once. */
const MEMORY: Memory = { place: '/dev/shm', minFreeBytes: 4 * 2 ** 30, canExecute }

/** Where temporary files go. */
export interface MemoryFolder {
  readonly env: Readonly<Record<string, string>>
  readonly remove: () => void
}

/** No folder in memory: temporary files go where they always do. */
export const ON_DISK: MemoryFolder = { env: {}, remove: () => undefined }

/** Makes a temporary folder in memory; where there is too little, temporary files stay where they were. */
export function createMemoryFolder(changed: Partial<Memory> = {}): MemoryFolder {
  const memory = { ...MEMORY, ...changed }
  if (freeBytes(memory.place) < memory.minFreeBytes) return ON_DISK
  const folder = mkdtempSync(join(memory.place, 'edgewise-tests-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  if (memory.canExecute(folder)) return { env: environmentOf(folder), remove }
  remove()
  return ON_DISK
}

/** Tests start about a hundred programs in Node, most of which load the same modules: they compile each once. */
const environmentOf = (folder: string) => ({
  TMPDIR: folder,
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
})

function freeBytes(place: string): number {
  try {
    const { bavail, bsize } = statfsSync(place)
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
