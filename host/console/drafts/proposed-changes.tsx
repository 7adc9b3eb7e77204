/** The changes of a draft, in the agent's order: each with its sentence, and with its conflict. @module */

import { visible } from '#core/visible.ts'
import { byHand } from '../ui/by-hand.ts'
import { formatCount } from '../ui/format.ts'
import { Badge, Note, When } from '../ui/parts.tsx'
import { useSettled } from '../ui/settled.ts'
import { Visible } from '../ui/visible.tsx'
import type { DraftContents, ProposedChange } from './drafts-parse.ts'
import { canApprove, type Groups } from './groups.ts'
import { Pager, usePages } from './pager.tsx'
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
  const { changes, changesLeft, revision } = contents
  const pages = usePages(changes, changesLeft, PAGE_ROWS, () => draft.loadMore('changes'))
  return (
    <section class="card" aria-labelledby="proposed-changes">
      <header>
        <h2 id="proposed-changes">Changes</h2>
        <p>What the agent called, in its order</p>
      </header>
      <ol class="proposed" start={pages.start + 1}>
        {pages.rows.map((change) => (
          <li key={change.id} class={change.conflict ? 'conflicting' : ''}>
            <p class="intent">
              <bdi>
                <Visible text={change.intent} />
              </bdi>
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
            {groups.single.has(change.group) && (
              <SingleDecision key={revision} change={change} draft={draft} groups={groups} />
            )}
          </li>
        ))}
      </ol>
      <Pager pages={pages} noun="change" />
    </section>
  )
}

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

interface SingleProps extends Pick<PartProps, 'draft' | 'groups'> {
  readonly change: ProposedChange
}

/** The buttons of a change that is decided on its own. Turning it down includes what depends on it. */
function SingleDecision({ change, draft, groups }: SingleProps) {
  const isSettled = useSettled()
  const { id, group, intent } = change
  const size = groups.sizes.get(group) ?? 1
  const isFirst = groups.first.get(group) === id
  const turnDown = () =>
    askForNote({
      count: size,
      send: (note) => draft.decide('turn-down', { groups: [group] }, note),
    })
  return (
    <div class="row">
      {canApprove(change, groups) && (
        <button
          type="button"
          class="button primary small"
          disabled={!isSettled || draft.isBusy}
          onClick={byHand(() => void draft.decide('approve', { changes: [id] }))}
        >
          Approve this change
          <span class="unseen">: {visible(intent)}</span>
        </button>
      )}
      {isFirst ? (
        <button
          type="button"
          class="button small danger"
          disabled={!isSettled || draft.isBusy}
          onClick={byHand(turnDown)}
        >
          {size > 1 ? `Turn down these ${formatCount(size, 'change')}…` : 'Turn down…'}
          <span class="unseen"> {visible(intent)}</span>
        </button>
      ) : (
        <span class="faint small">Decided after the earlier change of the same files</span>
      )}
    </div>
  )
}
