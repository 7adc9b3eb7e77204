/** One draft: what the agent wants to change, file by file, and the decision. @module */

import { useEffect, useRef } from 'preact/hooks'
import { endWork, nameDraft } from '../amendments/work.ts'
import { DraftComments, ShownComments } from '../comments/draft-comments.tsx'
import { useComments } from '../comments/use-comments.ts'
import { PasskeyNotes } from '../passkeys/notes.tsx'
import { linkTo } from '../shell/route.ts'
import { AnswerError } from '../ui/errors.ts'
import { formatCount } from '../ui/format.ts'
import { Empty, Fault, Note, PageHead, Waiting } from '../ui/parts.tsx'
import { ChangedFiles } from './changed-files.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { DecisionNote } from './decision-note.tsx'
import { DraftActor, DraftReason, DraftTimes } from './draft-facts.tsx'
import type { DraftContents } from '#core/owner/answers/drafts.ts'
import { groupChanges } from './groups.ts'
import { HandOver } from './hand-over.tsx'
import { handleReviewKeys } from './review-keys.ts'
import { ProposedChanges } from './proposed-changes.tsx'
import { LetPass } from '../trust/trust-dialog.tsx'
import { useMarks } from './use-marks.ts'
import { useDraft, type ShownDraft } from './use-draft.ts'
import { waitingList } from './waiting-list.ts'

export function DraftPage({ id }: { readonly id: string }) {
  const draft = useDraft(id)
  const { contents, error, reload } = draft
  return (
    <div class="draft" onKeyDown={handleReviewKeys}>
      <p class="crumb">
        <a href={linkTo(['waiting'])}>Waiting for you</a>
      </p>
      <PageHead title={contents ? <DraftActor draft={contents} /> : 'Waiting for you'}>
        {contents && (
          <>
            {formatCount(countChanges(contents), 'change')}. <DraftTimes draft={contents} />
            <DraftReason draft={contents} />
          </>
        )}
      </PageHead>
      <div class="stack">
        <DecisionNote />
        {error ? (
          isGone(error) ? (
            <Gone id={id} />
          ) : (
            <Fault what="Cannot read what waits" error={error} retry={reload} />
          )
        ) : null}
        {!contents && !error && <Waiting />}
        {contents && !(error && isGone(error)) && (
          // What was viewed and folded is of this draft alone.
          <Contents key={id} draft={draft} contents={contents} />
        )}
      </div>
    </div>
  )
}

const countChanges = ({ changes, changes_left_out }: DraftContents) =>
  changes.length + changes_left_out

const isGone = (error: unknown) => error instanceof AnswerError && error.status === 404

function Gone({ id }: { readonly id: string }) {
  useEffect(() => endWork(nameDraft(id), null), [id])
  return (
    <Empty
      icon="check"
      title="This draft no longer waits"
      actions={
        <a class="button" href={linkTo(['waiting'])}>
          See what waits
        </a>
      }
    >
      It was decided, or it has expired.
    </Empty>
  )
}

interface Props {
  readonly draft: ShownDraft
  readonly contents: DraftContents
}

function Contents({ draft, contents }: Props) {
  const groups = groupChanges(contents.changes)
  const marks = useMarks(contents)
  const comments = useComments(contents.id, contents.revision)
  const changes = <ProposedChanges draft={draft} contents={contents} groups={groups} />
  // What needs an answer of its own, or no longer fits, is in the list of changes; all else is decided by file.
  const isByChange = groups.single.size > 0 || contents.changes.some(({ conflict }) => conflict)
  return (
    <>
      <News draft={draft} contents={contents} />
      <PasskeyNotes hasConfirm={contents.changes.some(({ level }) => level === 'confirm')} />
      {isByChange && changes}
      <ShownComments.Provider value={comments}>
        <ChangedFiles draft={draft} contents={contents} groups={groups} marks={marks} />
      </ShownComments.Provider>
      {!isByChange && changes}
      <DraftComments comments={comments} paths={new Set(contents.files.map(({ path }) => path))} />
      <HandOver contents={contents} done={draft.reload} />
      <LetPass contents={contents} />
      <p class="keys">
        <kbd>J</kbd> <kbd>K</kbd> next and previous file, <kbd>N</kbd> <kbd>P</kbd> next and
        previous change, <kbd>V</kbd> viewed, <kbd>X</kbd> select, <kbd>C</kbd> comment on a change,{' '}
        <kbd>Enter</kbd> fold, <kbd>L</kbd> leave out the change, <kbd>E</kbd> edit the file,{' '}
        <kbd>A</kbd> to approve, <kbd>T</kbd> to turn down
      </p>
      <DecisionBar draft={draft} contents={contents} groups={groups} marks={marks} />
    </>
  )
}

/**
 * Tells that the draft has grown or is gone since it was shown; what is shown stays until then. Its room is kept while
 * there is no news, so that it moves no button when it appears.
 */
function News({ draft, contents }: Props) {
  const wasListed = useRef(false)
  const list = waitingList.value
  const now = list?.drafts.find(({ id }) => id === contents.id)
  wasListed.current ||= now !== undefined
  // An unknown list, after the person was signed out for example, does not say that the draft is gone.
  const isGone = now === undefined && list !== null && wasListed.current
  const isNew = now !== undefined && now.touched > contents.touched
  const isOld = draft.notice?.is === 'old'
  const news = isGone ? 'gone' : isNew ? 'new' : isOld ? 'old' : 'same'
  return (
    <div role="status">
      <Note tone={news === 'same' ? 'plain' : 'info'}>
        <div class="samebox">
          {NEWS.map(([name, text]) => (
            <span key={name} aria-hidden={name !== news}>
              {text}
            </span>
          ))}
        </div>
        <div class="row">
          <button type="button" class="button small" onClick={draft.reload}>
            Show the current state
          </button>
        </div>
      </Note>
    </div>
  )
}

/** What is new of the draft. All texts take the same room, so that news moves no button. */
const NEWS = [
  ['same', 'This is what waits now.'],
  ['old', 'This is what waited before.'],
  ['new', 'The agent has added changes since. What you approve is what you see.'],
  ['gone', 'This draft no longer waits: it was decided elsewhere, or it has expired.'],
] as const
