/**
 * The approval dialog: asks the user before a tool of this page runs.
 *
 * It is a modal dialog in a closed shadow tree. An approval requires a trusted click while the
 * dialog is visible and unobstructed; every other outcome is a denial.
 * `test/pages/polyfill-annex-dialog.test.ts` tries to bypass it.
 *
 * @module
 */

import type { ApprovalRequest, Choice } from '../approver.ts'
import { closedTree, el, fill } from './dom.ts'
import { drawBody, drawHead, viewFor } from './draw.ts'
import { native } from './native.ts'
import { watch } from './presence.ts'

/** Smallest window, in CSS pixels, in which the question can be read. */
const LEAST_WIDTH = 220
const LEAST_HEIGHT = 200

const COVERED = 'Something covers this question. It can be allowed when it is in full view.'

/**
 * Asks in the dialog.
 *
 * @returns A choice, or `deny`; null if the window is too small or has no body.
 */
export async function askInDialog(
  request: ApprovalRequest,
  { signal }: { readonly signal: AbortSignal },
): Promise<Choice | 'deny' | null> {
  if (!isUsable()) return null
  let decide: (answer: Choice | 'deny') => void = () => {}
  const answered = native.promise<Choice | 'deny'>((resolve) => (decide = resolve))
  const deny = () => decide('deny')
  const { host, root } = closedTree()

  const note = el('p', { role: 'status' })
  const refuse = button('Deny', 'deny', deny)
  const head = drawHead(request)
  const body = drawBody(request, viewFor(request, host))
  const foot = el('footer', {}, [note, refuse])
  let final = refuse
  let disable: (isDisabled: boolean) => void = () => {}
  const { choices } = request
  for (let i = 0; i < choices.length; i++) {
    const choice = choices[i]
    if (!choice) continue
    const allow = button(labelOf(choice, request.days), choice, () => {
      if (presence.isSteady()) decide(choice)
    })
    const others = disable
    disable = (isDisabled) => {
      others(isDisabled)
      native.setAttribute(allow, 'aria-disabled', `${isDisabled}`)
    }
    native.append(foot, allow)
    final = allow
  }
  // Focus wraps: sentinels before the first and after the last button move it to the other end.
  const start = edge(() => final)
  const end = edge(() => refuse)
  const attributes = { role: 'alertdialog', 'aria-labelledby': 'h', 'aria-describedby': 'd' }
  const dialog = fill(newDialog(), attributes, [start, head, body, foot, end])
  native.setAttribute(dialog, 'dir', getComputedStyle(document.documentElement).direction)

  native.appendToRoot(root, dialog)
  native.append(document.documentElement, host)
  native.listen(dialog, 'cancel', deny)
  native.listen(dialog, 'close', deny)
  native.listen(signal, 'abort', deny)
  native.showModal(dialog)
  native.focus(refuse)
  const presence = watch({ host, dialog, head, foot }, looked, deny)
  try {
    return await answered
  } finally {
    presence.stop()
    native.close(dialog)
    native.remove(host)
  }

  function looked(state: string) {
    native.replaceChildren(note, state === 'covered' ? COVERED : '')
    disable(state !== 'steady')
  }
}

/** Reports whether this window can show a readable dialog. */
export function isUsable(): boolean {
  const isBig = innerWidth >= LEAST_WIDTH && innerHeight >= LEAST_HEIGHT
  return document.defaultView !== null && document.body !== null && isBig
}

/** Creates a button that only trusted clicks press; scripts cannot. */
function button(label: string, look: string, press: () => void): HTMLElement {
  const made = el('button', { type: 'button', class: look }, [label])
  native.listen(made, 'click', ({ isTrusted }) => {
    if (isTrusted) press()
  })
  return made
}

function edge(other: () => HTMLElement): HTMLElement {
  const made = el('span', { tabindex: '0' })
  native.listen(made, 'focus', () => native.focus(other()))
  return made
}

function labelOf(choice: Choice, days: number): string {
  if (choice === 'once') return 'Allow once'
  return choice === 'session' ? 'Allow on this visit' : `Allow for ${days} days`
}

// TypeScript types the result as any element, and `instanceof` would run code of the page.
const newDialog = () => native.create(document, 'dialog') as HTMLDialogElement
