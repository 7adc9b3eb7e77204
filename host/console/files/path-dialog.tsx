/**
 * The frame of the dialogs that create, rename and move: a form, why it cannot be done, and the button that does it.
 * `test/host/console/files/place.test.tsx` has the cases.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { JsonRecord } from '#core/json.ts'
import { pressByHand, submitByHand } from '../ui/by-hand.ts'
import { Icon, type IconName } from '../ui/icons.tsx'
import { Modal } from '../ui/modal.tsx'
import { Fault } from '../ui/parts.tsx'
import { makeChange } from './make-change.ts'

/** A call that a dialog makes. */
export interface Wanted {
  readonly tool: string
  readonly args: JsonRecord
}

interface Props {
  readonly title: ComponentChildren
  readonly intro?: ComponentChildren
  readonly verb: string
  readonly icon: IconName
  /** What failed, such as "Cannot rename it". */
  readonly failure: string
  /** The call; null while the form is not complete. */
  readonly wanted: Wanted | null
  /** Called after the change was made. */
  readonly onMade: (waits: boolean) => void
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Shows the dialog. */
export function PathDialog(props: Props) {
  const { title, intro, verb, icon, failure, wanted, onMade, onClose, children } = props
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const make = async () => {
    if (wanted === null || isBusy) return
    setBusy(true)
    setError(null)
    const made = await makeChange(wanted.tool, wanted.args)
    setBusy(false)
    if (made.ok) onMade(made.value.waits)
    else setError(made.error.error)
  }
  return (
    <Modal
      title={title}
      intro={intro}
      onClose={onClose}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            form={FORM}
            class="button primary"
            disabled={wanted === null || isBusy}
            onClick={pressByHand}
          >
            <Icon name={icon} /> {isBusy ? 'Working…' : verb}
          </button>
        </>
      }
    >
      <form id={FORM} class="stack tight" onSubmit={submitByHand(() => void make())}>
        {children}
        {error ? <Fault what={failure} error={error} /> : null}
      </form>
    </Modal>
  )
}

const FORM = 'path-dialog'
