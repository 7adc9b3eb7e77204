/**
 * What a browser draws of an element, as a person sees it.
 *
 * @module
 */

interface Drawn {
  readonly left: number
  readonly top: number
  readonly text: string
}

/** Reads an element of one line from left to right: each letter by its place, and each name of a character as a whole. */
export const readDrawn = (root: Element): string =>
  listDrawn(root)
    .toSorted((a, b) => a.left - b.left)
    .map(({ text }) => text)
    .join('')

/** Lists what has ink, with its place in the element: two texts with the same list look the same. */
export function listInk(root: Element): string[] {
  const { left, top } = root.getBoundingClientRect()
  const ink = listDrawn(root).filter(({ text }) => text.trim() !== '')
  return ink
    .map((one) => `${Math.round(one.top - top)} ${Math.round(one.left - left)} ${one.text}`)
    .toSorted()
}

function listDrawn(root: Element): Drawn[] {
  const drawn: Drawn[] = []
  const texts = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.textContent ?? ''
    const isName = /^hidden/.test(node.parentElement?.className ?? '')
    for (let at = 0; at < text.length; at = isName ? text.length : at + 1) {
      const range = root.ownerDocument.createRange()
      range.setStart(node, at)
      range.setEnd(node, isName ? text.length : at + 1)
      const { left, top } = range.getBoundingClientRect()
      drawn.push({ left, top, text: isName ? `[${text}]` : (text[at] ?? '') })
    }
  }
  return drawn
}
