/**
 * Changes that were approved together, as one row that opens: what was written about the decision, and each change.
 * All of them are undone at once. `test/host/console/approved-changes.test.tsx` tests it.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { basePath, features } from '../connect/workspace.ts'
import { ActorName, ClaimedText } from '../ui/claimed-name.tsx'
import { DecisionButton } from '../ui/decision-button.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { useLoad } from '../ui/load.ts'
import { When } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import { readEntries, type Entry } from './audit.ts'
import { actorInText, nameApprover, type Approved } from './changes.ts'
import { groundsOf } from './decision.ts'
import { undo } from './undo.tsx'

interface Props {
  readonly approved: Approved
  /** Whether older changes of it may not be read yet. */
  readonly isCut: boolean
  /** The list of its changes. */
  readonly children: ComponentChildren
}

/** Shows changes that were approved together. */
export function ApprovedChanges({ approved: { approval, changes }, isCut, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [{ actor, at, approvedBy }] = changes
  const count = `${formatCount(changes.length, 'change')}${isCut ? ' or more' : ''}`
  const what = `Approval of ${count} of ${actorInText(actor)}`
  return (
    <li class="approved">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span>
            Approved {count} of <ActorName actor={actor} />{' '}
            <span class="by">
              by {nameApprover(approvedBy ?? '')} · <When at={at} />
            </span>
          </span>
        </summary>
        {isOpen && <Decision approval={approval} changes={changes} />}
        {children}
      </details>
      {features.value.undo && (
        <DecisionButton
          shown={approval}
          look="quiet small"
          named={{ 'aria-label': `Undo all: ${what}` }}
          onDecide={() => undo({ id: approval }, what)}
        >
          <Icon name="undo" /> Undo all
        </DecisionButton>
      )}
    </li>
  )
}

/** What the audit log has of a decision; nothing if it has none, or is that of another server. */
function Decision({ approval, changes }: Approved) {
  const { value } = useLoad((signal) => readDecision(approval, changes, signal), [approval])
  if (!value?.review) return null
  const { note, reason, changes: count } = value.review
  return (
    <dl class="facts wide">
      {note !== '' && (
        <>
          <dt>Your note</dt>
          <dd>
            <Visible text={note} />
          </dd>
        </>
      )}
      {reason !== '' && (
        <>
          <dt>Reason of the agent</dt>
          <dd>
            <ClaimedText text={reason} />
          </dd>
        </>
      )}
      <dt>Decided by</dt>
      <dd>
        <Visible text={groundsOf(value)} />
      </dd>
      {count > changes.length && (
        <>
          <dt>Changes</dt>
          <dd>
            {changes.length} of {count} are listed here
          </dd>
        </>
      )}
    </dl>
  )
}

/** Milliseconds after its changes within which a decision is recorded: it is one transaction. */
const RECORDED_WITHIN = 10_000

/** Reads the audit entry of an approval, which follows those of its changes. */
async function readDecision(
  approval: string,
  changes: Approved['changes'],
  signal: AbortSignal,
): Promise<Entry | null> {
  if (!features.peek().workspace) return null
  const times = changes.map(({ at }) => at)
  const query = {
    since: new Date(Math.min(...times)).toISOString(),
    until: new Date(Math.max(...times) + RECORDED_WITHIN).toISOString(),
    outcome: 'applied',
    limit: '200',
  }
  const { entries } = await readEntries(basePath.peek(), query, signal)
  return entries.find(({ id }) => id === approval) ?? null
}
