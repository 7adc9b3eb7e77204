/**
 * The diff of one file of a draft or of one change of it, drawn by the review app, as Activity draws a change whose
 * page cannot be read. What cannot be shown as text can be opened.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { CHANGE_META } from '#core/wire.ts'
import { REVIEW_APP, REVIEW_MODES } from '../activity/review.tsx'
import { View } from '../apps/view.tsx'
import { basePath } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { AnswerError } from '../ui/errors.ts'
import { useLoad } from '../ui/load.ts'
import { Fault, Waiting } from '../ui/parts.tsx'
import { addressOfFile, queryOf, type FileOfDraft } from './draft-file.ts'
import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { UnseenNote, WholeFile } from './whole-file.tsx'

interface Props {
  readonly id: string
  readonly file: ChangedFile
  /** The list that has it: the revision that is shown, or one change of it. */
  readonly of: FileOfDraft['of']
  /** Called if the file is another one by now. */
  readonly onOther: () => void
}

/** Shows the diff of a file; a folder that is listed has no file. */
export const FileDiff = (props: Props) =>
  props.file.type === 'folder' ? <p class="faint">An empty folder.</p> : <Loaded {...props} />

function Loaded({ id, file, of, onOther }: Props) {
  const base = basePath.value
  const name = [id, file.path, file.digest, ...Object.values(of)].join(' ')
  const { value, error, reload } = useLoad(
    async (signal) => {
      // Read before the diff: unchanged lines are then shown only if the file is still as it was.
      const { version } = await sendAct(base, 'read_status', { signal })
      const segments = { draft: id }
      const query = queryOf({ file, of })
      const read = sendAct(base, 'compare_draft_file', { segments, query, signal })
      const difference = await noteOther(read, signal, onOther)
      return toResult(name, file.path, version, difference.file)
    },
    [base, name],
  )
  if (error) return <Fault what="Cannot read the diff" error={error} retry={reload} />
  if (value === null) return <Waiting>Reading the diff…</Waiting>
  return (
    <>
      {file.unseen && <UnseenNote />}
      <View uri={REVIEW_APP} isOfConsole name="Changed lines" result={value} modes={REVIEW_MODES} />
      <WholeFile
        addressOf={(side) => addressOfFile(base, id, { file, of }, side)}
        sides={{ before: file.before !== null, after: file.after !== null }}
      />
    </>
  )
}

/** Waits for a diff, and calls `onOther` if it is refused because the file is another one. */
async function noteOther<T>(read: Promise<T>, signal: AbortSignal, onOther: () => void) {
  try {
    return await read
  } catch (error) {
    if (error instanceof AnswerError && error.status === 409 && !signal.aborted) onOther()
    throw error
  }
}

/** Builds a result with the change of one file, as the review app reads it. */
export function toResult(id: string, intent: string, basis: number, file: JsonRecord): JsonRecord {
  const change = { id, tool: 'draft', intent, applied: false, basis, files: [file] }
  return { content: [], _meta: { [CHANGE_META]: change } }
}
