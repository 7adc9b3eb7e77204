/**
 * The lines that a text takes in a width: an element that is not visible lays it out with the fonts that the person's
 * browser has. `test/host/console/drawn-lines.test.ts` has cases.
 *
 * @module
 */

/** A font as CSS writes it, such as `600 21px system-ui`. */
export type Font = `${string}px ${string}`

/** Characters that are laid out. They fill more lines than any frame shows. */
const MAX_CHARS = 20_000

/** Line height of the hidden elements in pixels, more than any of the fonts needs. */
const LINE_PX = 100

/** Counts the lines of each text in a font and a width in pixels. An empty text takes one line. */
export function countLines(texts: readonly string[], font: Font, width: number): readonly number[] {
  const place = document.createElement('div')
  place.style.cssText = `position: absolute; visibility: hidden; width: ${width}px; font: ${font}; line-height: ${LINE_PX}px; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4`
  const elements = texts.map((text) => {
    const element = document.createElement('div')
    element.textContent = text.slice(0, MAX_CHARS)
    return element
  })
  place.append(...elements)
  document.body.append(place)
  const lines = elements.map(({ offsetHeight }) => Math.max(Math.round(offsetHeight / LINE_PX), 1))
  place.remove()
  return lines
}
