/** JSON as text with a little colour. What is long is cut, and can be copied whole. @module */

import { Copy } from './copy.tsx'
import { bytes } from '../state/format.ts'

/** Characters that are drawn; the rest can be copied. */
const MOST = 60_000

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

export function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = JSON.stringify(value, null, 2) ?? 'undefined'
  const shown = text.slice(0, MOST)
  return (
    <div class="snippet json">
      <pre tabIndex={0} role="region" aria-label={label}>
        {coloured(shown)}
        {text.length > MOST && `\n… ${bytes(text.length - MOST)} more; copy to see all`}
      </pre>
      <Copy text={text} />
    </div>
  )
}

function coloured(text: string) {
  const parts = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) parts.push(text.slice(end, match.index))
    const [whole, quoted, colon = ''] = match
    if (quoted === undefined) parts.push(<span class="value">{whole}</span>)
    else parts.push(<span class={colon ? 'key' : 'text'}>{quoted}</span>, colon)
    end = match.index + whole.length
  }
  parts.push(text.slice(end))
  return parts
}
