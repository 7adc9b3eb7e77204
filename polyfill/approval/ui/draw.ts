/**
 * Renders the content of the approval dialog: tool, amount, description, preview, arguments.
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
import { amountIn } from './amount.ts'

const MAX_CLAIM_LENGTH = 2_000
const MAX_AMOUNT_LENGTH = 100

/** Renders the heading: the tool, its origin, and the amount of the call if the intent has one. */
export function drawHead({ tool, title, origin, scopes, intent }: ApprovalRequest): HTMLElement {
  const name = drawName(tool, title)
  const amount = amountIn(intent)
  return el('header', {}, [
    el('h1', { id: 'h' }, scopes ? ['Give ', name, ' more access?'] : ['Allow ', name, '?']),
    amount ? el('p', {}, ['Amount: ', el('b', {}, [shown(amount, MAX_AMOUNT_LENGTH)])]) : null,
    el('p', {}, ['An agent asks to use this tool of ', el('b', {}, [shown(origin, 300)])]),
  ])
}

/** Renders the title of a tool, and its name beside it when that differs. */
export function drawName(tool: string, title: string): HTMLElement {
  const name = shown(tool, 128)
  return !title || title === tool
    ? name
    : el('span', {}, [shown(title, 128), ' (', el('code', {}, [name]), ')'])
}

/** Renders the decision basis. */
export function drawBody(request: ApprovalRequest, preview: HTMLElement | null): HTMLElement {
  const { scopes = [], input } = request
  const args = intrinsics.layOut(intrinsics.parse(input))
  return el('main', {}, [
    drawClaim(request),
    scopes.length > 0 ? section('It asks for', drawList(scopes)) : null,
    preview && section('What would happen', preview),
    args === '{}'
      ? section('It is called without arguments')
      : section('Arguments', el('pre', { tabindex: '0', dir: 'ltr' }, [shown(args)])),
  ])
}

function drawClaim({ intent, title, description }: ApprovalRequest): HTMLElement {
  const draw = (label: string, claim: HTMLElement) =>
    section(label, el('p', { class: 'claim', id: 'd' }, [claim]))
  return intent?.text
    ? draw('The page says that this will', drawIntent(intent))
    : draw('The page calls this tool', shown(description || title, MAX_CLAIM_LENGTH))
}

/** Renders an intent, with values from the arguments marked. */
export function drawIntent({ parts }: RenderedIntent): HTMLElement {
  const sentence = el('bdi')
  let room = MAX_CLAIM_LENGTH
  // The part that did not fit has its mark.
  for (let i = 0; i < parts.length && room >= 0; i++) {
    const given = parts[i]
    if (!given) continue
    const { type, text } = given
    const part = type === 'text' ? shown(text, room, 'span') : el('mark', {}, [shown(text, room)])
    intrinsics.append(sentence, part)
    room -= text.length
  }
  return sentence
}

function drawList(texts: readonly string[]): HTMLElement {
  const list = el('ul')
  for (let i = 0; i < texts.length; i++) intrinsics.append(list, shown(texts[i] ?? '', 500, 'li'))
  return list
}

const section = (label: string, content: Child = null) =>
  el('section', {}, [el('h2', {}, [label]), content])
