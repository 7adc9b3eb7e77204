/** What the person can do with a change: make it, have it shown anew, take it back. @module */

import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Session } from './session.ts'
import type { Shown, Status, Work } from './stage.ts'

interface Action {
  readonly work: Work
  readonly says: string
  /** While it is being done. */
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

/** Milliseconds after which a click is meant for what stands there now, and not for what stood there. */
const SEEN_AFTER = 500

export interface ActionsProps {
  readonly shown: Shown
  readonly session: Session
}

export function Actions({ shown, session }: ActionsProps) {
  const { status, work, change } = shown
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef(0)
  const acted = useRef(false)
  useLayoutEffect(() => {
    drawn.current = performance.now()
    // The button that had the focus is gone. The next one is a step of Tab away, not an Enter.
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
