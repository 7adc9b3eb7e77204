/**
 * A confirmation dialog of the host, which only a real click of the user accepts.
 *
 * @module
 */

import { button, make } from './dom.ts'
import type { ViewHost } from './types.ts'

/** Time (ms) in which a click is ignored: it was aimed at what is now covered, or at another window. */
const MIN_SHOWN = 500

/** Most refusals of an app in a row. Its frame keeps them, which is another one when it is loaded again. */
const MAX_REFUSALS = 3

/**
 * Asks the user to confirm an action of the app, in a modal dialog above it.
 *
 * @param action The verb on the button, such as `Save`.
 * @param what The object of the action; shown as text.
 * @param signal Closes the dialog.
 * @returns False if the user cancels, if the signal is aborted, if another dialog is already open, or
 *   if the app was refused too often in a row: the dialog covers what closes the app.
 */
export async function confirm(
  { shadowRoot: root, app }: ViewHost,
  action: string,
  what: string,
  signal: AbortSignal,
): Promise<boolean> {
  const data = root?.querySelector('iframe')?.dataset
  const refused = Number(data?.['refused'] ?? 0)
  if (!root || !data || root.querySelector('.ask') || signal.aborted || refused >= MAX_REFUSALS)
    return false
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const isSettled = trackFocus()
  const no = button('Cancel', () => resolve(false))
  const yes = button(action, ({ isTrusted }) => {
    if (isTrusted && isSettled()) resolve(true)
  })
  const text = `${app?.info.name} asks: ${action} ${what}?`
  const options = { className: 'ask', role: 'alertdialog', ariaLabel: action }
  const dialog = make('dialog', options, make('p', {}, text), make('p', {}, no, yes))
  dialog.onclose = () => resolve(false)
  signal.addEventListener('abort', () => resolve(false))
  // The app's frame may take the focus at any time, and Escape would no longer reach the dialog.
  const keep = setInterval(() => {
    isSettled()
    if (document.hasFocus() && !root.activeElement?.closest('.ask')) no.focus()
  }, 30)
  root.append(dialog)
  dialog.showModal()
  const isAllowed = await promise
  clearInterval(keep)
  dialog.remove()
  data['refused'] = `${isAllowed ? 0 : refused + 1}`
  return isAllowed
}

/**
 * Returns a function that reports whether this window had the focus for long enough: a window behind another one may
 * get it by the first press of a double click. It is called often, and a longer pause, as the timers of a hidden page
 * have, begins the time again.
 */
function trackFocus(): () => boolean {
  let since = performance.now()
  let last = since
  return () => {
    const now = performance.now()
    if (!document.hasFocus() || now - last > MIN_SHOWN) since = now
    last = now
    return now - since > MIN_SHOWN
  }
}
