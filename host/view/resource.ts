/**
 * The UI resource of a view: finds its URI in the tool, reads it from the server and checks it.
 *
 * Only `ui://` URIs, only from the view's own server, only HTML. `_meta.ui` is taken as a
 * whole: that of the content if it has any, else that of the resource's entry in the list. What older servers write
 * otherwise is read as what it means, with a warning: `text/html` for the media type of an app, and a host without its
 * scheme.
 *
 * @module
 */

import { readCsp } from '#core/csp.ts'
import { isRecord, isString, recordOf, type JsonRecord } from '#core/json.ts'
import { APP_MIME } from '#core/wire.ts'
import { ViewError } from './errors.ts'
import { label, recordIn } from './json.ts'
import { MAX_HTML, MAX_LIST_PAGES } from './limits.ts'
import type { Declared, Permission, Tool, ViewServer } from './types.ts'

const PERMISSIONS: readonly Permission[] = ['camera', 'microphone', 'geolocation', 'clipboardWrite']

/** A UI resource that has been read and checked. */
export interface Resource {
  readonly html: string
  readonly declared: Declared
  /** What was read as something else, for the log. */
  readonly warnings: readonly string[]
}

const invalid = (message: string) => new ViewError('INVALID_RESOURCE', message)

/**
 * Returns the resource URI of a tool; empty if none. The nested key takes precedence over the older
 * flat one.
 */
export function resourceUriOf(tool: Tool | null): string {
  const uri = recordIn(tool?._meta, 'ui')['resourceUri'] ?? tool?._meta?.['ui/resourceUri']
  return isString(uri) ? uri : (JSON.stringify(uri) ?? '')
}

/** Parses `_meta.ui` of a resource: untrusted input. */
function readDeclared(meta: unknown): Declared {
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

/** Whether the page has a script; without one there is no handshake to wait for. */
export const isApp = ({ html }: Resource) => /<script/i.test(html)

/**
 * Reads a UI resource.
 *
 * @param uri Must begin with `ui://`.
 * @throws {ViewError} `NO_SERVER`, or `INVALID_RESOURCE` if the URI, the media type or the size is not
 *   allowed. Errors of the server are passed on.
 */
export async function readResource(
  server: ViewServer | null,
  uri: string,
  signal: AbortSignal,
): Promise<Resource> {
  if (!server) throw new ViewError('NO_SERVER')
  if (!/^ui:\/\/./.test(uri)) throw invalid(`Invalid UI resource URI: ${uri}`)
  const { contents } = await server.readResource(uri, { signal })
  const content = contentOf(contents.filter(isRecord), uri)
  const ui = recordIn(content, '_meta')['ui'] ?? (await listedUi(server, uri, signal))
  const type = String(content['mimeType'])
  const isOlder = !isAppType(type)
  return createResource(htmlOf(content, uri), ui, isOlder ? [`${type} is read as ${APP_MIME}`] : [])
}

/** Creates a resource from its page and its untrusted `_meta.ui`. */
export function createResource(html: string, ui: unknown, notes: readonly string[] = []): Resource {
  const declared = readDeclared(ui)
  const completed = declared.completed.map((entry) => `${entry} is read as an https origin`)
  return { html, declared, warnings: [...notes, ...completed] }
}

function contentOf(contents: readonly JsonRecord[], uri: string): JsonRecord {
  const named = contents.find((content) => content['uri'] === uri)
  const content = named ?? (contents.length === 1 ? contents[0] : undefined)
  if (content && isPage(content)) return content
  throw invalid(`${uri} is not ${APP_MIME}`)
}

/** Whether it is a page, by its media type or by that of its `_meta.ui`, as the proposal's first draft had it. */
function isPage({ mimeType, _meta }: JsonRecord): boolean {
  const types = [mimeType, recordIn(_meta, 'ui')['mediaType']]
  return types.some((type) => isString(type) && /^text\/html(?:$|;)/i.test(type.trim()))
}

const isAppType = (type: string) => type.replace(/[\s"]/g, '').toLowerCase() === APP_MIME

function htmlOf({ text, blob }: JsonRecord, uri: string): string {
  const html = isString(text) ? text : isString(blob) ? utf8(blob) : ''
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

/**
 * Decodes Base64.
 *
 * @throws {DOMException} If it is not Base64.
 */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** Searches the list, if the content has no `_meta.ui`; a failure counts as nothing declared. */
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
