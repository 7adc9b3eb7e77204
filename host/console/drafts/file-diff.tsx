/**
 * The difference of one file of a draft or of one change of it. What cannot be shown as text can be opened.
 *
 * @module
 */

import { useMemo } from 'preact/hooks'
import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { leaveOut } from '../amendments/leave-out.ts'
import { isEdited } from '../amendments/amendment.ts'
import { amendmentOf, nameDraft } from '../amendments/work.ts'
import { CommentedLines } from '../comments/commented-lines.tsx'
import { basePath } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { AnswerError } from '../ui/errors.ts'
import { formatCount } from '../ui/format.ts'
import { useLoad } from '../ui/load.ts'
import { Fault, Waiting } from '../ui/parts.tsx'
import { addressOfFile, queryOf, type FileOfDraft } from './draft-file.ts'
import { DiffLines, type Amending } from './diff-lines.tsx'
import { createLineReader, readTextAt } from './file-text.ts'
import { isPicture, Pictures } from './pictures.tsx'
import { UnseenNote, WholeFile, type Side } from './whole-file.tsx'

interface Props {
  readonly id: string
  readonly file: ChangedFile
  /** The list that has it: the revision that is shown, or one change of it. */
  readonly of: FileOfDraft['of']
  /** Called if the file is another one by now. */
  readonly onOther: () => void
  /** Whether the owner can leave out hunks of it. */
  readonly canAmend?: boolean
  readonly isTabStop?: boolean
}

/** Shows the difference of a file; a folder that is listed has none. */
export function FileDiff(props: Props) {
  const { id, file, of } = props
  const base = basePath.value
  if (file.type === 'folder')
    return <p class="faint">{file.files ? formatCount(file.files, 'file') : 'An empty folder.'}</p>
  const addressOf = (side: Side) => addressOfFile(base, id, { file, of }, side)
  const sides = { before: file.before !== null, after: file.after !== null }
  return (
    <>
      {file.unseen && <UnseenNote />}
      {isPicture(file.path) && <Pictures addressOf={addressOf} sides={sides} />}
      <Loaded {...props} addressOf={addressOf} />
      {(file.unseen || isPicture(file.path)) && <WholeFile addressOf={addressOf} sides={sides} />}
    </>
  )
}

interface LoadedProps extends Props {
  readonly addressOf: (side: Side) => string
}

function Loaded(props: LoadedProps) {
  const { id, file, of, onOther, addressOf } = props
  const base = basePath.value
  const name = [id, file.path, file.digest, ...Object.values(of)].join(' ')
  const { value, error, reload } = useLoad(
    (signal) => {
      const segments = { draft: id }
      const query = queryOf({ file, of })
      const read = sendAct(base, 'compare_draft_file', { segments, query, signal })
      return noteOther(read, signal, onOther)
    },
    [base, name],
  )
  const amending = amendingOf(props)
  const amendment = amending?.amendment ?? null
  const edited = amendment?.text
  const address = addressOf('after')
  const lines = useMemo(
    () => createLineReader(async () => edited ?? readTextAt(address)),
    [address, edited],
  )
  if (error) return <Fault what="Cannot read the diff" error={error} retry={reload} />
  if (value === null) return <Waiting>Reading the diff…</Waiting>
  return (
    <CommentedLines
      path={file.path}
      digest={value.digest}
      isEdited={amendment !== null && isEdited(amendment)}
    >
      <DiffLines
        json={value.file}
        read={lines}
        isUnseen={file.unseen === true}
        amending={amending}
      />
    </CommentedLines>
  )
}

/** Of an added file no hunk can be left out: the file as a whole is decided, and its text can be edited. */
function amendingOf(props: LoadedProps): Amending | undefined {
  const { id, file, canAmend = false, isTabStop = false, addressOf, onOther } = props
  if (!canAmend) return undefined
  const draft = nameDraft(id)
  const target = { draft, file, address: addressOf('after'), onOther }
  const isChanged = file.change === 'changed' && file.before !== null
  return {
    amendment: amendmentOf(draft, file),
    isTabStop,
    toggle: isChanged ? (hunks, at) => void leaveOut(target, hunks, at) : null,
  }
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
