/**
 * The two answers to a question. No is first and has the focus; yes counts only from a hand, and only
 * when the question has been there for a moment.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { byHand } from './by-hand.ts'

/** Milliseconds for which yes cannot be said: a click meant for something else has landed by then. */
const SETTLE_MS = 500

/** Only a hand counts, and only after the dialog has been there for a moment. */
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
    // A frame that takes the focus is no window that was left, and must not put off the answer.
    const left = () => void setTimeout(() => (isAway ||= !document.hasFocus()))
    // Whoever comes back to the window gets the same moment to look.
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
