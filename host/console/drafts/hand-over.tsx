/**
 * Handing a draft over to another connection. It is there only where one could have the draft, which is where no grant
 * or link says whose it is. `test/host/console/hand-over.test.tsx` tests it.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import type { DraftContents, DraftReceiver } from '#core/owner/answers/drafts.ts'
import { basePath } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { ClaimedName } from '../ui/claimed-name.tsx'
import { DecisionButton } from '../ui/decision-button.tsx'
import { Fault, When } from '../ui/parts.tsx'

interface Props {
  readonly contents: Pick<DraftContents, 'id' | 'receivers'>
  /** Called after the draft was handed over. */
  readonly done: () => void
}

/** Shows the connections that could have the draft; nothing without one. */
export function HandOver({ contents: { id, receivers }, done }: Props) {
  const [error, setError] = useState<unknown>(null)
  if (receivers.length === 0) return null
  const send = ({ session }: DraftReceiver) =>
    sendAct(basePath.value, 'hand_over_draft', { segments: { draft: id }, body: { session } }).then(
      done,
      setError,
    )
  return (
    <details>
      <summary>Hand over to another connection</summary>
      <p class="small">
        The connection sees these changes, adds to them, and learns what you decide. The names are
        claims.
      </p>
      {error !== null && <Fault what="Cannot hand the draft over" error={error} />}
      {receivers.map((receiver) => (
        <p key={receiver.session} class="row">
          <span>
            <ClaimedName name={receiver.label} />, began <When at={receiver.created} />
          </span>
          <DecisionButton
            shown={receiver.session}
            look="small"
            onDecide={() => void send(receiver)}
          >
            Hand over
          </DecisionButton>
        </p>
      ))}
    </details>
  )
}
