/**
 * The two buttons of a question. No comes first and has the focus; yes accepts only a real click or
 * key press, after a short delay.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { byHand } from './by-hand.ts'

/** Delay (ms) before yes is enabled; by then a click meant for something else has landed. */
const SETTLE_MS = 500

/** The button that agrees. It ignores clicks that a script makes. */
export function YesButton({
  onYes,
  disabled = false,
  danger = false,
  children,
}: {
  readonly onYes: () => void
  readonly disabled?: boolean
  readonly danger?: boolean
  readonly children: ComponentChildren
}) {
  const isSettled = useSettled()
  return (
    <button
      type="button"
      class={`button ${danger ? 'danger' : 'primary'}`}
      disabled={!isSettled || disabled}
      onClick={byHand(onYes)}
    >
      {children}
    </button>
  )
}

function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    let timer = setTimeout(() => setSettled(true), SETTLE_MS)
    let isAway = false
    // If a frame took the focus, the window still has it, and the delay must not restart.
    const left = () => void setTimeout(() => (isAway ||= !document.hasFocus()))
    // After switching back to this window, the delay starts again.
    const again = () => {
      if (!isAway) return
      isAway = false
      clearTimeout(timer)
      setSettled(false)
      timer = setTimeout(() => setSettled(true), SETTLE_MS)
    }
    addEventListener('blur', left)
    addEventListener('focus', again)
    return () => {
      clearTimeout(timer)
      removeEventListener('blur', left)
      removeEventListener('focus', again)
    }
  }, [])
  return isSettled
}

/** The button that declines; it has the focus first. */
export function NoButton({
  onNo,
  children,
}: {
  readonly onNo: () => void
  readonly children: string
}) {
  return (
    <button type="button" class="button" data-first onClick={onNo}>
      {children}
    </button>
  )
}
