/**
 * Lines of a change as HTML that hides nothing: invisible characters are shown by name, and a cut line says
 * how many characters are missing.
 *
 * @module
 */

import type { DiffLine } from '#core/diff/hunks.ts'
import { partsOf } from '#core/diff/layout.ts'
import { joinHtml, markup, type Html } from '../../encoding/html.ts'
import { visibleHtml } from '../../encoding/visible-html.ts'

/**
 * Renders a line with its marks. A `\r` at its end is shown as `CR`, or not at all when every line has one.
 */
export function markedLine(line: DiffLine, withReturns: boolean): Html {
  const text = line.text.endsWith('\r') ? line.text.slice(0, -1) : line.text
  const parts = partsOf(text, line.spans).map(({ text: part, marked, left }) => {
    if (left !== undefined)
      return markup`<span class="cut">${count(left)} characters not shown</span>`
    return marked ? markup`<mark>${visibleHtml(part)}</mark>` : visibleHtml(part)
  })
  if (text !== line.text && withReturns) parts.push(returnNote(line))
  if (line.noNewline) parts.push(markup`<span class="end">no newline at the end</span>`)
  return joinHtml(parts)
}

/** Shows a carriage return at the end of a line, marked if it is part of the change. */
function returnNote({ text, spans }: DiffLine): Html {
  const changed = spans?.some(([, to]) => to === text.length) ?? false
  return changed
    ? markup`<mark><span class="v">CR</span></mark>`
    : markup`<span class="end">CR</span>`
}

/** Formats a number for people: 12,345. */
export function count(number: number): string {
  return number.toLocaleString('en')
}
