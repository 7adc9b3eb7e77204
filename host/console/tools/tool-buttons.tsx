/** The buttons of a tool: Preview and Apply, or Run, with progress. @module */

import { quoteName } from '#core/quote.ts'
import { useEffect } from 'preact/hooks'
import type { Subject } from '../../consent/types.ts'
import type { ToolFacts } from '../../mcp/tool-facts.ts'
import { byHand, pressByHand } from '../ui/by-hand.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { COMMAND_KEY } from '../ui/keys.ts'
import { Note } from '../ui/parts.tsx'
import { useSettled } from '../ui/settled.ts'
import { Visible } from '../ui/visible.tsx'
import type { ToolRun } from './tool-run.ts'
import { askToConfirm } from '../questions/queue.ts'

interface Props {
  /** The id of the form. */
  readonly form: string
  /** The call that the buttons would make. */
  readonly subject: Subject
  readonly isValid: boolean
  readonly facts: ToolFacts
  readonly state: ToolRun
  /** Whether the result belongs to the current arguments. */
  readonly isCurrent: boolean
  /** Whether Apply works without a preview. */
  readonly direct: boolean
  readonly onAct: (how: 'preview' | 'apply' | 'run') => Promise<void>
  readonly onCancel: () => void
}

/** Shows the buttons of a tool. */
export function Buttons(props: Props) {
  const { facts, state, onCancel } = props
  const isBusy = state.phase === 'running' || state.phase === 'previewing'
  usePreviewKey({ ...props, isBusy })
  return (
    <div class="actionbar stack tight">
      <div class="row">
        {facts.preview ? (
          <PreviewAndApply {...props} isBusy={isBusy} />
        ) : (
          <Run {...props} isBusy={isBusy} />
        )}
        {isBusy && (
          <button type="button" class="button quiet" onClick={onCancel}>
            <Icon name="cross" /> Cancel
          </button>
        )}
      </div>
      {isBusy && <Progress state={state} />}
      <Hint {...props} />
    </div>
  )
}

type Busy = Props & { readonly isBusy: boolean }

/**
 * Attributes of a button that starts a call. While one is under way it is not `disabled`, which would take the focus
 * from it.
 */
const startButton = (isBusy: boolean) => ({
  'aria-disabled': isBusy,
  onClick: (event: Event) => (isBusy ? event.preventDefault() : pressByHand(event)),
})

const canApplyNow = ({ state, isCurrent }: Props) => state.phase === 'previewed' && isCurrent

/** Ctrl+Enter previews from anywhere on the page, and applies a preview that was visible for half a second. */
function usePreviewKey(props: Busy): void {
  const { facts, state, isBusy, onAct } = props
  const isSettled = useSettled(state.result)
  const canApply = canApplyNow(props)
  const act = () => {
    if (canApply && isSettled) void onAct('apply')
    else if (!canApply) void onAct('preview')
  }
  useEffect(() => {
    if (!facts.preview || isBusy) return
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, repeat } = event
      if (key !== 'Enter' || repeat || !(ctrlKey || metaKey)) return
      // The key in a dialog, which is a question, is not meant for the page behind it.
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      byHand(act)(event)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

function PreviewAndApply(props: Busy) {
  const { form, direct, onAct, isBusy } = props
  const canApply = canApplyNow(props)
  const tone = (isFirst: boolean) => `button ${isFirst ? 'primary' : ''}`
  return (
    <>
      <button type="submit" form={form} class={tone(!canApply)} {...startButton(isBusy)}>
        <Icon name="eye" /> {canApply ? 'Preview again' : 'Preview'}
      </button>
      <DecisionButton
        shown={props.state.result}
        look={canApply ? 'primary' : ''}
        isOff={isBusy || !(canApply || direct)}
        onDecide={() => void onAct(canApply ? 'apply' : 'run')}
      >
        <Icon name="check" /> {canApply || !direct ? 'Apply' : 'Apply without a preview'}
      </DecisionButton>
    </>
  )
}

function Run({ form, subject, isValid, facts, onAct, isBusy }: Busy) {
  const asks = facts.hint === 'confirm' && !facts.readOnly
  const start = startButton(isBusy)
  const run = async (event: Event) => {
    // A call that cannot be made is not asked about: the form shows what is missing.
    if (!asks || isBusy || !isValid) return start.onClick(event)
    event.preventDefault()
    const title = `Run ${quoteName(subject.title)}?`
    if (await askToConfirm({ ...SURE, title, subject })) await onAct('run')
  }
  return (
    <button type="submit" form={form} class="button primary" {...start} onClick={run}>
      <Icon name="play" /> {asks ? 'Run…' : 'Run'}
    </button>
  )
}

const SURE = {
  text: 'The tool advises clients to confirm each call, and it has no preview.',
  yes: 'Run the tool',
}

/** Characters of a progress message that are shown. */
const MAX_MESSAGE_LENGTH = 500

function Progress({ state: { progress, phase } }: { readonly state: ToolRun }) {
  const { total = null, progress: done = 0, message = '' } = progress ?? {}
  const running = phase === 'previewing' ? 'Previewing…' : 'Running…'
  return (
    <div class="progress" role="status">
      <span>{message === '' ? running : <Visible text={message} most={MAX_MESSAGE_LENGTH} />}</span>
      {progress && (
        <progress aria-label="Progress" {...(total === null ? {} : { value: done, max: total })} />
      )}
    </div>
  )
}

/** Explains why Apply is disabled. */
function Hint({ facts, state, isCurrent, direct }: Props) {
  if (!facts.preview || direct) return null
  if (state.phase === 'previewed' && !isCurrent)
    return (
      <Note tone="warning" title="The arguments differ from the preview.">
        Preview again to apply them.
      </Note>
    )
  if (state.wasStale)
    return (
      <Note tone="warning" title="Nothing was applied: the file has changed since the preview.">
        Check the new preview, then apply it.
      </Note>
    )
  if (state.phase === 'idle')
    return (
      <p class="small faint">
        Preview shows the change, and Apply makes exactly that one. <kbd>{COMMAND_KEY} Enter</kbd>{' '}
        previews, then applies.
      </p>
    )
  return null
}
