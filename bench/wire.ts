/**
 * MCP requests as bytes, in both supported protocol versions.
 *
 * @module
 */

import { encodeRequest } from './http.ts'
import type { Server } from './workerd.ts'

/** Parameters of a request. */
export type Params = Readonly<Record<string, unknown>>

/** Encodes one request in a protocol version. */
export type Wire = (method: string, params?: Params) => Buffer

const CLIENT = { name: 'bench', version: '1' }
const LEGACY_VERSION = '2025-11-25'
const MODERN_VERSION = '2026-07-28'

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN_VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': CLIENT,
}

let lastId = 0

interface To {
  /** The headers beside those of every request. */
  readonly headers: Readonly<Record<string, string>>
  /** The MCP endpoint. */
  readonly path?: string
}

function encode(method: string, params: Params, { headers, path = '/mcp' }: To): Buffer {
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params })
  return encodeRequest({ method: 'POST', path, headers: { ...HEADERS, ...headers } }, body)
}

/** Encodes for version 2026-07-28, in which every request is independent, and for the endpoint of a workspace. */
export const modernAt =
  (path: string): Wire =>
  (method, params = {}) => {
    const { name = params['uri'], _meta: meta } = params
    const headers = {
      'mcp-protocol-version': MODERN_VERSION,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    }
    const all = { ...params, _meta: { ...META, ...Object(meta) } }
    return encode(method, all, { headers, path })
  }

/** Encodes for the default workspace. */
export const modern = modernAt('/mcp')

/** Opens a session of version 2025-11-25, if the server has sessions, and returns its encoder. */
export async function legacy(server: Server): Promise<Wire> {
  const post = (headers: Record<string, string>, message: object) =>
    fetch(server.url('/mcp'), {
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const params = { protocolVersion: LEGACY_VERSION, capabilities: {}, clientInfo: CLIENT }
  const opened = await post({}, { id: 0, method: 'initialize', params })
  await opened.text()
  const session = opened.headers.get('mcp-session-id')
  const headers = {
    'mcp-protocol-version': LEGACY_VERSION,
    ...(session !== null && { 'mcp-session-id': session }),
  }
  await post(headers, { method: 'notifications/initialized' })
  return (method, rest = {}) => encode(method, rest, { headers })
}

/** Encodes one `tools/call`. */
export function toolCall(wire: Wire, name: string, args: Params, meta?: Params): Buffer {
  return wire('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) })
}
