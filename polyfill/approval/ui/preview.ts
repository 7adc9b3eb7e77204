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
import { intrinsics } from './intrinsics.ts'

const MAX_LINES = 1_000

const SIGNS: Readonly<Record<string, string>> = { insert: '+', delete: '−' }
const CLASSES: Readonly<Record<string, string>> = { '+': 'add', '−': 'cut', '-': 'cut', '@': 'at' }

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
  if (intrinsics.isNative || !customElements.get('mcp-view')) return null
  for (const block of readList(preview, 'content')) {
    const resource = readMember(block, 'resource')
    const html = readMember(resource, 'text')
    const mime = readMember(resource, 'mimeType')
    if (typeof html === 'string' && typeof mime === 'string' && mime.startsWith('text/html'))
      return { html, meta: readMember(readMember(resource, '_meta'), 'ui') }
  }
  return null
}

/** Renders a preview as lines; diff lines are coloured. */
export function drawPreview(preview: unknown): HTMLElement {
  const change = readMember(readMember(preview, '_meta'), CHANGE_META) ?? preview
  const hunks = readList(change, 'hunks')
  const lines = hunks.length > 0 ? formatHunks(hunks) : formatPreview(preview).split('\n')
  const isDiff = hunks.length > 0 || lines.some((line) => line.startsWith('@@'))
  const drawn = el('pre', { tabindex: '0', dir: 'ltr' })
  for (const line of lines.slice(0, MAX_LINES)) {
    const look = (isDiff && CLASSES[line[0] ?? '']) || ''
    intrinsics.append(drawn, el('span', look ? { class: look } : {}, [shown(line, 2_000)]))
  }
  const more = lines.length - MAX_LINES
  if (more > 0) intrinsics.append(drawn, el('i', {}, [`${more} more lines`]))
  return drawn
}

function formatHunks(hunks: readonly unknown[]): string[] {
  return hunks.flatMap((hunk) => [
    `@@ ${readText(hunk, 'path')} ${readText(hunk, 'newStart')}`,
    ...readList(hunk, 'lines').map(
      (line) => `${SIGNS[readText(line, 'kind')] ?? ' '} ${readText(line, 'text')}`,
    ),
  ])
}

function formatPreview(preview: unknown): string {
  if (typeof preview === 'string') return preview
  const texts = readList(preview, 'content').map((block) => readMember(block, 'text'))
  const text = texts.filter((one) => typeof one === 'string').join('\n')
  return text === '' ? toJson(preview) : text
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? ''
  } catch {
    return 'This cannot be shown.' // cyclic, or with a BigInt
  }
}

function readMember(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function readText(value: unknown, key: string): string {
  const found = readMember(value, key)
  return typeof found === 'string' || typeof found === 'number' ? `${found}` : ''
}

function readList(value: unknown, key: string): readonly unknown[] {
  const found = readMember(value, key)
  return Array.isArray(found) ? found : []
}
