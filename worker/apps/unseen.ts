/**
 * The files of an app whose content cannot be shown as text, so that approving them takes a yes of its own. A file
 * that the last decision approved as it is has had one.
 *
 * `test/worker/api/apps.test.ts` has the cases.
 *
 * @module
 */

import { relativeTo, type StorePath } from '#core/path.ts'
import type { ReadStore } from '../access/workspace.ts'
import { unseenPaths } from '../drafts/review.ts'
import { hashesOf, type AppFolder } from './folder.ts'
import type { AppDecision } from './table.ts'

/** The files of an app, and the last decision on it. */
interface Decided {
  readonly folder: AppFolder
  readonly decision: AppDecision | null
}

/** Returns the paths of those files that an approval would newly approve. */
export function unseenOf({ folder, decision }: Decided, store: ReadStore): StorePath[] {
  const approved = hashesOf(decision?.state === 'approved' ? decision.seal : '[]')
  const isNew = ({ path, hash }: AppFolder['files'][number]) =>
    approved.get(relativeTo(path, folder.path)) !== hash
  const states = folder.files
    .filter(isNew)
    .map(({ path }) => ({ path, before: null, after: store.stat(path) }))
  return unseenPaths(states, store)
}
