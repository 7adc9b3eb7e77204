/**
 * Manifests that were read already: the list of what waits for the owner is requested every few seconds, and the
 * manifest of a folder is the same while its files are.
 *
 * `test/worker/apps/apps.test.ts` tests it through the apps.
 *
 * @module
 */

import type { ReadStore } from '../access/workspace.ts'
import type { SealedFolder } from './folder.ts'
import type { ApprovedKind } from './kind.ts'

/** Reads the manifest of a folder that was read in the same turn. */
export type ReadManifest<Manifest> = ApprovedKind<Manifest>['readManifest']

/** What is kept of one folder. */
interface Kept<Manifest> {
  readonly seal: string
  readonly read: Awaited<ReturnType<ReadManifest<Manifest>>>
}

/** Keeps the last manifests in memory, at most as many as are listed. `version` returns the version of the workspace. */
export function keepManifests<Manifest>(
  { readManifest, most }: Pick<ApprovedKind<Manifest>, 'readManifest' | 'most'>,
  version: () => number,
): ReadManifest<Manifest> {
  const kept = new Map<string, Kept<Manifest>>()
  return async (store: ReadStore, folder: SealedFolder) => {
    const { name, seal } = folder
    const last = kept.get(name)
    if (last?.seal === seal) return last.read
    const before = version()
    const read = await readManifest(store, folder)
    // The hashes may describe older content if the files changed meanwhile.
    if (version() !== before) return read
    if (kept.size >= most.listed) kept.clear()
    kept.set(name, { seal, read })
    return read
  }
}
