/**
 * One change of a group on its own: what it does after the earlier ones, with which it can be approved without the
 * later ones. `test/pages/console/waiting.slow.test.ts` opens one.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { AMEND_ELSEWHERE, PART_IS_AMENDED } from '../amendments/words.ts'
import { nameDraft, workOf } from '../amendments/work.ts'
import { basePath } from '../connect/workspace.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { formatCount } from '../ui/format.ts'
import { useLoad } from '../ui/load.ts'
import { Fault, Waiting } from '../ui/parts.tsx'
import { sendAct } from '../owner/send-act.ts'
import type { FileList, SingleChange as Contents } from '#core/owner/answers/drafts.ts'
import { FileDiff } from './file-diff.tsx'
import { FileFacts, FilePath } from './file-facts.tsx'
import type { ShownDraft } from './use-draft.ts'

interface Props {
  /** The draft. */
  readonly id: string
  readonly change: string
  readonly draft: ShownDraft
}

/** Shows a change while it is open. */
export function SingleChange(props: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div class="row">
        <button
          type="button"
          class="button quiet small"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide this change' : 'Show this change alone'}
        </button>
      </div>
      {isOpen && <Opened {...props} />}
    </>
  )
}

function Opened(props: Props) {
  const { id, change, draft } = props
  const base = basePath.value
  const revision = draft.contents?.revision ?? ''
  const { value, error, reload } = useLoad(
    (signal) => sendAct(base, 'show_draft_change', { segments: { draft: id, change }, signal }),
    [base, id, change, revision],
  )
  if (error) return <Fault what="Cannot read the change" error={error} retry={reload} />
  if (value === null) return <Waiting>Reading the change…</Waiting>
  const { changes, own, together, conflict } = value
  const isFirst = changes.length === 1
  return (
    <div class="stack singlechange">
      {conflict && <p class="small">What it wanted, compared with the workspace:</p>}
      <Files {...props} list={own} of="own" />
      {!isFirst && !conflict && (
        <>
          <h3>The {changes.length} changes up to here, compared with the workspace</h3>
          <Files {...props} list={together} of="together" />
        </>
      )}
      <UpToHere {...props} contents={value} />
    </div>
  )
}

interface FilesProps extends Props {
  readonly list: FileList
  readonly of: 'own' | 'together'
}

function Files({ id, change, draft, list, of }: FilesProps) {
  const { files, files_left_out: left } = list
  return (
    <>
      {files.length === 0 && <p class="faint">Every file stays as it is.</p>}
      {files.map((file) => (
        <figure key={file.digest + file.type}>
          <figcaption>
            <FilePath file={file} /> <FileFacts file={file} />
          </figcaption>
          <FileDiff id={id} file={file} of={{ change, of }} onOther={draft.noteChange} />
        </figure>
      ))}
      {left > 0 && <p class="faint">{formatCount(left, 'other file')} not shown</p>}
    </>
  )
}

/** Approves the group up to this change; what follows keeps waiting. */
function UpToHere({ draft, contents }: Props & { readonly contents: Contents }) {
  const { changes, digest, own, together, conflict } = contents
  // What is not listed was not shown.
  if (conflict !== null || own.files_left_out > 0 || together.files_left_out > 0) return null
  const work = nameDraft(draft.contents?.id ?? '')
  const paths = new Set(together.files.map(({ path }) => path))
  const isAmended = workOf(work).some(({ path, amendment }) => amendment && paths.has(path))
  const unseen = together.files.filter(({ unseen: isUnseen }) => isUnseen).map(({ path }) => path)
  return (
    <div class="row">
      <p class="faint small">{isAmended ? PART_IS_AMENDED : AMEND_ELSEWHERE}</p>
      <DecisionButton
        shown={`approve ${digest}`}
        look="small"
        isOff={draft.isOff || isAmended}
        onDecide={() => draft.approve({ changes, digest, unseen })}
      >
        {changes.length > 1 ? `Approve ${changes.length} changes up to here` : 'Approve up to here'}
      </DecisionButton>
    </div>
  )
}
