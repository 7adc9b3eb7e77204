/**
 * The approval dialog: asks the user before a tool of this page runs.
 *
 * It is a modal dialog in a closed shadow tree. An approval requires a trusted click while the
 * dialog is visible and unobstructed and its preview is drawn; every other outcome is a denial.
 * `test/pages/polyfill/approval-dialog.slow.test.ts` tries to bypass it.
 *
 * @module
 */

import type { ApprovalRequest, Choice } from '../approver.ts'
import { createFoot, focusEdge, newDialog, openDialog } from './controls.ts'
import { closedTree, fill } from './dom.ts'
import { drawBody, drawHead } from './draw.ts'
import { intrinsics } from './intrinsics.ts'
import { findPlace, keepInView } from './place.ts'
import { watch } from './presence.ts'
import { createPreview } from './preview-slot.ts'
import { askInWindow, type Refusal } from './window.ts'

/** Smallest width, in CSS pixels, in which the question can be read. */
const MIN_WIDTH = 220

/**
 * Height in CSS pixels that the question needs beside its heading and its buttons: a part of its
 * content, a note, and the space around it.
 */
const ROOM = 122

/**
 * Asks in the dialog.
 *
 * @returns A choice, `deny`, or the reason why the user cannot be asked.
 */
export async function askInDialog(
  request: ApprovalRequest,
  { signal }: { readonly signal: AbortSignal },
): Promise<Choice | 'deny' | Refusal> {
  const ask = (place: Document) => askIn(place, request, signal)
  // Both promises are protected; one that is returned without `await` would run code of the page.
  return (await ask(findPlace())) ?? (await askInWindow(ask, signal))
}

/** Asks in a document; null if the question does not fit into its window. */
function askIn(
  place: Document,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Choice | 'deny' | null> {
  return intrinsics.promise((resolve) => {
    const end = (answer: Choice | 'deny' | null) => {
      remove()
      resolve(answer)
    }
    const deny = () => end('deny')
    const tree = closedTree(place)

    const preview = createPreview(request, place === document ? tree.host : null)
    const { foot, note, first, last, enable } = createFoot(request, (answer) => {
      if (answer === 'deny' || (presence.isSteady() && preview.isDrawn())) end(answer)
    })
    const head = drawHead(request)
    const body = drawBody(request, preview.element)
    // Focus wraps: sentinels before the first and after the last button move it to the other end.
    const dialog = fill(
      newDialog(),
      {
        role: 'alertdialog',
        'aria-labelledby': 'h',
        'aria-describedby': 'd e',
        dir: getComputedStyle(document.documentElement).direction,
      },
      [focusEdge(() => last), head, body, foot, focusEdge(() => first)],
    )
    const remove = openDialog(dialog, tree, { signal, deny, stop: () => presence.stop() })
    intrinsics.focus(first)
    const heightOf = (element: Element) => intrinsics.boxOf(element).height ?? 0
    const fits = ({ width = 0, height = 0 }: DOMRectInit) =>
      width >= MIN_WIDTH && height >= heightOf(head) + heightOf(foot) - heightOf(note) + ROOM
    const view = keepInView(tree, fits)
    let since = 0
    const showState = (isClear: boolean, isSteady: boolean) => {
      since = isClear ? 0 : since || intrinsics.now()
      intrinsics.replaceChildren(note, isClear ? '' : view.reason(since))
      enable(isSteady && preview.isDrawn())
    }
    const presence = watch({ ...tree, view, dialog, head, foot }, showState, deny)
    const own = intrinsics.windowOf(place)
    const area = { width: own?.innerWidth ?? 0, height: own?.innerHeight ?? 0 }
    if (!place.body || !fits(area)) end(null)
  })
}
