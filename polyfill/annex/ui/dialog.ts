/**
 * The dialog: what a person is asked before a tool of this page runs.
 *
 * It stands in a closed tree in the top layer, takes an answer only from a gesture of the person,
 * while it is in front of them, and everything but a clear yes is a no.
 * `test/pages/polyfill-annex-dialog.test.ts` tries to get round it.
 *
 * @module
 */

import type { ApprovalRequest, Choice } from '../approver.ts'
import { closedTree, el, fill } from './dom.ts'
import { drawBody, drawHead, viewFor } from './draw.ts'
import { native } from './native.ts'
import { watch } from './presence.ts'

/** A window smaller than this shows nobody what it is about. */
const LEAST_WIDTH = 220
const LEAST_HEIGHT = 200

const COVERED = 'Something covers this question. It can be allowed when it is in full view.'

/** Asks in a dialog: a choice, `deny`, or null where nothing can be shown. */
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
  // Focus goes round: before the first and after the last there is only the other end.
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

/** Whether there is a window here in which a person could read a question. */
export function isUsable(): boolean {
  const isBig = innerWidth >= LEAST_WIDTH && innerHeight >= LEAST_HEIGHT
  return document.defaultView !== null && document.body !== null && isBig
}

/** Only a gesture of the person presses it, and no script. */
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

// The types take the name for any element, and asking `instanceof` would ask the page.
const newDialog = () => native.create(document, 'dialog') as HTMLDialogElement
