/**
 * The dialog element, its buttons, and the edges that keep the focus inside.
 *
 * @module
 */

import type { ApprovalRequest, Choice } from '../approver.ts'
import { type closedTree, el } from './dom.ts'
import { intrinsics } from './intrinsics.ts'

/** Creates a dialog. The type is not known, and `instanceof` would run code of the page. */
export const newDialog = () => intrinsics.create(document, 'dialog') as HTMLDialogElement

/**
 * Shows a dialog in its tree. Whatever ends it, and the end of the call, deny.
 *
 * @param stop Called when it is removed.
 * @returns The function that removes it. It is called when this frame goes as well: nothing runs in
 *   it any more then, and a dialog in another document would stay.
 */
export function openDialog(
  dialog: HTMLDialogElement,
  { host, root, place }: ReturnType<typeof closedTree>,
  { signal, deny, stop }: { signal: AbortSignal; deny: () => void; stop: () => void },
): () => void {
  const remove = () => {
    intrinsics.unlisten(window, 'pagehide', remove)
    stop()
    intrinsics.close(dialog)
    intrinsics.remove(host)
  }
  intrinsics.appendToRoot(root, dialog)
  intrinsics.append(place.documentElement, host)
  intrinsics.listen(dialog, 'cancel', deny)
  intrinsics.listen(dialog, 'close', deny)
  intrinsics.listen(signal, 'abort', deny)
  intrinsics.listen(window, 'pagehide', remove)
  intrinsics.showModal(dialog)
  return remove
}

/** Creates a button that only trusted clicks press; scripts cannot. */
export function button(label: string, look: string, press: () => void): HTMLElement {
  const made = el('button', { type: 'button', class: look }, [label])
  intrinsics.listen(made, 'click', ({ isTrusted }) => {
    if (isTrusted) press()
  })
  return made
}

/** Creates an invisible element that passes the focus on. */
export function focusEdge(other: () => HTMLElement): HTMLElement {
  const made = el('span', { tabindex: '0' })
  intrinsics.listen(made, 'focus', () => intrinsics.focus(other()))
  return made
}

/** What an approval for longer holds for. */
const EXTENT =
  'Longer approvals cover all calls of this tool, with any arguments, until its definition changes.'

/** The footer: the state, Deny and the offered approvals. */
export interface Foot {
  readonly foot: HTMLElement
  readonly note: HTMLElement
  /** Deny, which is first. */
  readonly first: HTMLElement
  readonly last: HTMLElement
  /** Turns the approvals on or off. */
  readonly enable: (isEnabled: boolean) => void
}

/** Creates the footer. Every press of an approval is passed on, also while it is turned off. */
export function createFoot(
  { choices, days }: ApprovalRequest,
  decide: (answer: Choice | 'deny') => void,
): Foot {
  const note = el('p', { role: 'status' })
  const first = button('Deny', 'deny', () => decide('deny'))
  const extent = choices.length > 1 ? el('p', { id: 'e' }, [EXTENT]) : null
  const foot = el('footer', {}, [note, extent, first])
  let last = first
  let enable: (isEnabled: boolean) => void = () => {}
  for (let i = 0; i < choices.length; i++) {
    const choice = choices[i]
    if (!choice) continue
    const allow = button(nameChoice(choice, days), choice, () => decide(choice))
    const others = enable
    enable = (isEnabled) => {
      others(isEnabled)
      intrinsics.setAttribute(allow, 'aria-disabled', `${!isEnabled}`)
    }
    intrinsics.append(foot, allow)
    last = allow
  }
  return { foot, note, first, last, enable }
}

function nameChoice(choice: Choice, days: number): string {
  if (choice === 'once') return 'Allow once'
  return choice === 'session' ? 'Allow on this visit' : `Allow for ${days} days`
}
