/**
 * DOM construction with captured platform functions, and visible rendering of hidden characters.
 *
 * Text of a page or a model is inserted as text. Invisible characters and those that change the
 * text direction are shown as their code points, so that no line looks different from what it is.
 *
 * @module
 */

import { HIDDEN } from '#core/visible.ts'
import { intrinsics } from './intrinsics.ts'
import { CSS, newSheet } from './style.ts'

/** A child of an element; null and undefined are skipped. */
export type Child = Node | string | null | undefined

/** Creates an element with attributes and children. */
export function el(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly Child[] = [],
): HTMLElement {
  return fill(intrinsics.create(document, name), attributes, children)
}

/**
 * Sets attributes and appends children.
 *
 * An index loop passes the nodes on directly: a page can replace array methods and iterators, which
 * would then receive the nodes.
 */
export function fill<T extends HTMLElement>(
  element: T,
  attributes: Readonly<Record<string, string>>,
  children: readonly Child[],
): T {
  const names = intrinsics.keys(attributes)
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? ''
    intrinsics.setAttribute(element, name, attributes[name] ?? '')
  }
  for (let i = 0; i < children.length; i++) {
    const child = children[i]
    if (child !== null && child !== undefined) intrinsics.append(element, child)
  }
  return element
}

/** Gives a list an iterator of its own, with which the browser reads a sequence. */
export function toSequence<T>(list: T[]): T[] {
  const { bare, defineProperty, iterator } = intrinsics
  let at = 0
  const next = () =>
    at < list.length ? bare({ done: false, value: list[at++] }) : bare({ done: true })
  defineProperty(list, iterator, bare({ value: () => bare({ next }) }))
  return list
}

/**
 * Creates a closed shadow tree with the style sheet and an empty one, and the element that hosts
 * it.
 *
 * @param place The document that shows it.
 */
export function closedTree(place = document) {
  const host = intrinsics.create(place, 'div')
  const root = intrinsics.attachShadow(host, intrinsics.bare({ mode: 'closed' }))
  const sheet = newSheet(place, '')
  intrinsics.adopt(root, toSequence([newSheet(place, CSS), sheet]))
  return { host, root, sheet, place }
}

/** Formats the code point of a character, such as `U+200B`. */
function numberOf(char: string): string {
  let digits = ''
  for (let code = intrinsics.codeOf(char, 0) ?? 0; code > 0 || digits.length < 4; code >>= 4)
    digits = `${'0123456789ABCDEF'[code & 15]}${digits}`
  return `U+${digits}`
}

/** Maximum number of characters of a text that are drawn; the number of the others is shown. */
export const MAX_SHOWN = 50_000

/**
 * Renders untrusted text with hidden characters made visible, isolated in its text direction.
 *
 * @param most Characters that are drawn.
 * @param name The element; `bdi` by default.
 */
export function shown(text: string, most = MAX_SHOWN, name = 'bdi'): HTMLElement {
  const element = el(name)
  const kept = intrinsics.cut(text, 0, most)
  let at = 0
  HIDDEN.lastIndex = 0
  for (let met = intrinsics.find(HIDDEN, kept); met; met = intrinsics.find(HIDDEN, kept)) {
    const { 0: found, 1: emoji, index } = met
    if (emoji || found === '\n') continue
    intrinsics.append(element, intrinsics.cut(kept, at, index), el('i', {}, [numberOf(found)]))
    at = index + found.length
  }
  intrinsics.append(element, intrinsics.cut(kept, at))
  if (text.length > most)
    intrinsics.append(element, el('i', {}, [`${text.length - most} more characters`]))
  return element
}
