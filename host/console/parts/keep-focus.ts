/**
 * Keeps the focus in an open dialog. A frame may take it whenever it likes, modal dialog or not, and
 * with it the keys that the person types and the Escape that says no; no browser lets a page forbid
 * that. So what was taken is taken back.
 *
 * A frame inside the dialog may have the focus when the person brings it there, with Tab or the
 * pointer. `test/pages/console-focus.test.ts` sets a thief on it.
 *
 * @module
 */

/** Milliseconds after a Tab in which the focus moves by the person's hand. */
const TABBED_MS = 100

/** Milliseconds between attempts, made without asking: a page may believe that it has the focus. */
const AGAIN_MS = 30

/** What is marked as `data-first` has it in the beginning. Answers how to stop. */
export function keepFocus(dialog: HTMLElement): () => void {
  const find = (what: string) => dialog.querySelector<HTMLElement>(what)
  let held = find('[data-first]') ?? find('input, button')
  // Whether the person has brought it into a frame of the dialog.
  let isGiven = false
  let tabbedAt = -Infinity
  const isWanted = () =>
    dialog.contains(document.activeElement) &&
    (find('mcp-view:hover') !== null || performance.now() - tabbedAt < TABBED_MS)
  const takeBack = () => {
    // Whoever looks at another window is left alone.
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
  // The focus has arrived only after the event that says where it was.
  const left = () => {
    isGiven = isWanted()
    takeBack()
  }
  addEventListener('blur', () => void setTimeout(left), on)
  const timer = setInterval(takeBack, AGAIN_MS)
  return () => {
    clearInterval(timer)
    controller.abort()
  }
}

const isView = ({ localName }: Element) => localName === 'mcp-view' || localName === 'iframe'
