/**
 * Manifests that were read already: the list of what waits for the owner is asked for every few seconds, and the
 * manifest of an app is the same while its files are.
 *
 * `test/worker/apps/apps.test.ts` tests it through the apps.
 *
 * @module
 */

import type { Result } from '#core/result.ts'
import type { ReadStore } from '../access/workspace.ts'
import { manifestOf, type AppFolder } from './folder.ts'
import { MAX_APPS } from './limits.ts'
import type { Manifest, ManifestProblem } from './manifest.ts'

type Read = Result<Manifest, readonly ManifestProblem[]>

/** Reads the manifest of a folder that was read in the same turn. */
export type ReadManifestOf = (store: ReadStore, folder: AppFolder) => Promise<Read>

/** Keeps the last manifests in memory. `version` returns the version of the workspace. */
export function keepManifests(version: () => number): ReadManifestOf {
  const kept = new Map<string, { readonly seal: string; readonly read: Read }>()
  return async (store, folder) => {
    const { name, seal } = folder
    const last = kept.get(name)
    if (last?.seal === seal) return last.read
    const before = version()
    const read = await manifestOf(store, folder)
    // After a change in between, what was read may not be what the hashes are of.
    if (version() !== before) return read
    if (kept.size >= MAX_APPS) kept.clear()
    kept.set(name, { seal, read })
    return read
  }
}
