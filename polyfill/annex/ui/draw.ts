/**
 * The question as it is drawn: who asks, what the page claims, what the call really brings along.
 *
 * What the page says of a call stands apart as its claim, with everything marked that came in with
 * the call, because a page may say anything. The arguments stand below as they will run.
 *
 * @module
 */

import type { RenderedIntent } from '#core/intent/render.ts'
import type { ApprovalRequest } from '../approver.ts'
import { el, shown, type Child } from './dom.ts'
import { native } from './native.ts'
import { drawPreview, pageIn } from './preview.ts'

const MOST_CLAIMED = 2_000

/** The head of the dialog. */
export function drawHead({ tool, origin, scopes }: ApprovalRequest): HTMLElement {
  const name = shown(tool, 128)
  return el('header', {}, [
    el('h1', { id: 'h' }, scopes ? ['Give ', name, ' more access?'] : ['Allow ', name, '?']),
    el('p', {}, ['An agent asks to use this tool of ', el('b', {}, [shown(origin, 300)])]),
  ])
}

/** What the person decides on; `page` is where a page of the tool's own appears. */
export function drawBody(request: ApprovalRequest, page: HTMLElement | null): HTMLElement {
  const { preview, scopes = [], input } = request
  const args = native.layOut(input)
  return el('main', {}, [
    claimOf(request),
    scopes.length > 0 ? section('It asks for', listOf(scopes)) : null,
    preview === undefined ? null : section('What would happen', page ?? drawPreview(preview)),
    args === '{}'
      ? section('It is called without arguments')
      : section('Arguments', el('pre', { tabindex: '0', dir: 'ltr' }, [shown(args)])),
  ])
}

/** The frame for the page that a preview brings along, if it does. It stands in the page's own tree. */
export function viewFor({ preview }: ApprovalRequest, host: HTMLElement): HTMLElement | null {
  const page = pageIn(preview)
  if (!page) return null
  const view = el('mcp-view')
  Object.assign(view, { html: page.html, resourceMeta: page.meta, displayModes: ['inline'] })
  host.append(view)
  return el('slot')
}

function claimOf({ intent, title, description }: ApprovalRequest): HTMLElement | null {
  const claimed = intent?.text ? drawIntent(intent) : shown(title || description, MOST_CLAIMED)
  const label = intent?.text ? 'The page says that this will' : 'The page calls this tool'
  return section(label, el('p', { class: 'claim', id: 'd' }, [claimed]))
}

/** The sentence, with what came in with the call set apart from the author's words. */
export function drawIntent({ parts }: RenderedIntent): HTMLElement {
  const sentence = el('bdi')
  let room = MOST_CLAIMED
  for (const { type, text } of parts) {
    if (room <= 0) break
    const part = type === 'text' ? shown(text, room, 'span') : el('mark', {}, [shown(text, room)])
    native.append(sentence, part)
    room -= text.length
  }
  return sentence
}

function listOf(texts: readonly string[]): HTMLElement {
  const list = el('ul')
  for (const text of texts) native.append(list, shown(text, 500, 'li'))
  return list
}

const section = (label: string, content: Child = null) =>
  el('section', {}, [el('h2', {}, [label]), content])
