/** The changes of a draft, in the agent's order: each with its sentence, and with its conflict. @module */

import { visible } from '#core/visible.ts'
import { countMarks } from '../amendments/words.ts'
import { countAmendedFiles, countLost, nameAmendments, nameDraft } from '../amendments/work.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { formatCount } from '../ui/format.ts'
import { Badge, Note, When } from '../ui/parts.tsx'
import { Sentence } from '../ui/path.tsx'
import { Visible } from '../ui/visible.tsx'
import type { DraftContents, ProposedChange } from '#core/owner/answers/drafts.ts'
import { canApprove, type Groups } from './groups.ts'
import { Pager, usePages } from './pager.tsx'
import { SingleChange } from './single-change.tsx'
import { askForNote } from './turn-down.tsx'
import type { ShownDraft } from './use-draft.ts'

/** Props of the parts of a draft. */
export interface PartProps {
  readonly draft: ShownDraft
  readonly contents: DraftContents
  readonly groups: Groups
}

const PAGE_ROWS = 20

/** Shows the changes as a list. */
export function ProposedChanges({ draft, contents, groups }: PartProps) {
  const { changes, changes_left_out, revision } = contents
  const pages = usePages(changes, changes_left_out, PAGE_ROWS, () => draft.loadMore('changes'))
  return (
    <details class="card" open={needsLook(contents, groups)}>
      <summary>
        <h2 id="proposed-changes">Changes</h2>{' '}
        <span class="faint small">
          {formatCount(changes.length + changes_left_out, 'call')} of the agent, in its order
        </span>
      </summary>
      <ol class="proposed" start={pages.start + 1}>
        {pages.rows.map((change) => (
          <li key={change.id} class={change.conflict ? 'conflicting' : ''}>
            <p class="intent">
              <Sentence text={change.intent} />
            </p>
            <p class="by">
              <code>
                <Visible text={change.tool} />
              </code>{' '}
              · <When at={change.at} />
              {change.level === 'confirm' && (
                <>
                  {' '}
                  <Badge tone="warning">needs its own approval</Badge>
                </>
              )}
              <Together change={change} groups={groups} />
            </p>
            {change.conflict && <Conflict {...change.conflict} />}
            {changesNothing(change, contents, groups) && (
              <p class="faint small">Leaves every file as it is. Approving it writes nothing.</p>
            )}
            {isOpenable(change, groups) && (
              <SingleChange id={contents.id} change={change.id} draft={draft} />
            )}
            {groups.single.has(change.group) && change.digest !== undefined && (
              <SingleDecision
                key={revision}
                change={change}
                draft={draft}
                contents={contents}
                groups={groups}
              />
            )}
          </li>
        ))}
      </ol>
      <Pager pages={pages} noun="change" />
    </details>
  )
}

/** Whether the list has more than the files show: a decision, a conflict, several changes of one file, or none of any. */
const needsLook = ({ changes, files }: DraftContents, { single, sizes }: Groups) =>
  single.size > 0 || sizes.size < changes.length || files.length === 0

/** Whether this is the last change of a group that fits and has no effect, which no row of the list of files says. */
const changesNothing = (
  { group, digest }: ProposedChange,
  { files, files_left_out }: DraftContents,
  { conflicting }: Groups,
) =>
  digest !== null &&
  !conflicting.has(group) &&
  files_left_out === 0 &&
  files.every((file) => file.group !== group)

/** Whether a change does something else than its group, which the list of files shows. */
const isOpenable = ({ group, conflict }: ProposedChange, { sizes }: Groups) =>
  conflict !== null || (sizes.get(group) ?? 1) > 1

function Together({
  change,
  groups,
}: {
  readonly change: ProposedChange
  readonly groups: Groups
}) {
  const others = (groups.sizes.get(change.group) ?? 1) - 1
  if (others === 0) return null
  return <> · concerns the same files as {formatCount(others, 'other change')}</>
}

const Conflict = ({ code, message }: { readonly code: string; readonly message: string }) => (
  <Note tone="danger" title="It no longer fits and cannot be approved.">
    <Visible text={message} /> <code>({code})</code>
  </Note>
)

interface SingleProps extends PartProps {
  readonly change: ProposedChange
}

/** The buttons of a group that is decided on its own, below its last change. */
function SingleDecision({ change, draft, contents, groups }: SingleProps) {
  const { group, intent, digest } = change
  const size = groups.sizes.get(group) ?? 1
  const these = size > 1 ? `these ${formatCount(size, 'change')}` : ''
  const work = nameDraft(contents.id)
  const files = contents.files.filter((file) => file.group === group)
  const marks = countMarks({ amended: countAmendedFiles(work, files), unviewed: 0 })
  const turnDown = () =>
    askForNote({
      count: size,
      lost: countLost(work, files),
      send: (note) => draft.decide('turn-down', { groups: [group] }, note),
    })
  return (
    <div class="row">
      {canApprove(group, groups) && (
        <DecisionButton
          shown={`approve ${digest} ${nameAmendments(work, files)}`}
          look="primary small"
          isOff={draft.isOff}
          onDecide={() => void draft.approveGroups([group])}
        >
          Approve {these || 'this change'}
          {marks && `, ${marks}`}
          <span class="unseen">: {visible(intent)}</span>
        </DecisionButton>
      )}
      <DecisionButton
        shown={`turn down ${digest}`}
        look="small danger"
        isOff={draft.isOff}
        onDecide={turnDown}
      >
        {these ? `Turn down ${these}…` : 'Turn down…'}
        <span class="unseen"> {visible(intent)}</span>
      </DecisionButton>
    </div>
  )
}
