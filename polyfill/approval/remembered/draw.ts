/**
 * Draws the rows of `<webmcp-approvals>`, as text with hidden characters made visible.
 *
 * @module
 */

import { HIDDEN, numberOf } from '#core/visible.ts'
import { SITE } from '../approval-store.ts'
import type { Listed, Row } from './rows.ts'

/** Maximum number of characters of a tool's name that are drawn. */
const MAX_NAME_LENGTH = 128

const RULE = '1px solid color-mix(in srgb,currentColor 25%,transparent)'

/** The style. Font, colours and light or dark are those of the page around the element. */
export const CSS = `
:host{display:block;overflow-wrap:anywhere}
:host([hidden]){display:none}
*{box-sizing:border-box;margin:0}
ul{list-style:none;padding:0;margin:12px 0;border-bottom:${RULE}}
li{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;padding:10px 0;border-top:${RULE}}
div{flex:1 1 200px;min-width:0}
b{font-weight:600}
li p,section p{font-size:.875em;color:color-mix(in srgb,currentColor 75%,transparent)}
i{font:11px/1 monospace;border:1px solid;border-radius:4px;padding:0 3px;margin:0 1px;white-space:nowrap}
button{font:inherit;font-weight:550;color:inherit;background:none;border:1px solid color-mix(in srgb,currentColor 45%,transparent);border-radius:8px;padding:6px 14px;min-height:40px;cursor:pointer}
section{display:grid;gap:8px;justify-items:start;margin-top:20px}
label{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:center}
select{font:inherit;min-height:40px;padding:0 8px;border-radius:8px;max-width:100%}
section button{margin-top:12px}
[aria-disabled=true]{opacity:.6}
button:hover{background:color-mix(in srgb,currentColor 8%,transparent)}
:focus-visible{outline:2px solid;outline-offset:2px}
p:focus{outline:none}
`

type Forget = (tool?: string) => Promise<void>

/** Replaces the content. The focus stays at its place in the list, or goes to the first sentence. */
export function draw(
  root: ShadowRoot,
  place: HTMLElement,
  { rows, more, isComplete }: Listed,
  forget: Forget,
): void {
  const before = [...place.querySelectorAll('button')].findIndex(
    (one) => one === root.activeElement,
  )
  const state = el('p', { role: 'status', tabindex: '-1' }, [describe(rows, isComplete)])
  const list = el(
    'ul',
    { part: 'list' },
    rows.map((row) => drawRow(row, forget)),
  )
  const all = button('Ask again for all', {}, () => forget())
  place.replaceChildren(
    state,
    ...(rows.length > 0 ? [list] : []),
    ...(more > 0 ? [el('p', {}, [`${more} more tools are not shown.`])] : []),
    ...(rows.length > 1 ? [all] : []),
  )
  if (before === -1) return
  const buttons = place.querySelectorAll('button')
  const next = buttons[Math.min(before, buttons.length - 1)] ?? state
  next.focus()
}

function describe({ length }: readonly Row[], isComplete: boolean): string {
  const fault = isComplete ? '' : 'The approvals that this browser stores cannot be read. '
  if (length > 0)
    return `${fault}You allowed these tools for later calls too. A notice shows each call.`
  return fault || 'No approval is remembered. Tools that need one ask each time.'
}

function drawRow({ tool, at, until }: Row, forget: Forget): HTMLElement {
  const end = until === 'page' ? 'this page closes' : drawTime(until)
  const title = tool === SITE ? 'All tools of this site' : tool
  const name = el('b', {}, [drawText(title)])
  const times = el('p', {}, ['Since ', drawTime(at), ', until ', end])
  const again = button('Ask again', { 'aria-label': `Ask again: ${nameOf(title)}` }, () =>
    forget(tool),
  )
  return el('li', {}, [el('div', {}, [name, times]), again])
}

/** Formats a time in the language of the browser. */
function drawTime(time: number | null): HTMLElement | string {
  if (time === null) return 'an unknown time'
  const date = new Date(time)
  const text = date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  return el('time', { datetime: date.toISOString() }, [text])
}

/** Renders a name with hidden characters as their code points, as the dialog does. */
function drawText(text: string): HTMLElement {
  const kept = text.slice(0, MAX_NAME_LENGTH)
  const drawn = el('bdi')
  let at = 0
  for (const { 0: found, 1: emoji, index } of kept.matchAll(HIDDEN)) {
    if (emoji) continue
    drawn.append(kept.slice(at, index), el('i', {}, [numberOf(found)]))
    at = index + found.length
  }
  drawn.append(kept.slice(at))
  const more = text.length - kept.length
  if (more > 0) drawn.append(el('i', {}, [`${more} more characters`]))
  return drawn
}

/** Formats the same for an attribute. */
const nameOf = (text: string) => drawText(text).textContent

export function button(
  label: string,
  attributes: Readonly<Record<string, string>>,
  press: (event: Event) => Promise<void>,
): HTMLElement {
  const made = el('button', { type: 'button', part: 'button', ...attributes }, [label])
  made.addEventListener('click', (event) => void press(event))
  return made
}

/** Creates an element. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}
