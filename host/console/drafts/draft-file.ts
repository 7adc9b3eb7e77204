/**
 * A file of a draft as it was listed: the addresses of its bytes and of its difference. The server shows none of another
 * state than the one that was listed.
 *
 * @module
 */

import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { urlOfAct } from '../owner/send-act.ts'

/** A file of a draft as it was listed. */
export interface FileOfDraft {
  readonly file: Pick<ChangedFile, 'path' | 'digest'>
  /** The list: a revision of the draft, or one change of it. */
  readonly of: { readonly revision: string } | Part
}

/** One change of a draft, alone or together with the earlier ones that it depends on. */
export interface Part {
  readonly change: string
  readonly of: 'own' | 'together'
}

/** The query that names the file. */
export const queryOf = ({ file: { path, digest }, of }: FileOfDraft) => ({ path, digest, ...of })

/** The address of the bytes of a file, before or after a draft or one change of it. */
export const addressOfFile = (
  base: string,
  draft: string,
  file: FileOfDraft,
  side: 'before' | 'after',
): string =>
  urlOfAct(base, 'open_draft_file', { segments: { draft }, query: { ...queryOf(file), side } })
