/**
 * Whether the files of an app are those that the owner approved, now and before a change.
 *
 * A change that makes no difference to this is not announced: it may be of files that a reader of the folder may not
 * read. `test/worker/mcp/listen.test.ts` has the cases.
 *
 * @module
 */

import { relativeTo, type StorePath } from '#core/path.ts'
import type { ReadStore } from '../access/workspace.ts'
import { folderOf, hashOf, hashesOf, readFolder } from './folder.ts'
import type { AppDecision } from './table.ts'

/** The name of an app, and the seal of the files that the owner approved. */
export type Approved = Pick<AppDecision, 'name' | 'seal'>

/** Whether the files of an approved app are still those that were approved. */
export function isServed(files: ReadStore, { name, seal }: Approved): boolean {
  return readFolder(files, name)?.seal === seal
}

/** Whether an approved app began or ceased to be served by the newest change. Where this is not known, it did. */
export function beganOrCeased(files: ReadStore, app: Approved, version: number): boolean {
  return wasServed(files, app, version) !== isServed(files, app)
}

/** Maximum number of paths that are looked up in history. */
export const MAX_LOOKED_UP = 1_000

/** Whether an approved app was served before a change; null if history does not tell, or the change has too many files. */
function wasServed(files: ReadStore, { name, seal }: Approved, version: number): boolean | null {
  const [folder, hashes] = [folderOf(name), hashesOf(seal)]
  let [found, looked] = [0, 0]
  for (const path of currentAndChangedPaths(files, folder, version)) {
    if (++looked > MAX_LOOKED_UP) return null
    const hash = hashBefore(files, path, version)
    if (hash === 'unknown') return null
    if (hash === null) continue
    if (hashes.get(relativeTo(path, folder)) !== hash) return false
    found++
  }
  return found === hashes.size
}

/** The files below a folder, and all paths there that a change has written. */
function* currentAndChangedPaths(
  files: ReadStore,
  folder: StorePath,
  version: number,
): Generator<StorePath> {
  const changed = new Set<StorePath>()
  for (const path of files.changedPaths({ folder, after: version - 1, until: version })) {
    changed.add(path)
    yield path
  }
  for (const { type, path } of files.walk(folder))
    if (type === 'file' && !changed.has(path)) yield path
}

/** The hash of what a file was before a change; null if there was no file. */
function hashBefore(files: ReadStore, path: StorePath, version: number): string | null {
  const state = files.stateAt(path, version - 1)
  if (state === 'forgotten') return 'unknown'
  return state?.type === 'file' ? (hashOf(files, state) ?? 'unknown') : null
}
