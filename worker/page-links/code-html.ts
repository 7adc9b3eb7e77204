/** Code, plain text and rows of values as HTML. `test/worker/page-links/render.test.ts` has the cases. @module */

import { findLanguage } from '#core/highlight/languages.ts'
import { createTokenizer } from '#core/highlight/tokens.ts'
import { Html, joinHtml, markup } from '../encoding/html.ts'

/** Renders lines with the colours of a language, which a file name or an ending tells. */
export function codeHtml(lines: readonly string[], name: string): Html {
  const language = findLanguage(name)
  const tokenize = language && createTokenizer(language)
  let state = 0
  const rows = lines.map((line) => {
    const found = tokenize?.(line, state)
    state = found?.state ?? 0
    const tokens = found?.tokens ?? [[line, null] as const]
    return joinHtml(
      tokens.map(([text, kind]) =>
        kind ? markup`<span class="${`t-${kind}`}">${text}</span>` : markup`${text}`,
      ),
    )
  })
  return Html.trusted(rows.join('\n'))
}

/** Renders code as a block that can be scrolled by keyboard. */
export const codeBlock = (lines: readonly string[], name: string): Html =>
  joinHtml([CODE, codeHtml(lines, name), Html.trusted('</code></pre>')])

const CODE = Html.trusted('<pre tabindex="0" role="region" aria-label="Code"><code>')

/** Renders text as it is, with its lines broken where the page ends. */
export const plainBlock = (lines: readonly string[]): Html =>
  markup`<pre class="plain" dir="auto">${lines.join('\n')}</pre>`

/** Maximum number of characters of a value; the rest is in the download. */
const MAX_VALUE = 5_000

const shorten = (text: string) => (text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text)

/** Renders a table, of which the first row is the head. */
export function tableHtml(head: readonly string[], rows: readonly (readonly string[])[]): Html {
  const columns = Math.max(head.length, ...rows.map(({ length }) => length))
  const cells = (row: readonly string[], cell: (text: string) => Html) =>
    Array.from({ length: columns }, (_, column) => cell(shorten(row[column] ?? '')))
  return markup`<div class="wide" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${cells(
    head,
    (text) => markup`<th scope="col">${text}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) => markup`<tr>${cells(row, (text) => markup`<td dir="auto">${text}</td>`)}</tr>`,
  )}</tbody></table></div>`
}
