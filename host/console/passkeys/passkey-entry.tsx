/** One passkey in the list, with its buttons and dialogs. @module */

import { useState } from 'preact/hooks'
import { basePath } from '../connect/workspace.ts'
import { NoButton, YesButton } from '../questions/dialog.tsx'
import { byHand } from '../ui/by-hand.ts'
import { TextField } from '../ui/fields.tsx'
import { formatSeconds } from '../ui/format.ts'
import { Modal } from '../ui/modal.tsx'
import { When } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import {
  MAX_LABEL_LENGTH,
  removePasskey,
  removePasskeyLater,
  renamePasskey,
  type Act,
  type PasskeyList,
  type PasskeyRow,
} from './passkeys-api.ts'
import { RemovalNote } from './notes.tsx'

interface Props {
  readonly row: PasskeyRow
  readonly list: PasskeyList
  readonly act: Act
}

/** Shows a passkey. */
export function PasskeyEntry({ row, list, act }: Props) {
  const [dialog, setDialog] = useState<'rename' | 'remove' | null>(null)
  const close = () => setDialog(null)
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
          <DialogButton text="Remove…" label={label} onOpen={() => setDialog('remove')} />
        </span>
      </div>
      <RemovalNote row={row} act={act} />
      {dialog === 'rename' && <Rename row={row} act={act} onClose={close} />}
      {dialog === 'remove' && <Remove row={row} list={list} act={act} onClose={close} />}
    </li>
  )
}

interface DialogButtonProps {
  readonly text: string
  readonly label: string
  readonly onOpen: () => void
}

const DialogButton = ({ text, label, onOpen }: DialogButtonProps) => (
  <button
    type="button"
    class="button small"
    aria-label={`${text} ${label}`}
    onClick={byHand(onOpen)}
  >
    {text}
  </button>
)

interface DialogProps extends Omit<Props, 'list'> {
  readonly onClose: () => void
}

function Rename({ row: { id, label: before }, act, onClose }: DialogProps) {
  const [label, setLabel] = useState(before)
  const name = label.trim()
  return (
    <Modal
      title="Rename the passkey"
      onClose={onClose}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <YesButton
            disabled={name === '' || name === before}
            onYes={() => {
              onClose()
              void act(() => renamePasskey(basePath.value, id, name))
            }}
          >
            Rename
          </YesButton>
        </>
      }
    >
      <TextField
        label="Name"
        value={label}
        onInput={setLabel}
        maxLength={MAX_LABEL_LENGTH}
        isFirst
      />
    </Modal>
  )
}

function Remove({ row: { id, label, removal }, list, act, onClose }: Props & DialogProps) {
  const [secret, setSecret] = useState('')
  const wait = formatSeconds(list.removalSeconds)
  const run = (work: () => Promise<unknown>) => {
    onClose()
    void act(work)
  }
  return (
    <Modal
      role="alertdialog"
      title={<Visible text={`Remove the passkey “${label}”?`} />}
      intro="You confirm it with this passkey, or with another one."
      onClose={onClose}
      foot={
        <>
          <NoButton onNo={onClose}>Cancel</NoButton>
          <YesButton danger onYes={() => run(() => removePasskey(basePath.value, id))}>
            Remove with a passkey
          </YesButton>
        </>
      }
    >
      {removal === null && (
        <details class="lostpasskey">
          <summary>I have lost my passkeys</summary>
          <p class="small">
            Without a passkey, it is removed in {wait}. Until then it is still needed, the console
            shows that it will be removed, and using any passkey cancels it.
          </p>
          {list.needsSecret && (
            <label class="field">
              <span class="label">The secret with which you sign in</span>
              <input
                type="password"
                autoComplete="current-password"
                value={secret}
                onInput={({ currentTarget }) => setSecret(currentTarget.value)}
              />
            </label>
          )}
          <YesButton
            danger
            disabled={list.needsSecret && secret === ''}
            onYes={() => run(() => removePasskeyLater(basePath.value, id, secret))}
          >
            Remove in {wait}
          </YesButton>
        </details>
      )}
    </Modal>
  )
}
