/** Rows of values as an HTML table. `test/worker/page-links/render.test.ts` has the cases. @module */

import { markup, type Html } from '../encoding/html.ts'

/** Renders a table, of which the first row is the head. */
export function tableHtml(head: readonly string[], rows: readonly (readonly string[])[]): Html {
  const columns = Math.max(head.length, ...rows.map(({ length }) => length))
  const cells = (row: readonly string[], cell: (text: string) => Html) =>
    Array.from({ length: columns }, (_, column) => cell(row[column] ?? ''))
  return markup`<div class="wide" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${cells(
    head,
    (text) => markup`<th scope="col">${text}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) => markup`<tr>${cells(row, (text) => markup`<td dir="auto">${text}</td>`)}</tr>`,
  )}</tbody></table></div>`
}
