/**
 * Creates DOM elements with properties and children, reads attributes and tests the focus. Strings are
 * set as text, never as HTML.
 *
 * @module
 */

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

/** Creates a button. */
export function button(
  text: string,
  onclick: (event: MouseEvent) => void,
  ariaLabel = text,
): HTMLButtonElement {
  return make('button', { ariaLabel, onclick }, text)
}

/** Reads an attribute as a positive number, or returns the default. */
export function numberAttribute(element: Element, name: string, otherwise: number): number {
  const value = Number(element.getAttribute(name))
  return value > 0 ? value : otherwise
}

/** Returns the element that has the focus, inside of open shadow trees as well. */
function focused(root: Document | ShadowRoot = document): Element | null {
  const { activeElement } = root
  return activeElement?.shadowRoot?.activeElement
    ? focused(activeElement.shadowRoot)
    : activeElement
}

/**
 * Reports whether an element can get the focus, which afterwards is where it was. A modal dialog that does
 * not contain the element keeps it away, even one in a closed shadow tree, which no selector finds.
 */
export function canFocus(element: HTMLElement): boolean {
  const before = focused()
  element.focus({ preventScroll: true })
  const isFocused = focused() === element
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return isFocused
}
