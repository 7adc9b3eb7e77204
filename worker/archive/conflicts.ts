/**
 * Conflicts of an import: entries whose place another change concerns, after the version that the sender knows.
 *
 * `test/worker/archive/import-after.test.ts` has the cases.
 *
 * @module
 */

import { ancestorsOf, type StorePath } from '#core/path.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import type { Step } from '../store/store.ts'

/** An entry that was not written, and the version of the change that it does not know. */
export interface Conflict {
  readonly path: StorePath
  readonly version: number
}

/** What the sender of an archive knows: the workspace up to a version, and what the import itself has written. */
interface Known {
  readonly after: number
  readonly written: ReadonlySet<number>
}

type Files = Pick<CallerWorkspace, 'store' | 'feed'>

/** Returns a function that finds the conflict of each of some steps; null if it has none. */
export function findConflicts(
  { store, feed }: Files,
  batch: readonly { readonly step: Step }[],
  { after, written }: Known,
): (step: Step) => Conflict | null {
  const paths = batch.flatMap(({ step }) => placesOf(step))
  const changed = feed.changedAfter([...new Set(paths)], after)
  const changeAt = (path: StorePath) => {
    const version = changed.get(path)
    return version === undefined || written.has(version) ? null : version
  }
  const fileAt = (path: StorePath) => (store.stat(path)?.type === 'file' ? changeAt(path) : null)
  return (step) => {
    const [path, ...above] = placesOf(step)
    if (path === undefined) return null
    // A folder is made only where there is none, so nothing but a file is in its way.
    const own = step.type === 'put' ? changeAt(path) : fileAt(path)
    const version = own ?? above.map(fileAt).find((one) => one !== null) ?? null
    return version === null ? null : { path, version }
  }
}

/** The path of an entry, and the folders above it. */
const placesOf = (step: Step): readonly StorePath[] =>
  step.type === 'put' || step.type === 'folder' ? [step.path, ...ancestorsOf(step.path)] : []
