/**
 * The place of a preview in the dialog: lines of text, or a slot for a `<mcp-view>` with an HTML
 * page.
 *
 * A page takes a moment to load. Until it is drawn its place is one line that says so, and nothing
 * can be allowed; a page that fails or takes too long is replaced by lines.
 * `test/pages/polyfill/approval-remote.slow.test.ts` covers it.
 *
 * @module
 */

import type { ApprovalRequest } from '../approver.ts'
import { el } from './dom.ts'
import { intrinsics } from './intrinsics.ts'
import { drawPreview, pageIn } from './preview.ts'

/** Time limit in milliseconds of an HTML page. */
const MAX_DRAW_MS = 10_000

/** Milliseconds that a page which reports nothing has for drawing once its sandbox is there. */
const DRAW_MS = 1_000

/** Members of `<mcp-view>`. */
interface ViewMembers {
  html: string
  resourceMeta: unknown
  displayModes: readonly string[]
}

/** A preview in the dialog. */
export interface Preview {
  /** Null without a preview. */
  readonly element: HTMLElement | null
  readonly isDrawn: () => boolean
}

/**
 * Creates the place of a preview, and the `<mcp-view>` of an HTML page in the page's own tree.
 *
 * @param host The host of the dialog's tree; null where the dialog is in another document, which
 *   cannot show the page.
 */
export function createPreview({ preview }: ApprovalRequest, host: HTMLElement | null): Preview {
  const lines = () => drawPreview(preview)
  const page = host && pageIn(preview)
  if (!page) return { element: preview === undefined ? null : lines(), isDrawn: () => true }
  const view = el('mcp-view') as HTMLElement & ViewMembers
  const slot = el('slot')
  const note = el('p', { role: 'status' }, ['The preview is loading …'])
  const element = el('div', {}, [note, slot])
  let isDrawn = false
  // The slot has its height without the note. It is not moved, because that hides the page.
  const showPage = () => {
    isDrawn = true
    intrinsics.remove(note)
  }
  // A page without a script reports nothing, but its sandbox does when it is there.
  const follow = (event: Event) => {
    const shown = view.shadowRoot?.querySelector('iframe')?.contentWindow
    if (intrinsics.sourceOf(event) === shown) intrinsics.later(showPage, DRAW_MS)
  }
  const giveUp = () => {
    intrinsics.unlisten(window, 'message', follow)
    if (!isDrawn) intrinsics.replaceChildren(element, lines())
    isDrawn = true
  }
  intrinsics.listen(window, 'message', follow)
  intrinsics.listen(view, 'mcp-size', showPage)
  intrinsics.listen(view, 'mcp-error', giveUp)
  intrinsics.later(giveUp, MAX_DRAW_MS)
  view.html = page.html
  view.resourceMeta = page.meta
  view.displayModes = ['inline']
  intrinsics.append(host, view)
  return { element, isDrawn: () => isDrawn }
}
