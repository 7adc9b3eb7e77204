/** Shows JSON with colours; long JSON is cut, and can be copied in full. @module */

import { HIDDEN } from '#core/visible.ts'
import { Copy } from './copy.tsx'
import { formatBytes } from './format.ts'

/** Most characters that are shown. */
const MAX_LENGTH = 60_000

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Shows a value as JSON, with a copy button. */
export function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = escapeHidden(JSON.stringify(value, null, 2) ?? 'undefined')
  const shown = text.slice(0, MAX_LENGTH)
  return (
    <div class="snippet json">
      <pre tabIndex={0} role="region" aria-label={label}>
        {colourTokens(shown)}
        {text.length > MAX_LENGTH &&
          `\n… ${formatBytes(text.length - MAX_LENGTH)} more; copy to get all of it`}
      </pre>
      <Copy text={text} />
    </div>
  )
}

/**
 * Escapes characters that could be invisible. The remaining raw line breaks are those of the
 * formatting.
 */
const escapeHidden = (json: string) =>
  json.replace(HIDDEN, (found, emoji?: string) =>
    found === '\n' ? found : (emoji ?? escapeUnits(found)),
  )

const escapeUnits = (text: string) =>
  text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

function colourTokens(text: string) {
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
