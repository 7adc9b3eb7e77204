/** Code and plain text as HTML, with colours. `test/worker/page-links/render.test.ts` has the cases. @module */

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
