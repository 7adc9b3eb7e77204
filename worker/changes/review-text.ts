/**
 * Text of a change as HTML in which nothing hides: characters without a form stand there by their
 * names, and a line that was cut says how much of it is missing.
 *
 * @module
 */

import type { DiffLine } from '#core/diff/hunks.ts'
import { partsOf } from '#core/diff/parts.ts'
import { visiblePieces } from '#core/visible.ts'
import { joinHtml, markup, type Html } from './review-html.ts'

/** Text in which nothing is hidden. */
export function visibleHtml(text: string): Html {
  const pieces = visiblePieces(text)
  return joinHtml(
    pieces.map((piece) =>
      typeof piece === 'string' ? markup`${piece}` : markup`<span class="v">${piece.name}</span>`,
    ),
  )
}

/** A line with its marks. A `\r` at its end stays quiet, or away where the whole file has them. */
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

/** A carriage return at the end of a line, marked where it is what changed. */
function returnNote({ text, spans }: DiffLine): Html {
  const changed = spans?.some(([, to]) => to === text.length) ?? false
  return changed
    ? markup`<mark><span class="v">CR</span></mark>`
    : markup`<span class="end">CR</span>`
}

/** A number as people write it: 12,345. */
export function count(number: number): string {
  return number.toLocaleString('en')
}
