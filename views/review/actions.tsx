/** Buttons of a change: apply, preview again, undo, redo. @module */

import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Session } from './session.ts'
import type { Shown, Status, Work } from './stage.ts'

interface Action {
  readonly work: Work
  readonly says: string
  /** The label while the action runs. */
  readonly busy: string
  readonly primary?: true
}

const APPLY: Action = { work: 'apply', says: 'Apply this change', busy: 'Applying…', primary: true }
const AGAIN: Action = { work: 'preview', says: 'Preview again', busy: 'Previewing…' }

const ACTIONS: Readonly<Record<Status, readonly Action[]>> = {
  previewed: [APPLY],
  failed: [AGAIN, APPLY],
  stale: [{ ...AGAIN, primary: true }],
  expired: [{ ...AGAIN, primary: true }],
  applied: [{ work: 'undo', says: 'Undo', busy: 'Undoing…' }],
  undone: [{ work: 'undo', says: 'Redo', busy: 'Redoing…' }],
}

/**
 * Milliseconds after a change of the buttons before a click counts: it may be meant for the
 * previous one.
 */
const SEEN_AFTER = 500

/** Props of {@link Actions}. */
export interface ActionsProps {
  readonly shown: Shown
  readonly session: Session
}

/** Renders the actions that the current state allows. */
export function Actions({ shown, session }: ActionsProps) {
  const { status, work, change } = shown
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef(0)
  const acted = useRef(false)
  useLayoutEffect(() => {
    drawn.current = performance.now()
    // The focused button was removed. The focus moves to the group, so that Enter triggers nothing.
    if (acted.current && document.activeElement === document.body) place.current?.focus()
    acted.current = false
  }, [status, change.id])
  const act = (action: Action) => () => {
    if (work !== null || performance.now() - drawn.current < SEEN_AFTER) return
    acted.current = true
    void session[action.work]()
  }
  if (!isPossible(shown, session)) return null
  return (
    <div class="actions" ref={place} tabIndex={-1}>
      {ACTIONS[status].map((action) => (
        <button
          key={action.says}
          class={action.primary ? 'primary' : ''}
          aria-disabled={work !== null}
          aria-busy={work === action.work}
          onClick={act(action)}
        >
          {work === action.work ? action.busy : action.says}
        </button>
      ))}
    </div>
  )
}

function isPossible({ status, last }: Shown, { canCall, canRepeat }: Session): boolean {
  return status === 'applied' || status === 'undone' ? canCall && last !== null : canRepeat
}
