/** Leaves a hunk of a file out: the first one reads the text that the draft proposes. @module */

import type { Hunk } from '#core/diff/hunks.ts'
import { showToast } from '../ui/toasts.tsx'
import { amend, hunksFit, toggleHunk } from './amendment.ts'
import { readProposed, type Uneditable } from './proposed-text.ts'
import { CANNOT_LEAVE_OUT } from './words.ts'
import { amendmentOf, setAmendment, type ListedFile } from './work.ts'

/** A file of a draft, and where its proposed text is. */
export interface AmendedFile {
  readonly draft: string
  readonly file: ListedFile
  readonly address: string
  /** Called if the file is another one by now. */
  readonly onOther: () => void
}

/** Leaves a hunk out, or takes it again. `hunks` are those that are shown. */
export async function leaveOut(
  { draft, file, address, onOther }: AmendedFile,
  hunks: readonly Hunk[],
  at: number,
): Promise<void> {
  const toggle = (start: Parameters<typeof toggleHunk>[0]) =>
    setAmendment(draft, file, toggleHunk(amendmentOf(draft, file) ?? start, at))
  const known = amendmentOf(draft, file)
  if (known) return toggle(known)
  const read = await readProposed(address)
  if (!read.ok) return refuse(read.error, onOther)
  if (!hunksFit(hunks, read.value)) return refuse('not_text', onOther)
  toggle(amend(read.value, hunks))
}

function refuse(reason: Uneditable, onOther: () => void): void {
  if (reason === 'changed') onOther()
  else showToast(CANNOT_LEAVE_OUT[reason], { tone: 'danger' })
}
