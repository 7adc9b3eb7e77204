/**
 * Renders the content of the approval dialog: caller, description, preview, arguments.
 *
 * The page's description of a call is labelled as its claim, with argument values marked, because a
 * page can claim anything. The arguments are shown below as the tool will receive them.
 *
 * @module
 */

import type { RenderedIntent } from '#core/intent/render.ts'
import type { ApprovalRequest } from '../approver.ts'
import { el, shown, type Child } from './dom.ts'
import { intrinsics } from './intrinsics.ts'
import { drawPreview, pageIn } from './preview.ts'

const MAX_CLAIM_LENGTH = 2_000

/** Renders the heading: the tool and its origin. */
export function drawHead({ tool, origin, scopes }: ApprovalRequest): HTMLElement {
  const name = shown(tool, 128)
  return el('header', {}, [
    el('h1', { id: 'h' }, scopes ? ['Give ', name, ' more access?'] : ['Allow ', name, '?']),
    el('p', {}, ['An agent asks to use this tool of ', el('b', {}, [shown(origin, 300)])]),
  ])
}

/** Renders the decision basis; `page` is the slot for an HTML preview. */
export function drawBody(request: ApprovalRequest, page: HTMLElement | null): HTMLElement {
  const { preview, scopes = [], input } = request
  const args = intrinsics.layOut(input)
  return el('main', {}, [
    drawClaim(request),
    scopes.length > 0 ? section('It asks for', drawList(scopes)) : null,
    preview === undefined ? null : section('What would happen', page ?? drawPreview(preview)),
    args === '{}'
      ? section('It is called without arguments')
      : section('Arguments', el('pre', { tabindex: '0', dir: 'ltr' }, [shown(args)])),
  ])
}

/**
 * Creates the `<mcp-view>` for an HTML preview in the page's own tree, and the slot that shows it;
 * null without such a preview, or where the dialog is in another document.
 */
export function createView(
  { preview }: ApprovalRequest,
  host: HTMLElement | null,
): HTMLElement | null {
  const page = pageIn(preview)
  if (!page || !host) return null
  const view = el('mcp-view')
  Object.assign(view, { html: page.html, resourceMeta: page.meta, displayModes: ['inline'] })
  host.append(view)
  return el('slot')
}

function drawClaim({ intent, title, description }: ApprovalRequest): HTMLElement | null {
  const claimed = intent?.text ? drawIntent(intent) : shown(title || description, MAX_CLAIM_LENGTH)
  const label = intent?.text ? 'The page says that this will' : 'The page calls this tool'
  return section(label, el('p', { class: 'claim', id: 'd' }, [claimed]))
}

/** Renders an intent, with values from the arguments marked. */
export function drawIntent({ parts }: RenderedIntent): HTMLElement {
  const sentence = el('bdi')
  let room = MAX_CLAIM_LENGTH
  for (const { type, text } of parts) {
    if (room <= 0) break
    const part = type === 'text' ? shown(text, room, 'span') : el('mark', {}, [shown(text, room)])
    intrinsics.append(sentence, part)
    room -= text.length
  }
  return sentence
}

function drawList(texts: readonly string[]): HTMLElement {
  const list = el('ul')
  for (const text of texts) intrinsics.append(list, shown(text, 500, 'li'))
  return list
}

const section = (label: string, content: Child = null) =>
  el('section', {}, [el('h2', {}, [label]), content])
