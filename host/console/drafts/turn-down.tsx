/** The dialog in which the person turns changes down, with a note to the agent. @module */

import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { describeLost } from '../amendments/words.ts'
import { NoButton, YesButton } from '../questions/dialog.tsx'
import { formatCount, formatNumber } from '../ui/format.ts'
import { Modal } from '../ui/modal.tsx'

/** Maximum characters of a note; the server refuses longer ones. */
const MAX_NOTE_LENGTH = 2_000

interface Request {
  /** Number of changes that are turned down. */
  readonly count: number
  /** Files with an amendment, which goes with them. */
  readonly lost: number
  /** Resolves to whether the changes are turned down. */
  readonly send: (note: string) => Promise<boolean>
}

const request = signal<Request | null>(null)

/** Opens the dialog. */
export const askForNote = (wanted: Request) => void (request.value = wanted)

/** Shows the dialog while it is open. A note that was not sent is there again when it opens the next time. */
export function TurnDown() {
  const [note, setNote] = useState('')
  // It is about what its page shows.
  useEffect(() => () => void (request.value = null), [])
  return request.value ? <Dialog {...request.value} note={note} setNote={setNote} /> : null
}

interface Props extends Request {
  readonly note: string
  readonly setNote: (note: string) => void
}

function Dialog({ count, lost, send, note, setNote }: Props) {
  const close = () => void (request.value = null)
  const changes = formatCount(count, 'change')
  const turnDown = async () => {
    close()
    if (await send(note.trim())) setNote('')
  }
  return (
    <Modal
      role="alertdialog"
      title={`Turn down ${changes}?`}
      intro={`Nothing of it is applied, and the agent is informed.${lost > 0 ? ` ${describeLost(lost)}` : ''}`}
      onClose={close}
      foot={
        <>
          <NoButton onNo={close}>Cancel</NoButton>
          <YesButton danger onYes={() => void turnDown()}>
            Turn down
          </YesButton>
        </>
      }
    >
      <label class="field">
        <span class="label">Note to the agent</span>
        <textarea
          rows={4}
          maxLength={MAX_NOTE_LENGTH}
          value={note}
          placeholder="What should it do instead?"
          onInput={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <span class="help numbers">
          {formatNumber(note.length)} of {formatNumber(MAX_NOTE_LENGTH)} characters
        </span>
      </label>
    </Modal>
  )
}
