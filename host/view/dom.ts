/**
 * Creates DOM elements with properties and children, and reads attributes. Strings are set as text,
 * never as HTML.
 *
 * @module
 */

import { MAX_NUMBER } from './limits.ts'

/** Creates an element. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

export function button(
  text: string,
  onclick: (event: MouseEvent) => void,
  ariaLabel = text,
): HTMLButtonElement {
  return make('button', { ariaLabel, onclick }, text)
}

/** Reads an attribute as a positive number of at most {@link MAX_NUMBER}, or returns the default. */
export function numberAttribute(element: Element, name: string, otherwise: number): number {
  const value = Number(element.getAttribute(name))
  return value > 0 ? Math.min(value, MAX_NUMBER) : otherwise
}
