/**
 * DOM construction of the panel: text is inserted as text, and bounded.
 *
 * @module
 */

/** Maximum number of characters of a text that are drawn. */
const MAX_TEXT_LENGTH = 20_000

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

/** Formats a value as JSON, cut to what is drawn; a text stays as it is. */
export function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : (toJson(value) ?? String(value))
  const more = text.length - MAX_TEXT_LENGTH
  return more > 0 ? `${text.slice(0, MAX_TEXT_LENGTH)} … ${more} more characters` : text
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, null, 2)
  } catch {
    return undefined // cyclic, or with a BigInt
  }
}

/** Draws a labelled block of code. */
export const code = (label: string, value: unknown): HTMLElement =>
  el('figure', {}, [el('figcaption', {}, [label]), el('pre', { tabindex: '0' }, [toText(value)])])
