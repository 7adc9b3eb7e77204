/**
 * The delay before something that is shown can be decided: by then a click that was meant for something else has
 * landed. `test/host/console/decision-button.test.tsx` covers it.
 *
 * @module
 */

import { useEffect, useState } from 'preact/hooks'

/** How long (ms) what is shown has to stay as it is before a press counts. */
export const SETTLE_MS = 500

/** A window whose focus is in a frame reports no change of it, so this looks for itself (ms). */
const LOOK_MS = 100

/**
 * Whether what is shown has been visible for half a second in a window with the focus, since the component was
 * mounted, `shown` changed, or the person switched to this window.
 */
export function useSettled(shown: unknown = null): boolean {
  const [settled, setSettled] = useState<{ readonly shown: unknown } | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isHere = false
    const look = () => {
      if (isHere === document.hasFocus()) return
      isHere = !isHere
      clearTimeout(timer)
      setSettled(null)
      if (isHere) timer = setTimeout(() => setSettled({ shown }), SETTLE_MS)
    }
    // The focus has not reached its new place during the event.
    const handleBlur = () => void setTimeout(look)
    setSettled(null)
    look()
    const looks = setInterval(look, LOOK_MS)
    addEventListener('blur', handleBlur)
    addEventListener('focus', look)
    return () => {
      clearTimeout(timer)
      clearInterval(looks)
      removeEventListener('blur', handleBlur)
      removeEventListener('focus', look)
    }
  }, [shown])
  // Compared here, so that not even the first rendering of something else is enabled.
  return settled !== null && settled.shown === shown
}
