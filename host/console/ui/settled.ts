/**
 * The delay before something that is shown can be decided: by then a click that was meant for something else has
 * landed.
 *
 * @module
 */

import { useEffect, useState } from 'preact/hooks'

/** How long (ms) what is shown has to stay as it is before a press counts. */
export const SETTLE_MS = 500

/**
 * Whether what is shown has been visible for half a second, since the component was mounted, `shown` changed, or
 * the person switched back to this window.
 */
export function useSettled(shown: unknown = null): boolean {
  const [settled, setSettled] = useState<{ readonly shown: unknown } | null>(null)
  useEffect(() => {
    const settle = () => setSettled({ shown })
    let timer = setTimeout(settle, SETTLE_MS)
    let isAway = false
    // If a frame took the focus, the window still has it, and the delay must not restart.
    const handleBlur = () => void setTimeout(() => (isAway ||= !document.hasFocus()))
    const handleFocus = () => {
      if (!isAway) return
      isAway = false
      clearTimeout(timer)
      setSettled(null)
      timer = setTimeout(settle, SETTLE_MS)
    }
    addEventListener('blur', handleBlur)
    addEventListener('focus', handleFocus)
    return () => {
      clearTimeout(timer)
      removeEventListener('blur', handleBlur)
      removeEventListener('focus', handleFocus)
    }
  }, [shown])
  // Compared here, so that not even the first rendering of something else is enabled.
  return settled !== null && settled.shown === shown
}
