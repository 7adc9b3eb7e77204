/** Buttons of a change: apply, preview again, undo, redo. @module */

import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Session } from './session.ts'
import type { Action, ShownChange, Status } from './store.ts'

interface ActionButton {
  readonly action: Action
  readonly label: string
  /** The label while the action runs. */
  readonly busyLabel: string
  readonly primary?: true
}

const APPLY: ActionButton = {
  action: 'apply',
  label: 'Apply this change',
  busyLabel: 'Applying…',
  primary: true,
}
const PREVIEW: ActionButton = {
  action: 'preview',
  label: 'Preview again',
  busyLabel: 'Previewing…',
}

const BUTTONS: Readonly<Record<Status, readonly ActionButton[]>> = {
  previewed: [APPLY],
  failed: [PREVIEW, APPLY],
  stale: [{ ...PREVIEW, primary: true }],
  expired: [{ ...PREVIEW, primary: true }],
  applied: [{ action: 'undo', label: 'Undo', busyLabel: 'Undoing…' }],
  undone: [{ action: 'undo', label: 'Redo', busyLabel: 'Redoing…' }],
  // Only the owner decides, and not in this page.
  held: [],
  refused: [],
}

/**
 * Milliseconds after a change of the buttons before a click counts: it may be meant for the
 * previous one.
 */
const CLICK_DELAY_MS = 500

export interface ActionButtonsProps {
  readonly shown: ShownChange
  readonly session: Session
}

/** Renders the actions that the current state allows. */
export function ActionButtons({ shown, session }: ActionButtonsProps) {
  const { status, running, change } = shown
  const group = useRef<HTMLDivElement>(null)
  const renderedAt = useRef(0)
  const hasActed = useRef(false)
  useLayoutEffect(() => {
    renderedAt.current = performance.now()
    // The focused button was removed. The focus moves to the group, so that Enter triggers nothing.
    if (hasActed.current && document.activeElement === document.body) group.current?.focus()
    hasActed.current = false
  }, [status, change.id])
  const run = (action: Action) => () => {
    if (running !== null || performance.now() - renderedAt.current < CLICK_DELAY_MS) return
    hasActed.current = true
    void session.run(action)
  }
  if (!isPossible(shown, session)) return null
  return (
    <div class="actions" ref={group} tabIndex={-1}>
      {BUTTONS[status].map(({ action, label, busyLabel, primary }) => (
        <button
          key={label}
          class={primary ? 'primary' : ''}
          aria-disabled={running !== null}
          aria-busy={running === action}
          onClick={run(action)}
        >
          {running === action ? busyLabel : label}
        </button>
      ))}
    </div>
  )
}

function isPossible(shown: ShownChange, { canCall, canRepeat }: Session): boolean {
  const { status, last, change } = shown
  if (change.isListed) return false
  return status === 'applied' || status === 'undone' ? canCall && last !== null : canRepeat
}
