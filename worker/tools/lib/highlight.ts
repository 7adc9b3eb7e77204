/**
 * Lines as an HTML table with syntax colours, for hosts that ask for it with `_meta.highlight` (mcp4h proposals,
 * section 4). It is loaded late, because few hosts do.
 *
 * Everything from the file is escaped, so that nothing in it can act as markup. The table brings its own style, for light
 * and dark pages; a host that sets the `--mcp-` variables of the proposals gets its own colours.
 * `test/worker/tools/highlight.test.ts` has the cases.
 *
 * @module
 */

import { findLanguage } from '#core/highlight/languages.ts'
import { createTokenizer, type Kind, type Token, type Tokenizer } from '#core/highlight/tokens.ts'

/** A style variable of the proposals, and the colours on light and dark pages where a host does not set it. */
type Colour = readonly [variable: string, light: string, dark: string]

const TEXT: Colour = ['color-fg', '#1b1f26', '#e4e7ec']
const BACKGROUND: Colour = ['color-bg', '#fff', '#14171c']

const COLOURS: Readonly<Record<Kind | 'line-number', Colour>> = {
  'line-number': ['color-muted-fg', '#646d79', '#919ba8'],
  comment: ['syntax-comment', '#646d79', '#919ba8'],
  string: ['syntax-string', '#12693a', '#66d091'],
  number: ['syntax-number', '#7d4e00', '#e8bc56'],
  keyword: ['syntax-keyword', '#1a56c4', '#8ab4ff'],
  name: ['syntax-entity', '#7b2fa8', '#d3a1f5'],
  title: ['syntax-tag', '#1a56c4', '#8ab4ff'],
  insert: ['color-success', '#12693a', '#66d091'],
  delete: ['color-danger', '#b3261e', '#ff968d'],
}

const valueOf = ([variable, light, dark]: Colour) =>
  `var(--mcp-${variable},light-dark(${light},${dark}))`

const RULES = Object.entries(COLOURS).map(
  ([kind, colour]) => `.code .${kind}{color:${valueOf(colour)}}`,
)

const STYLE = `<style>.code{color:${valueOf(TEXT)};background:${valueOf(BACKGROUND)}}${RULES.join('')}</style>`

/** Converts numbered lines of a file, each `N: text`, to a table with a row for each. */
export function tableOfLines(content: string, name: string): string {
  const language = findLanguage(name)
  const tokenize = language && createTokenizer(language)
  const rows = content === '' ? [] : rowsOf(content.split('\n'), tokenize)
  return `${STYLE}<table class="code"><tbody>${rows.join('')}</tbody></table>`
}

/** A page is highlighted from its first line on: one that begins inside a long comment is a guess. */
function rowsOf(lines: readonly string[], tokenize: Tokenizer | null): string[] {
  let at = 0
  return lines.map((line) => {
    const colon = line.indexOf(': ')
    const [number, text] = [line.slice(0, colon), line.slice(colon + 2)]
    const { tokens, state } = tokenize?.(text, at) ?? { tokens: [[text, null] as const], state: 0 }
    at = state
    return `<tr><td class="line-number">${number}</td><td class="line"><pre>${tokens.map(markUp).join('')}</pre></td></tr>`
  })
}

function markUp([text, kind]: Token): string {
  return kind ? `<span class="${kind}">${escape(text)}</span>` : escape(text)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escape = (text: string) => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
