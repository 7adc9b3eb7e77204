/**
 * A question that only the person can say yes to, with a click of their own.
 *
 * @module
 */

import { button, make } from './dom.ts'
import type { McpView } from './element.ts'

/** Clicks this soon after a question appears were meant for what was there before. */
const TOO_SOON = 300

/** One question at a time: an app that asks again meanwhile is refused, and so is one that ends. */
export async function confirm(
  { shadowRoot: root, app }: McpView,
  action: string,
  what: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (!root || root.querySelector('.ask') || signal.aborted) return false
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const shown = performance.now()
  const no = button('Cancel', () => resolve(false))
  const yes = button(action, ({ isTrusted }) => {
    if (isTrusted && performance.now() - shown > TOO_SOON) resolve(true)
  })
  const text = `${app?.info.name} asks: ${action} ${what}?`
  const options = { className: 'ask', role: 'alertdialog', ariaLabel: action }
  const dialog = make('dialog', options, make('p', {}, text), make('p', {}, no, yes))
  dialog.onclose = () => resolve(false)
  signal.addEventListener('abort', () => resolve(false))
  // A frame may take the focus whenever it likes, and with it the key that says no.
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
