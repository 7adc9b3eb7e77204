/**
 * The approval dialog: asks the user before a tool of this page runs.
 *
 * It is a modal dialog in a closed shadow tree. An approval requires a trusted click while the
 * dialog is visible and unobstructed; every other outcome is a denial.
 * `test/pages/polyfill/annex-dialog.slow.test.ts` tries to bypass it.
 *
 * @module
 */

import type { ApprovalRequest, Choice } from '../approver.ts'
import { closedTree, el, fill } from './dom.ts'
import { drawBody, drawHead, createView } from './draw.ts'
import { intrinsics } from './intrinsics.ts'
import { findPlace, keepInView, type View } from './place.ts'
import { type Presence, watch } from './presence.ts'

const COVERED = 'Something covers this question. It can be allowed when it is in full view.'
const AWAY = 'This part of the page is scrolled out of view. Scroll to it to allow the call.'
const NOT_MEASURED = ''

/**
 * Asks in the dialog.
 *
 * @returns A choice, or `deny`; null if the window is too small or has no body.
 */
export async function askInDialog(
  request: ApprovalRequest,
  { signal }: { readonly signal: AbortSignal },
): Promise<Choice | 'deny' | null> {
  const place = findPlace()
  if (!place) return null
  let decide: (answer: Choice | 'deny') => void = () => {}
  const answered = intrinsics.promise<Choice | 'deny'>((resolve) => (decide = resolve))
  const deny = () => decide('deny')
  const { host, root, sheet } = closedTree(place)

  const note = el('p', { role: 'status' })
  const refuse = button('Deny', 'deny', deny)
  const head = drawHead(request)
  const body = drawBody(request, createView(request, place === document ? host : null))
  const foot = el('footer', {}, [note, refuse])
  let final = refuse
  let disable: (isDisabled: boolean) => void = () => {}
  const { choices } = request
  for (let i = 0; i < choices.length; i++) {
    const choice = choices[i]
    if (!choice) continue
    const allow = button(nameChoice(choice, request.days), choice, () => {
      if (presence.isSteady()) decide(choice)
    })
    const others = disable
    disable = (isDisabled) => {
      others(isDisabled)
      intrinsics.setAttribute(allow, 'aria-disabled', `${isDisabled}`)
    }
    intrinsics.append(foot, allow)
    final = allow
  }
  // Focus wraps: sentinels before the first and after the last button move it to the other end.
  const start = focusEdge(() => final)
  const end = focusEdge(() => refuse)
  const attributes = { role: 'alertdialog', 'aria-labelledby': 'h', 'aria-describedby': 'd' }
  const dialog = fill(newDialog(), attributes, [start, head, body, foot, end])
  intrinsics.setAttribute(dialog, 'dir', getComputedStyle(document.documentElement).direction)

  intrinsics.appendToRoot(root, dialog)
  intrinsics.append(place.documentElement, host)
  intrinsics.listen(dialog, 'cancel', deny)
  intrinsics.listen(dialog, 'close', deny)
  intrinsics.listen(signal, 'abort', deny)
  intrinsics.showModal(dialog)
  intrinsics.focus(refuse)
  const view = keepInView(place, root, sheet)
  const showState = (state: string) => {
    intrinsics.replaceChildren(note, state === 'covered' ? reasonOf(view) : '')
    disable(state !== 'steady')
  }
  const presence = watch({ place, view, host, dialog, head, foot }, showState, deny)
  const remove = removing({ view, presence, dialog, host })
  try {
    return await answered
  } finally {
    remove()
  }
}

const reasonOf = (view: View): string =>
  view.isAway() ? AWAY : view.isEnough() ? COVERED : NOT_MEASURED

interface Shown {
  readonly view: View
  readonly presence: Presence
  readonly dialog: HTMLDialogElement
  readonly host: HTMLElement
}

/**
 * Creates the function that removes the dialog, and calls it when this frame goes: nothing runs in
 * it any more then, and a dialog in the top document would stay.
 */
function removing({ view, presence, dialog, host }: Shown): () => void {
  const remove = () => {
    intrinsics.unlisten(window, 'pagehide', remove)
    view.stop()
    presence.stop()
    intrinsics.close(dialog)
    intrinsics.remove(host)
  }
  intrinsics.listen(window, 'pagehide', remove)
  return remove
}

/** Creates a button that only trusted clicks press; scripts cannot. */
function button(label: string, look: string, press: () => void): HTMLElement {
  const made = el('button', { type: 'button', class: look }, [label])
  intrinsics.listen(made, 'click', ({ isTrusted }) => {
    if (isTrusted) press()
  })
  return made
}

function focusEdge(other: () => HTMLElement): HTMLElement {
  const made = el('span', { tabindex: '0' })
  intrinsics.listen(made, 'focus', () => intrinsics.focus(other()))
  return made
}

function nameChoice(choice: Choice, days: number): string {
  if (choice === 'once') return 'Allow once'
  return choice === 'session' ? 'Allow on this visit' : `Allow for ${days} days`
}

// TypeScript types the result as any element, and `instanceof` would run code of the page.
const newDialog = () => intrinsics.create(document, 'dialog') as HTMLDialogElement
