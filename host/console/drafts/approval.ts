/**
 * What an approval names: the digest of what was shown, and the files whose content cannot be shown as text.
 * `test/host/console/approval.test.ts` has the cases.
 *
 * @module
 */

import { digestOfText } from '../amendments/digest.ts'
import type { Choice } from './send-decision.ts'
import type { DraftContents } from '#core/owner/answers/drafts.ts'
import { groupChanges } from './groups.ts'

/**
 * Builds the choice of groups, or of everything that is shown.
 *
 * @throws {Error} If a group is not loaded as a whole.
 */
export async function chooseGroups(
  { changes, files }: Pick<DraftContents, 'changes' | 'files'>,
  groups: readonly number[] | null,
): Promise<Choice> {
  const isChosen = (group: number) => groups === null || groups.includes(group)
  const unseen = files.filter((file) => file.unseen && isChosen(file.group)).map(({ path }) => path)
  if (groups === null) return { unseen }
  const { digests } = groupChanges(changes)
  const shown = groups.toSorted((a, b) => a - b).map((group) => digests.get(group))
  return { groups, digest: await digestOfList(shown), unseen }
}

/** Names several digests as the server does: SHA-256 over the JSON of their list; one stays as it is. */
async function digestOfList(digests: readonly (string | undefined)[]): Promise<string> {
  const known = digests.filter((digest) => digest !== undefined)
  if (known.length < digests.length) throw new Error('A group is not loaded as a whole')
  const [only, ...others] = known
  if (only !== undefined && others.length === 0) return only
  return digestOfText(JSON.stringify(known))
}
