/**
 * The files of an approved folder whose content cannot be shown as text, so that approving them takes a yes of its own.
 * A file that the last decision approved as it is has had one.
 *
 * `test/worker/owner/apps.test.ts` has the cases.
 *
 * @module
 */

import { relativeTo, type StorePath } from '#core/path.ts'
import type { ReadStore } from '../access/workspace.ts'
import { learnUnseen, unseenPaths } from '../drafts/unseen.ts'
import { createMark, type Difference } from '../drafts/units.ts'
import { hashesOf, type SealedFolder } from './folder.ts'
import type { Decision } from './table.ts'

/** The files of a folder, and the last decision on it. */
export interface Decided {
  readonly folder: SealedFolder
  readonly decision: Pick<Decision<unknown>, 'state' | 'seal' | 'version'> | null
}

/** Returns the paths of those files that an approval would newly approve. */
export async function unseenOf(decided: Decided, store: ReadStore): Promise<StorePath[]> {
  const differences = differencesOf(decided, store)
  await learnUnseen([{ differences }], store)
  return unseenPaths(differences, store)
}

/** The files that are new, compared with what an approval has approved if history still has that. */
function differencesOf({ folder, decision }: Decided, store: ReadStore): Difference[] {
  const approved = decision?.state === 'approved' ? decision : null
  const hashes = hashesOf(approved?.seal ?? '[]')
  return folder.files
    .filter(({ path, hash }) => hashes.get(relativeTo(path, folder.path)) !== hash)
    .map(({ path }) => {
      const old = approved && store.stateAt(path, approved.version)
      return { path, before: old === 'forgotten' ? null : old, after: store.stat(path) }
    })
    .map(createMark(store))
}
