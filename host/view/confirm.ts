/**
 * A confirmation dialog of the host, which only a real click of the user accepts.
 *
 * @module
 */

import { button, make } from './dom.ts'
import type { ViewHost } from './types.ts'

/** Time (ms) in which a click is ignored: it was aimed at what the dialog now covers. */
const MIN_SHOWN = 500

/**
 * Asks the user to confirm an action of the app, in a modal dialog above it.
 *
 * @param action The verb on the button, such as `Save`.
 * @param what The object of the action; shown as text.
 * @param signal Closes the dialog.
 * @returns False if the user cancels, if the signal is aborted, or if another dialog is already
 *   open.
 */
export async function confirm(
  { shadowRoot: root, app }: ViewHost,
  action: string,
  what: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (!root || root.querySelector('.ask') || signal.aborted) return false
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const openedAt = performance.now()
  const no = button('Cancel', () => resolve(false))
  const yes = button(action, ({ isTrusted }) => {
    if (isTrusted && performance.now() - openedAt > MIN_SHOWN) resolve(true)
  })
  const text = `${app?.info.name} asks: ${action} ${what}?`
  const options = { className: 'ask', role: 'alertdialog', ariaLabel: action }
  const dialog = make('dialog', options, make('p', {}, text), make('p', {}, no, yes))
  dialog.onclose = () => resolve(false)
  signal.addEventListener('abort', () => resolve(false))
  // The app's frame may take the focus at any time, and Escape would no longer reach the dialog.
  const keep = setInterval(() => {
    if (document.hasFocus() && !root.activeElement?.closest('.ask')) no.focus()
  }, 30)
  root.append(dialog)
  dialog.showModal()
  return promise.finally(() => {
    clearInterval(keep)
    dialog.remove()
  })
}
