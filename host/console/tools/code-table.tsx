/**
 * Highlighted lines of a result: what `_meta.highlight` asks for (mcp4h proposals, section 4).
 *
 * The table comes from a server, so only its texts and the known kinds of its parts are taken; nothing of it becomes
 * markup, style or a link of the console. `test/pages/console/highlight.test.ts` has the cases.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import type { Kind, Token } from '#core/highlight/tokens.ts'

/** Highlighted lines, with their numbers as the server writes them. */
export interface CodeLine {
  readonly number: string
  readonly tokens: readonly Token[]
}

const KINDS: readonly Kind[] = [
  'comment',
  'string',
  'number',
  'keyword',
  'name',
  'title',
  'insert',
  'delete',
]

/** Parses the structured content of a result; null where it has no such table. */
export function parseCode(structured: unknown): readonly CodeLine[] | null {
  const content = isRecord(structured) ? structured['content'] : null
  if (typeof content !== 'string' || !/^(?:<style>[^<]*<\/style>)?<table[ >]/.test(content))
    return null
  const rows = new DOMParser().parseFromString(content, 'text/html').querySelectorAll('tr')
  const lines = [...rows].map((row) => ({
    number: row.cells[0]?.textContent ?? '',
    tokens: tokensOf(row.cells[1]?.querySelector('pre') ?? row.cells[1]),
  }))
  return lines.length > 0 ? lines : null
}

function tokensOf(cell: Element | undefined): readonly Token[] {
  return [...(cell?.childNodes ?? [])].map((node) => {
    const named = node instanceof Element ? node.className : ''
    return [node.textContent ?? '', KINDS.find((kind) => kind === named) ?? null]
  })
}

/** Shows highlighted lines in the colours of the console. */
export function CodeTable({ lines }: { readonly lines: readonly CodeLine[] }) {
  return (
    <div class="plainbox code" tabIndex={0} role="region" aria-label="Content">
      <table>
        <tbody>
          {lines.map(({ number, tokens }, index) => (
            <tr key={index}>
              <td class="codeline">{number}</td>
              <td>
                {tokens.map(([text, kind]) => (kind ? <span class={kind}>{text}</span> : text))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
