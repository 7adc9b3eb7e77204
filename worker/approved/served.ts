/**
 * Whether the files of a folder are those that the owner approved, now and before a change.
 *
 * A change that makes no difference to this is not announced: it may be of files that a reader of the folder may not
 * read. `test/platform/mcp/listen.test.ts` has the cases.
 *
 * @module
 */

import { relativeTo, type StorePath } from '#core/path.ts'
import type { ReadStore } from '../access/workspace.ts'
import { hashOf, hashesOf } from './folder.ts'
import type { ApprovedKind } from './kind.ts'
import type { Decision } from './table.ts'

/** The name of a folder, and the seal of the files that the owner approved. */
export type Approved = Pick<Decision<unknown>, 'name' | 'seal'>

/** The kind of a folder, as far as its files are compared. */
export type ReadKind = Pick<ApprovedKind<unknown>, 'folderOf' | 'readFolder'>

/** Whether the files of an approved folder are still those that were approved. */
export function isServed(kind: ReadKind, files: ReadStore, { name, seal }: Approved): boolean {
  return kind.readFolder(files, name)?.seal === seal
}

/** The versions of the first and the last of some changes. */
interface Versions {
  readonly first: number
  readonly last: number
}

/** An approved folder, and the newest changes of the workspace. */
interface Changed extends Versions {
  readonly approved: Approved
}

/** Whether the newest changes began or ended the serving of an approved folder; true where this is not known. */
export function hasServingChanged(kind: ReadKind, files: ReadStore, changed: Changed): boolean {
  return wasServed(kind, files, changed) !== isServed(kind, files, changed.approved)
}

/** Maximum number of paths that are looked up in history. */
export const MAX_LOOKED_UP = 1_000

/** Whether a folder was served before changes; null if history does not tell, or they have too many files. */
function wasServed(
  { folderOf }: ReadKind,
  files: ReadStore,
  { approved: { name, seal }, ...versions }: Changed,
): boolean | null {
  const [folder, hashes] = [folderOf(name), hashesOf(seal)]
  let [found, looked] = [0, 0]
  for (const path of currentAndChangedPaths(files, folder, versions)) {
    if (++looked > MAX_LOOKED_UP) return null
    const hash = hashBefore(files, path, versions.first)
    if (hash === 'unknown') return null
    if (hash === null) continue
    if (hashes.get(relativeTo(path, folder)) !== hash) return false
    found++
  }
  return found === hashes.size
}

/** All paths below a folder, those that changes have written first. */
function* currentAndChangedPaths(
  files: ReadStore,
  folder: StorePath,
  { first, last }: Versions,
): Generator<StorePath> {
  const changed = new Set<StorePath>()
  for (const path of files.changedPaths({ folder, after: first - 1, until: last })) {
    changed.add(path)
    yield path
  }
  // Folders have no hash, and count as paths that are looked up.
  for (const { path } of files.walk(folder)) if (!changed.has(path)) yield path
}

/** The hash of what a file was before a change; null if there was no file. */
function hashBefore(files: ReadStore, path: StorePath, version: number): string | null {
  const state = files.stateAt(path, version - 1)
  if (state === 'forgotten') return 'unknown'
  return state?.type === 'file' ? (hashOf(files, state) ?? 'unknown') : null
}
