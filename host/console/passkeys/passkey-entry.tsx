/** One passkey in the list, with its buttons. @module */

import type { PasskeyList, ShownPasskey } from '#core/owner/answers/passkeys.ts'
import { useState } from 'preact/hooks'
import { DecisionButton } from '../ui/decision-button.tsx'
import { When } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import { RemovalNote } from './notes.tsx'
import { Remove, Rename } from './passkey-dialogs.tsx'
import type { Act } from './passkeys-api.ts'

interface Props {
  readonly row: ShownPasskey
  readonly list: PasskeyList
  readonly act: Act
  /** Reads the passkeys again. */
  readonly reload: () => void
}

export function PasskeyEntry({ row, list, act, reload }: Props) {
  const [dialog, setDialog] = useState<'rename' | 'remove' | null>(null)
  const props = { row, reload, onClose: () => setDialog(null) }
  const { label, host, created, used } = row
  return (
    <li>
      <div class="row apart">
        <span>
          <strong>
            <Visible text={label} />
          </strong>{' '}
          <small class="faint">
            {host !== list.host && (
              <>
                for <Visible text={host} /> ·{' '}
              </>
            )}
            registered <When at={created} />
            {used === null ? ' · never used' : ' · used '}
            {used !== null && <When at={used} />}
          </small>
        </span>
        <span class="row">
          <DialogButton text="Rename…" label={label} onOpen={() => setDialog('rename')} />
          <DialogButton
            text="Remove…"
            label={label}
            removes={row.id}
            onOpen={() => setDialog('remove')}
          />
        </span>
      </div>
      <RemovalNote row={row} act={act} />
      {dialog === 'rename' && <Rename {...props} />}
      {dialog === 'remove' && <Remove {...props} list={list} />}
    </li>
  )
}

interface DialogButtonProps {
  readonly text: string
  readonly label: string
  /** The id of the passkey that its dialog removes. */
  readonly removes?: string
  readonly onOpen: () => void
}

const DialogButton = ({ text, label, removes, onOpen }: DialogButtonProps) => (
  <DecisionButton
    shown={`${text} ${label}`}
    look="small"
    named={{
      'aria-label': `${text} ${label}`,
      ...(removes !== undefined && { 'data-remove': removes }),
    }}
    onDecide={onOpen}
  >
    {text}
  </DecisionButton>
)
