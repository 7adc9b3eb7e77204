/**
 * The amendments that an approval sends: those of its files, as they were at the press. One that is void, or a text that
 * was typed and not saved, stops the approval. `test/host/console/amendments.test.tsx` has the cases.
 *
 * @module
 */

import { useEffect } from 'preact/hooks'
import type { DraftContents } from '#core/owner/answers/drafts.ts'
import { MAX_AMENDED_FILES } from '#core/owner/limits.ts'
import { err, ok, type Result } from '#core/result.ts'
import { describeAmendment, type SentAmendment } from './amendment.ts'
import { askForFewer, askToSave, LOST_BEFORE } from './words.ts'
import { endStaleWork, isUnsaved, nameDraft, type FileWork } from './work.ts'

/** Ends what is done with files that a draft shows in another state by now. */
export function useStaleWork(contents: DraftContents | null): void {
  useEffect(() => {
    if (contents === null) return
    const { id, files, files_left_out } = contents
    endStaleWork(nameDraft(id), files, files_left_out === 0)
  }, [contents?.revision, contents?.files.length])
}

/** What an approval has of amendments. */
interface Amended {
  readonly amended?: readonly SentAmendment[]
}

/**
 * Chooses the amendments.
 *
 * @param all The draft, loaded as a whole.
 * @param groups The groups that are approved; null for everything.
 * @param works What was done with its files at the press.
 * @returns What the approval has, or what the person has to know.
 */
export async function chooseAmended(
  { id, files }: Pick<DraftContents, 'id' | 'files'>,
  groups: readonly number[] | null,
  works: readonly FileWork[],
): Promise<Result<Amended, string>> {
  if (endStaleWork(nameDraft(id), files, true)) return err(LOST_BEFORE)
  const chosen = new Set(
    files.flatMap(({ path, group }) => (groups === null || groups.includes(group) ? [path] : [])),
  )
  const own = works.filter(({ path }) => chosen.has(path))
  const unsaved = own.filter(isUnsaved).length
  if (unsaved > 0) return err(askToSave(unsaved))
  const count = own.filter(({ amendment }) => amendment !== null).length
  if (count > MAX_AMENDED_FILES) return err(askForFewer(MAX_AMENDED_FILES))
  const amended = await Promise.all(
    own.flatMap(({ path, amendment }) => (amendment ? [describeAmendment(path, amendment)] : [])),
  )
  return ok(amended.length === 0 ? {} : { amended })
}
