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
  const blocks = readList(preview, 'content')
  for (let i = 0; i < blocks.length; i++) {
    const resource = readMember(blocks[i], 'resource')
    const html = readMember(resource, 'text')
    const mime = readMember(resource, 'mimeType')
    if (typeof html === 'string' && typeof mime === 'string' && isHtml(mime))
      return { html, meta: readMember(readMember(resource, '_meta'), 'ui') }
  }
  return null
}

const isHtml = (mime: string) => intrinsics.cut(mime, 0, 9) === 'text/html'

/** Renders a preview as lines; diff lines are coloured. */
export function drawPreview(preview: unknown): HTMLElement {
  const change = readMember(readMember(preview, '_meta'), CHANGE_META) ?? preview
  const hunks = formatHunks(readList(change, 'hunks'))
  const lines = hunks.length > 0 ? hunks : splitLines(formatPreview(preview))
  const isDiff = hunks.length > 0 || hasHunk(lines)
  const drawn = el('pre', { tabindex: '0', dir: 'ltr' })
  for (let i = 0; i < lines.length && i < MAX_LINES; i++) {
    const line = lines[i] ?? ''
    const look = isDiff ? lookOf(line[0]) : ''
    intrinsics.append(drawn, el('span', look ? { class: look } : {}, [shown(line, 2_000)]))
  }
  const more = lines.length - MAX_LINES
  if (more > 0) intrinsics.append(drawn, el('i', {}, [`${more} more lines`]))
  return drawn
}

/** Returns the class of a diff line. */
function lookOf(sign: string | undefined): string {
  if (sign === '+') return 'add'
  if (sign === '-' || sign === '−') return 'cut'
  return sign === '@' ? 'at' : ''
}

function hasHunk(lines: readonly string[]): boolean {
  for (let i = 0; i < lines.length; i++)
    if (intrinsics.cut(lines[i] ?? '', 0, 2) === '@@') return true
  return false
}

/** Creates a list without a prototype, where an assignment would find setters of the page. */
const newLines = () => intrinsics.bare<string[]>([])

/** Splits a text at its line breaks; `split` would read a method of the page from the separator. */
function splitLines(text: string): string[] {
  const lines = newLines()
  let from = 0
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && text[at] !== '\n') continue
    lines[lines.length] = intrinsics.cut(text, from, at)
    from = at + 1
  }
  return lines
}

function formatHunks(hunks: readonly unknown[]): string[] {
  const lines = newLines()
  for (let i = 0; i < hunks.length; i++) {
    lines[lines.length] = `@@ ${readText(hunks[i], 'path')} ${readText(hunks[i], 'newStart')}`
    const inside = readList(hunks[i], 'lines')
    for (let at = 0; at < inside.length; at++)
      lines[lines.length] = `${signOf(inside[at])} ${readText(inside[at], 'text')}`
  }
  return lines
}

function signOf(line: unknown): string {
  const kind = readText(line, 'kind')
  if (kind === 'insert') return '+'
  return kind === 'delete' ? '−' : ' '
}

function formatPreview(preview: unknown): string {
  if (typeof preview === 'string') return preview
  const blocks = readList(preview, 'content')
  let text = ''
  for (let i = 0; i < blocks.length; i++) {
    const next = readMember(blocks[i], 'text')
    if (typeof next === 'string') text += `${text && '\n'}${next}`
  }
  return text === '' ? toJson(preview) : text
}

function toJson(value: unknown): string {
  try {
    return intrinsics.layOut(value) ?? ''
  } catch {
    return 'This cannot be shown.' // cyclic, or with a BigInt
  }
}

/** Reads an own member: a page could put another one on `Object.prototype`. */
const readMember = (value: unknown, key: string): unknown => intrinsics.own(value, key)

function readText(value: unknown, key: string): string {
  const found = readMember(value, key)
  return typeof found === 'string' || typeof found === 'number' ? `${found}` : ''
}

function readList(value: unknown, key: string): readonly unknown[] {
  const found = readMember(value, key)
  return intrinsics.isArray(found) ? found : []
}
