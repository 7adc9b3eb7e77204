/**
 * Whether a preview showed all that a held change does: the press that applies the preview approves only that.
 *
 * A preview lists fewer files than a change can have, and has room for fewer lines. `test/host/console/shown-whole.test.ts` is
 * the table.
 *
 * @module
 */

import type { FileList } from '#core/owner/answers/drafts.ts'
import type { ChangeReview } from '../activity/change-files.ts'
import type { HeadOfFile } from '../drafts/file-facts.tsx'

/** What a preview says of its files, as its page shows it. */
export type ShownFiles = Pick<ChangeReview, 'state' | 'files' | 'notes'>

/**
 * Whether the preview and the held change have the same files, none left out on either side, and each is shown with its
 * lines or is one about which the person is asked (`unseen`). Folders have no content; the preview's sentence names them.
 */
export function isShownWhole({ state, files, notes }: ShownFiles, held: FileList): boolean {
  const listed = held.files.filter(({ type }) => type === 'file')
  const asked = new Set(listed.filter(({ unseen }) => unseen).map(({ path }) => path))
  const [shown, changed] = [pathsOf(files.map(({ head }) => head)), pathsOf(listed)]
  return (
    // Every note is about something that is not shown.
    state === 'previewed' &&
    notes.length === 0 &&
    held.files_left_out === 0 &&
    files.every(({ head }) => hasLines(head) || asked.has(head.path)) &&
    shown.size === changed.size &&
    [...shown].every((path) => changed.has(path))
  )
}

/** A deleted file needs no lines, as in the review of a draft. */
const hasLines = ({ unseen, change }: HeadOfFile) => !unseen || change === 'deleted'

const pathsOf = (files: readonly Pick<HeadOfFile, 'path' | 'from'>[]) =>
  new Set(files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])))
