/**
 * Handles the requests of an app, by method. All other methods are unknown.
 *
 * @module
 */

import { isRecord, isString, type JsonRecord } from '#core/json.ts'
import { download } from './downloads.ts'
import { invalid, notFound, refused } from './errors.ts'
import { askPage, emitOwnLog } from './events.ts'
import { readMode } from './handshake.ts'
import { askServer, callTool, listTools } from './tools.ts'
import type { DisplayMode, ViewHost } from './types.ts'

type Handler = (view: ViewHost, params: JsonRecord, signal: AbortSignal) => unknown

const HANDLERS = new Map<string, Handler>([
  ['ui/open-link', openLink],
  ['ui/message', sendMessage],
  ['ui/update-model-context', updateContext],
  ['ui/request-display-mode', changeMode],
  ['ui/download-file', download],
  ['tools/call', callTool],
  ['tools/list', listTools],
  ['resources/read', readResource],
])

/** Methods forwarded to the server, if the page implements `request`. */
const FORWARDED =
  /^(?:resources\/list|resources\/templates\/list|prompts\/list|sampling\/createMessage)$/

/**
 * Members that an app may not set. The user gives grants, and the page says who asked for a policy. The client writes its progress tokens, and under
 * the prefix of MCP what it declares about itself, such as a configuration; the client of the SDK lets
 * those of a request replace its own.
 */
const OF_PAGE =
  /^(?:granted_scopes$|allowed_scopes$|progressToken$|dev\.edgewise\/requester$|io\.modelcontextprotocol\/)/

/** Returns the params without the members of `_meta` that an app may not set, or without an invalid `_meta`. */
function cleanMetadata({ _meta, ...params }: JsonRecord): JsonRecord {
  if (!isRecord(_meta)) return params
  const kept = Object.entries(_meta).filter(([name]) => !OF_PAGE.test(name))
  return { ...params, _meta: Object.fromEntries(kept) }
}

/**
 * Handles a request of an app after its `ui/initialize`.
 *
 * @param given Params: untrusted input; each handler checks what it uses.
 * @throws {ViewError} With a JSON-RPC code for the app. Errors of the server are passed on.
 */
export async function handleRequest(
  view: ViewHost,
  method: string,
  given: JsonRecord,
  signal: AbortSignal,
): Promise<unknown> {
  const params = cleanMetadata(given)
  const handler = HANDLERS.get(method)
  if (handler) return handler(view, params, signal)
  const { server, hostCapabilities } = view
  // Sampling is forwarded only if the page declares it as a capability.
  const isForwarded =
    FORWARDED.test(method) && (method[0] !== 's' || isRecord(hostCapabilities['sampling']))
  if (!isForwarded || !server?.request) throw notFound(method)
  const request = server.request.bind(server, method, params)
  return askServer(view, signal, (_, options) => request(options))
}

const DENIED = { isError: true }

/**
 * Opens http, https and mailto links only. A URL with credentials is refused, since they mislead
 * readers.
 */
async function openLink(
  view: ViewHost,
  { url: text }: JsonRecord,
  signal: AbortSignal,
): Promise<unknown> {
  const url = URL.parse(String(text))
  if (!url) throw refused('Invalid URL')
  const { protocol, username, password, href } = url
  if (!/^(?:https?|mailto):$/.test(protocol) || username || password) return DENIED
  const done = await askPage(view, 'mcp-open-link', { url: href }, signal)
  if (done === null && view.getAttribute('links') === 'open') {
    window.open(url, '_blank', 'noopener,noreferrer')
    return {}
  }
  return done ? {} : DENIED
}

async function sendMessage(
  view: ViewHost,
  { role, content: given }: JsonRecord,
  signal: AbortSignal,
): Promise<unknown> {
  const content = blocksOf(isRecord(given) ? [given] : given)
  if (role !== 'user' || !content) throw refused('Invalid message')
  return (await askPage(view, 'mcp-message', { role, content }, signal)) ? {} : DENIED
}

async function updateContext(
  view: ViewHost,
  { content: given, structuredContent }: JsonRecord,
  signal: AbortSignal,
): Promise<unknown> {
  const content = blocksOf(given ?? [])
  if (!content || !(structuredContent === undefined || isRecord(structuredContent)))
    throw refused('Invalid content')
  const update = {
    ...(given !== undefined && { content }),
    ...(structuredContent && { structuredContent }),
  }
  if (await askPage(view, 'mcp-model-context', update, signal)) return {}
  throw refused('Refused')
}

const isBlock = (block: unknown): block is JsonRecord => isRecord(block) && isString(block['type'])

/** Returns the content blocks, or null if one is invalid. */
function blocksOf(content: unknown): JsonRecord[] | null {
  return Array.isArray(content) && content.every(isBlock) ? content : null
}

async function changeMode(view: ViewHost, { mode: given }: JsonRecord): Promise<unknown> {
  const mode = readMode(given)
  if (!isMode(mode)) throw invalid('mode')
  if (mode !== given) emitOwnLog(view, 'warning', `${String(given)} is read as ${mode}`)
  return { mode: await view.requestDisplayMode(mode) }
}

function isMode(mode: unknown): mode is DisplayMode {
  return mode === 'inline' || mode === 'fullscreen' || mode === 'pip'
}

async function readResource(
  view: ViewHost,
  { uri }: JsonRecord,
  signal: AbortSignal,
): Promise<unknown> {
  if (!isString(uri)) throw invalid('uri')
  return askServer(view, signal, (server, options) => server.readResource(uri, options))
}
