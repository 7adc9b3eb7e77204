/** Says that a passkey will be removed, with the button that keeps it; and, beside what waits, what is missing. @module */

import type { ShownPasskey } from '#core/owner/answers/passkeys.ts'
import { sendAct } from '../owner/send-act.ts'
import { basePath } from '../connect/workspace.ts'
import { revision } from '../connect/connection.ts'
import { linkTo } from '../shell/route.ts'
import { coarseNow } from '../ui/clock.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { describeError } from '../ui/errors.ts'
import { focusBeside } from '../ui/focus-beside.ts'
import { formatRemaining } from '../ui/format.ts'
import { useLoad } from '../ui/load.ts'
import { Fault, Note } from '../ui/parts.tsx'
import { showToast } from '../ui/toasts.tsx'
import { visible } from '#core/visible.ts'
import { keepPasskey, type Act } from './passkeys-api.ts'

interface NoteProps {
  readonly row: ShownPasskey
  readonly act: Act
}

/** Shows when a passkey will be removed; nothing if it will not. */
export function RemovalNote({ row: { id, label, removal }, act }: NoteProps) {
  if (removal === null) return null
  const keep = async () => {
    const isKept = await act(() => keepPasskey(basePath.value, id))
    if (isKept) focusBeside(`[data-keep="${CSS.escape(id)}"]`, '[data-keep]')
  }
  return (
    <Note tone="warning" role="status">
      The passkey “{visible(label)}” will be removed in {formatRemaining(removal - coarseNow.value)}
      , without a passkey. If this was not you, keep it.
      <div class="row">
        <DecisionButton
          shown={id}
          look="small"
          named={{ 'data-keep': id }}
          onDecide={() => void keep()}
        >
          Keep the passkey
        </DecisionButton>
      </div>
    </Note>
  )
}

/** Shows, beside what waits, passkeys that will be removed, and that there is none where the rules ask for one. */
export function PasskeyNotes({ hasConfirm }: { readonly hasConfirm: boolean }) {
  const base = basePath.value
  const { value, error, reload } = useLoad(
    (signal) => sendAct(base, 'list_passkeys', { signal }),
    [base, revision.value],
  )
  if (error) return <Fault what="Cannot read the passkeys" error={error} retry={reload} />
  if (!value) return null
  const { passkeys, rule } = value
  const isAsked = rule === 'all' || (rule === 'confirm' && hasConfirm)
  const act: Act = async (work) => {
    const failed = await work().then(() => null, describeError)
    if (failed) showToast(failed.message, { tone: 'danger' })
    reload()
    return failed === null
  }
  return (
    <>
      {passkeys.map((row) => (
        <RemovalNote key={row.id} row={row} act={act} />
      ))}
      {passkeys.length === 0 && isAsked && (
        <Note tone="info">
          There is no passkey, so an agent that controls this browser could approve as well.{' '}
          <a href={linkTo(['rules'])}>Register a passkey</a>
        </Note>
      )}
    </>
  )
}
