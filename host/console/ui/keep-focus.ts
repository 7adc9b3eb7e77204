/**
 * Keeps the focus in an open dialog. A frame may take it at any time, and with it the user's keys
 * and the Escape that declines; no browser lets a page forbid that. So the focus is taken back.
 *
 * A frame inside the dialog keeps the focus if the user moves it there, by Tab or pointer.
 * `test/pages/console/focus.slow.test.ts` tests it with a frame that steals the focus.
 *
 * @module
 */

/** Time (ms) after a Tab during which a focus change is the user's. */
const TABBED_MS = 100

/**
 * Interval (ms) of the attempts, made even if the page seems to have the focus: it may be wrong
 * about that.
 */
const AGAIN_MS = 30

/**
 * Keeps the focus in a dialog; an element with `data-first` has it first. Returns the function that
 * stops it.
 */
export function keepFocus(dialog: HTMLElement): () => void {
  const find = (what: string) => dialog.querySelector<HTMLElement>(what)
  let held = find('[data-first]') ?? find('input, button')
  // Whether the user moved the focus into a frame of the dialog.
  let isGiven = false
  let tabbedAt = -Infinity
  const isWanted = () =>
    dialog.contains(document.activeElement) &&
    (find('mcp-view:hover') !== null || performance.now() - tabbedAt < TABBED_MS)
  const takeBack = () => {
    // Another window has the focus; leave it there.
    if (isGiven || !document.hasFocus()) return
    window.focus()
    ;(held?.isConnected ? held : find('[data-first], button'))?.focus({ preventScroll: true })
  }
  const controller = new AbortController()
  const on = { signal: controller.signal }
  dialog.addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Tab') tabbedAt = performance.now()
    },
    on,
  )
  dialog.addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof HTMLElement) || isView(target)) return
      held = target
      isGiven = false
    },
    on,
  )
  // The focus has not reached its new place during the event.
  const handleBlur = () => {
    isGiven = isWanted()
    takeBack()
  }
  addEventListener('blur', () => void setTimeout(handleBlur), on)
  const timer = setInterval(takeBack, AGAIN_MS)
  return () => {
    clearInterval(timer)
    controller.abort()
  }
}

const isView = ({ localName }: Element) => localName === 'mcp-view' || localName === 'iframe'
