/**
 * DOM functions of the playground.
 *
 * @module
 */

/** Returns an element of the page. */
export function find(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`Cannot find #${id}`)
  return found
}

/** Creates an element with attributes and children. */
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

/** Formats what a tool returned. */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)
