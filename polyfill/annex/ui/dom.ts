/**
 * Drawing: elements made of text, with the platform's own functions, and text that hides nothing.
 *
 * Whatever a page or a model wrote goes in as text. Characters without a form of their own, or that
 * turn text round, stand there by their numbers, so that no line looks like another than it is.
 *
 * @module
 */

import { HIDDEN, numberOf } from '#core/visible.ts'
import { native } from './native.ts'
import { sheetOf } from './style.ts'

export type Child = Node | string | null | undefined

/** An element with attributes and children. */
export function el(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly Child[] = [],
): HTMLElement {
  return fill(native.create(document, name), attributes, children)
}

/**
 * Nodes go straight from one function to the next. Methods and iterators of arrays belong to the
 * page, and would be handed them.
 */
export function fill<T extends HTMLElement>(
  element: T,
  attributes: Readonly<Record<string, string>>,
  children: readonly Child[],
): T {
  for (const key of Object.keys(attributes))
    native.setAttribute(element, key, attributes[key] ?? '')
  for (let i = 0; i < children.length; i++) {
    const child = children[i]
    if (child !== null && child !== undefined) native.append(element, child)
  }
  return element
}

/** A tree that the page cannot reach, with our look, and the element that holds it. */
export function closedTree() {
  const host = native.create(document, 'div')
  const root = native.attachShadow(host, native.bare({ mode: 'closed' }))
  native.adopt(root, [sheetOf()])
  return { host, root }
}

/** Characters that are drawn; of a longer text the rest is counted. */
export const MOST_SHOWN = 50_000

/** What hides in a stranger's text, made visible, and the text set apart from what is round it. */
export function shown(text: string, most = MOST_SHOWN, name = 'bdi'): HTMLElement {
  const element = el(name)
  const kept = native.cut(text, 0, most)
  let at = 0
  HIDDEN.lastIndex = 0
  for (let met = native.find(HIDDEN, kept); met; met = native.find(HIDDEN, kept)) {
    const { 0: found, 1: emoji, index } = met
    if (emoji || found === '\n') continue
    native.append(element, native.cut(kept, at, index), el('i', {}, [numberOf(found)]))
    at = index + found.length
  }
  native.append(element, native.cut(kept, at))
  if (text.length > most)
    native.append(element, el('i', {}, [`${text.length - most} more characters`]))
  return element
}
