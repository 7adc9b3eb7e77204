/**
 * The dialogs in which a passkey is renamed or removed. Each stays until that is done, so that an error keeps what was
 * entered. `test/pages/console/passkeys.test.ts` uses them.
 *
 * @module
 */

import type { PasskeyList, ShownPasskey } from '#core/owner/answers/passkeys.ts'
import { useId, useState } from 'preact/hooks'
import { basePath } from '../connect/workspace.ts'
import { NoButton, YesButton } from '../questions/dialog.tsx'
import { pressByHand, submitByHand } from '../ui/by-hand.ts'
import { TextField } from '../ui/fields.tsx'
import { focusBeside } from '../ui/focus-beside.ts'
import { formatSeconds } from '../ui/format.ts'
import { Modal } from '../ui/modal.tsx'
import { Fault } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import {
  MAX_LABEL_LENGTH,
  removePasskey,
  removePasskeyLater,
  renamePasskey,
  toFailure,
} from './passkeys-api.ts'

interface DialogProps {
  readonly row: ShownPasskey
  readonly onClose: () => void
  /** Reads the passkeys again. */
  readonly reload: () => void
}

/** Runs what a dialog is for, and closes it when that is done. */
function useWork({ onClose, reload }: Pick<DialogProps, 'onClose' | 'reload'>) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (isBusy) return false
    setBusy(true)
    setError(null)
    const failed = await work().then(() => null, toFailure)
    setBusy(false)
    setError(failed)
    if (failed === null) onClose()
    reload()
    return failed === null
  }
  return { isBusy, error, run, close: () => void (isBusy || onClose()) }
}

/** Shows the name of a passkey to be changed. */
export function Rename({ row: { id, label: before }, ...props }: DialogProps) {
  const [label, setLabel] = useState(before)
  const { isBusy, error, run, close } = useWork(props)
  const form = useId()
  const name = label.trim()
  const isEdited = name !== before
  const isOff = name === '' || !isEdited
  const rename = () => run(() => renamePasskey(basePath.value, id, name))
  return (
    <Modal
      title="Rename the passkey"
      asksToDiscard={isEdited && !isBusy ? 'always' : undefined}
      onClose={close}
      foot={
        <>
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
          <button
            type="submit"
            form={form}
            class="button primary"
            disabled={isOff}
            aria-disabled={isBusy}
            onClick={pressByHand}
          >
            {isBusy ? 'Renaming…' : 'Rename'}
          </button>
        </>
      }
    >
      {error ? <Fault what="Cannot rename the passkey" error={error} /> : null}
      <form id={form} onSubmit={submitByHand(() => void rename())}>
        <TextField
          label="Name"
          value={label}
          onInput={setLabel}
          maxLength={MAX_LABEL_LENGTH}
          isFirst
        />
      </form>
    </Modal>
  )
}

type RemoveProps = DialogProps & { readonly list: PasskeyList }

/** Asks before a passkey is removed, at once or later. */
export function Remove({ row, list, ...props }: RemoveProps) {
  const { id, label, removal } = row
  const { error, run, close } = useWork(props)
  const remove = async () => {
    const isGone = await run(() => removePasskey(basePath.value, id))
    if (isGone) focusBeside(`[data-remove="${CSS.escape(id)}"]`, '[data-remove]')
  }
  return (
    <Modal
      role="alertdialog"
      title={<Visible text={`Remove the passkey “${label}”?`} />}
      intro="You confirm it with this passkey, or with another one."
      onClose={close}
      foot={
        <>
          <NoButton onNo={close}>Cancel</NoButton>
          <YesButton danger onYes={() => void remove()}>
            Remove with a passkey
          </YesButton>
        </>
      }
    >
      {error ? <Fault what="Cannot remove the passkey" error={error} /> : null}
      {removal === null && (
        <RemoveLater
          list={list}
          onRemove={(secret) => void run(() => removePasskeyLater(basePath.value, id, secret))}
        />
      )}
    </Modal>
  )
}

interface LaterProps {
  readonly list: PasskeyList
  readonly onRemove: (secret: string) => void
}

function RemoveLater({ list: { needs_secret, removal_seconds }, onRemove }: LaterProps) {
  const [secret, setSecret] = useState('')
  const wait = formatSeconds(removal_seconds)
  return (
    <details class="lostpasskey">
      <summary>I have lost my passkeys</summary>
      <p class="small">
        Without a passkey, it is removed in {wait}. Until then it is still needed, the console shows
        that it will be removed, and using any passkey cancels it.
      </p>
      {needs_secret && (
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
      <YesButton danger disabled={needs_secret && secret === ''} onYes={() => onRemove(secret)}>
        Remove in {wait}
      </YesButton>
    </details>
  )
}
