/**
 * The resource of a view: where a tool names it, what its server answers, and what that may be.
 *
 * Only `ui://`, only from the view's own server, only the one media type. What `_meta.ui` declares
 * counts as a whole: that of the content if it has any, else that of the resource's entry in the list.
 *
 * @module
 */

import { readCsp } from '#core/csp.ts'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { Fault } from './fault.ts'
import { isText, label, recordIn } from './json.ts'
import { MAX_HTML, MAX_LIST_PAGES } from './limits.ts'
import type { Declared, Permission, Tool, ViewServer } from './types.ts'

const APP_MIME = 'text/html;profile=mcp-app'

const PERMISSIONS: readonly Permission[] = ['camera', 'microphone', 'geolocation', 'clipboardWrite']

export interface Resource {
  readonly html: string
  readonly declared: Declared
}

const invalid = (message: string) => new Fault('INVALID_RESOURCE', message)

/** The address that a tool gives, empty for none. The nested key wins over the older, flat one. */
export function resourceUriOf(tool: Tool | null): string {
  const uri = recordIn(tool?._meta, 'ui')['resourceUri'] ?? tool?._meta?.['ui/resourceUri']
  return isText(uri) ? uri : (JSON.stringify(uri) ?? '')
}

/** Reads `_meta.ui` of a resource, as a stranger wrote it. */
export function readDeclared(meta: unknown): Declared {
  const ui = recordOf(meta)
  const granted = PERMISSIONS.filter((name) => isRecord(recordIn(ui, 'permissions')[name]))
  const border = ui['prefersBorder']
  return {
    ...readCsp(ui['csp']),
    permissions: Object.fromEntries(granted.map((name) => [name, {}])),
    domain: label(ui['domain']) ?? undefined,
    prefersBorder: typeof border === 'boolean' ? border : undefined,
  }
}

/** A page without a script says nothing, so nobody has to wait for it. */
export const isApp = ({ html }: Resource) => /<script/i.test(html)

export async function readResource(
  server: ViewServer | null,
  uri: string,
  signal: AbortSignal,
): Promise<Resource> {
  if (!server) throw new Fault('NO_SERVER')
  if (!/^ui:\/\/./.test(uri)) throw invalid(`Invalid UI resource URI: ${uri}`)
  const { contents } = await server.readResource(uri, { signal })
  const content = contentOf(contents.filter(isRecord), uri)
  const ui = recordIn(content, '_meta')['ui'] ?? (await listedUi(server, uri, signal))
  return { html: htmlOf(content, uri), declared: readDeclared(ui) }
}

function contentOf(contents: readonly JsonRecord[], uri: string): JsonRecord {
  const named = contents.find((content) => content['uri'] === uri)
  const content = named ?? (contents.length === 1 ? contents[0] : undefined)
  if (content?.['mimeType'] === APP_MIME) return content
  throw invalid(`${uri} is not ${APP_MIME}`)
}

function htmlOf({ text, blob }: JsonRecord, uri: string): string {
  const html = isText(text) ? text : isText(blob) ? utf8(blob) : ''
  if (html.trim() && html.length <= MAX_HTML) return html
  throw invalid(`${uri} is empty or too long`)
}

function utf8(base64: string): string {
  try {
    return new TextDecoder().decode(bytesOf(base64))
  } catch {
    return ''
  }
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** The list is asked only where the content says nothing, and its failure leaves nothing declared. */
async function listedUi(
  server: ViewServer,
  uri: string,
  signal: AbortSignal,
  params = {},
  page = 1,
): Promise<unknown> {
  const list = await server.request?.('resources/list', params, { signal }).catch(() => null)
  const { resources, nextCursor: cursor } = recordOf(list)
  const entries = Array.isArray(resources) ? resources.filter(isRecord) : []
  const entry = entries.find((each) => each['uri'] === uri)
  if (entry || !cursor || page >= MAX_LIST_PAGES) return recordIn(entry, '_meta')['ui']
  return listedUi(server, uri, signal, { cursor }, page + 1)
}
