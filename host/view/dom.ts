/**
 * Elements made with their properties and children. What a property or a child brings is text, never HTML.
 *
 * @module
 */

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
