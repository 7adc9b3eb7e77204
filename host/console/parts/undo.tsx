/**
 * The undo dialog: it shows what would come back and then applies exactly that.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Change } from '../state/changes.ts'
import { tools, touched } from '../state/link.ts'
import { linkTo } from '../state/route.ts'
import { say } from '../state/toast.ts'
import { useTrial } from '../state/trial.ts'
import { ToolError } from '../state/words.ts'
import { byHand } from './by-hand.ts'
import { Icon } from './icons.tsx'
import { Modal } from './modal.tsx'
import { Fault, Note, Waiting } from './parts.tsx'
import { Review } from './review.tsx'
import { Visible } from './visible.tsx'

interface Wanted {
  readonly id: string
  readonly sentence: string
}

const undoing = signal<Wanted | null>(null)

/** Opens the dialog for a change; `sentence` describes it there. */
export function undo({ id }: Change, sentence: string): void {
  undoing.value = { id, sentence }
}

/** Shows the undo dialog while it is open. */
export function Undo() {
  return undoing.value ? <Dialog key={undoing.value.id} {...undoing.value} /> : null
}

function Dialog({ id, sentence }: Wanted) {
  const tool = tools.value.find(({ name }) => name === 'undo_change')
  const { trial, preview, apply, cancel } = useTrial(tool)
  const args = { id }
  const close = () => {
    cancel()
    undoing.value = null
  }
  useEffect(() => void preview(args, {}), [])
  const applied = async () => {
    const end = await apply(args, {})
    if (end.phase !== 'done' || end.result?.isError) return
    undoing.value = null
    touched.value++
    const href = end.change ? linkTo(['activity', 'undo_change', end.change.id]) : undefined
    say(`Undone: ${sentence}`, href === undefined ? {} : { href, linkText: 'See the change' })
  }
  const isBusy = trial.phase === 'running' || trial.phase === 'previewing'
  return (
    <Modal
      wide
      title="Undo this change?"
      intro={<Visible text={sentence} />}
      onClose={close}
      foot={
        <>
          <button type="button" class="button" data-first onClick={close}>
            Keep it
          </button>
          <button
            type="button"
            class="button primary"
            disabled={trial.phase !== 'previewed'}
            onClick={byHand(() => void applied())}
          >
            <Icon name="undo" /> {trial.phase === 'running' ? 'Undoing…' : 'Undo it'}
          </button>
        </>
      }
    >
      {isBusy && !trial.change && <Waiting>Looking at what would come back…</Waiting>}
      {trial.wasStale && (
        <Note tone="warning" title="The files have just changed.">
          This is what would happen now.
        </Note>
      )}
      {trial.phase === 'failed' && (
        <Fault
          what="Nothing was undone, as far as is known."
          error={trial.error}
          retry={() => void preview(args, {})}
        />
      )}
      {trial.result?.isError && <Fault error={new ToolError(trial.result)} />}
      {trial.change?.review && trial.result && (
        <Review
          key={trial.change.id}
          uri={trial.change.review}
          title="What would come back"
          result={trial.result}
        />
      )}
    </Modal>
  )
}
