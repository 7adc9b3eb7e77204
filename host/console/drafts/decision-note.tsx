/** The note about the last decision, with its undo. @module */

import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { describeApproval } from '../amendments/words.ts'
import { undo } from '../activity/undo.tsx'
import { features } from '../connect/workspace.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { Note } from '../ui/parts.tsx'
import type { Decided } from '#core/owner/answers/drafts.ts'

/** A decision that was carried out. */
export interface ShownDecision extends Decided {
  readonly what: 'approve' | 'turn-down'
  readonly actor: string
  /** Files of which another text was approved than the proposed one. */
  readonly amended: number
}

const last = signal<ShownDecision | null>(null)

/** Shows a decision until the next one, or until it is dismissed. */
export const showDecision = (decision: ShownDecision) => void (last.value = decision)

/** Shows the last decision. It has the focus, because the button that was pressed is gone. */
export function DecisionNote() {
  const place = useRef<HTMLDivElement>(null)
  const decision = last.value
  useEffect(() => {
    if (decision) place.current?.focus()
  }, [decision])
  if (decision === null) return null
  const { what, approval, decided, actor, amended } = decision
  const changes = formatCount(decided, 'change')
  const sentence = `${changes} of ${actor}`
  return (
    <div ref={place} class="decided" tabIndex={-1}>
      <Note tone={what === 'approve' ? 'success' : 'plain'} role="status">
        {what === 'approve'
          ? describeApproval(decided, amended)
          : `${changes} turned down. The agent learns it with its next call.`}
        <div class="row">
          {approval !== null && features.value.undo && (
            <DecisionButton
              shown={approval}
              look="small"
              onDecide={() => undo({ id: approval }, `Approval of ${sentence}`)}
            >
              <Icon name="undo" /> Undo
            </DecisionButton>
          )}
          <button type="button" class="button quiet small" onClick={() => (last.value = null)}>
            Dismiss
          </button>
        </div>
      </Note>
    </div>
  )
}
