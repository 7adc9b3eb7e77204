/**
 * Renders a preview: text, diff lines, or an HTML page of the tool.
 *
 * A preview comes from the page or a server and is untrusted: it is read field by field, drawn as
 * text and bounded. HTML is shown only by `<mcp-view>`, in a sandbox, where the page has that
 * element.
 *
 * @module
 */

import { CHANGE_META } from '#core/wire.ts'
import { el, shown } from './dom.ts'
import { native } from './native.ts'

const MOST_LINES = 1_000

const SIGNS: Readonly<Record<string, string>> = { insert: '+', delete: '−' }
const LOOKS: Readonly<Record<string, string>> = { '+': 'add', '−': 'cut', '-': 'cut', '@': 'at' }

/** An HTML page for `<mcp-view>`. */
export interface PreviewPage {
  readonly html: string
  readonly meta: unknown
}

/**
 * Returns the HTML page of a preview, if `<mcp-view>` is defined. Null where the browser has
 * WebMCP: it would treat the load of the frame as the end of its call.
 */
export function pageIn(preview: unknown): PreviewPage | null {
  if (native.isNative || !customElements.get('mcp-view')) return null
  for (const block of list(preview, 'content')) {
    const resource = at(block, 'resource')
    const html = at(resource, 'text')
    const mime = at(resource, 'mimeType')
    if (typeof html === 'string' && typeof mime === 'string' && mime.startsWith('text/html'))
      return { html, meta: at(at(resource, '_meta'), 'ui') }
  }
  return null
}

/** Renders a preview as lines; diff lines are coloured. */
export function drawPreview(preview: unknown): HTMLElement {
  const change = at(at(preview, '_meta'), CHANGE_META) ?? preview
  const hunks = list(change, 'hunks')
  const lines = hunks.length > 0 ? linesOf(hunks) : textOf(preview).split('\n')
  const isDiff = hunks.length > 0 || lines.some((line) => line.startsWith('@@'))
  const drawn = el('pre', { tabindex: '0', dir: 'ltr' })
  for (const line of lines.slice(0, MOST_LINES)) {
    const look = (isDiff && LOOKS[line[0] ?? '']) || ''
    native.append(drawn, el('span', look ? { class: look } : {}, [shown(line, 2_000)]))
  }
  const more = lines.length - MOST_LINES
  if (more > 0) native.append(drawn, el('i', {}, [`${more} more lines`]))
  return drawn
}

function linesOf(hunks: readonly unknown[]): string[] {
  return hunks.flatMap((hunk) => [
    `@@ ${word(hunk, 'path')} ${word(hunk, 'newStart')}`,
    ...list(hunk, 'lines').map(
      (line) => `${SIGNS[word(line, 'kind')] ?? ' '} ${word(line, 'text')}`,
    ),
  ])
}

function textOf(preview: unknown): string {
  if (typeof preview === 'string') return preview
  const texts = list(preview, 'content').map((block) => at(block, 'text'))
  const text = texts.filter((one) => typeof one === 'string').join('\n')
  return text === '' ? jsonOf(preview) : text
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? ''
  } catch {
    return 'This cannot be shown.' // cyclic, or with a BigInt
  }
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function word(value: unknown, key: string): string {
  const found = at(value, key)
  return typeof found === 'string' || typeof found === 'number' ? `${found}` : ''
}

function list(value: unknown, key: string): readonly unknown[] {
  const found = at(value, key)
  return Array.isArray(found) ? found : []
}
