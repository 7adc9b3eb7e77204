/**
 * Plain requests: the form of nearly every modern call, recognised without the SDK.
 *
 * A request is plain when its headers and envelope are valid and it needs no stream. It is then answered
 * directly. Every other request, malformed ones included, goes to the SDK's handler, which alone decides what
 * is an error. `test/worker/mcp/plain-request.test.ts` sends the same requests through both and compares the results.
 *
 * @module
 */

import { isRecord, own, recordOf, type JsonRecord } from '#core/json.ts'
import { CAPABILITIES_META, MCP_META, MODERN_PROTOCOL, PROTOCOL_META } from '#core/wire.ts'
import { MAX_NAME_LENGTH } from '../limits.ts'
import { SERVER_INFO } from './server-info.ts'

/** A JSON-RPC request whose envelope was checked. */
export interface PlainRequest {
  readonly id: string | number
  readonly method: string
  readonly params: JsonRecord
  /** The `_meta` of the params. */
  readonly meta: JsonRecord
}

/** The endpoint of the default workspace, matched without parsing the URL. */
export const MCP_URL = /^https?:\/\/[^/?#]+\/mcp$/

/** Whether the headers announce a plain request of this method, so that its body is worth reading. */
export function looksPlain(headers: Headers, method: string): boolean {
  return (
    headers.get('mcp-method') === method &&
    headers.get('mcp-protocol-version') === MODERN_PROTOCOL &&
    /^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')
  )
}

/** Returns a body as the plain request that its headers announce, or null. */
export function readPlain(headers: Headers, body: unknown): PlainRequest | null {
  if (!isRecord(body) || body['jsonrpc'] !== '2.0') return null
  const { id, method, params } = body
  if (typeof id === 'string' ? id.length > MAX_NAME_LENGTH : !Number.isSafeInteger(id)) return null
  if (typeof method !== 'string' || method !== headers.get('mcp-method')) return null
  if (!isRecord(params) || !isRecord(params['_meta'])) return null
  if (!isPlainEnvelope(params['_meta'])) return null
  if (method === 'tools/call' && !isPlainCall(headers, params)) return null
  return { id: id as string | number, method, params, meta: params['_meta'] }
}

/** Whether `Mcp-Name` has the same name, and the arguments are an object or absent. */
function isPlainCall(headers: Headers, params: JsonRecord): boolean {
  const { name, arguments: args } = params
  return name === headers.get('mcp-name') && (args === undefined || isRecord(args))
}

function isPlainEnvelope(meta: JsonRecord): boolean {
  const info = meta[`${MCP_META}clientInfo`]
  const capabilities = meta[CAPABILITIES_META]
  return (
    meta[PROTOCOL_META] === MODERN_PROTOCOL &&
    isRecord(capabilities) &&
    Object.entries(capabilities).every(isCapability) &&
    (info === undefined || isClientInfo(info)) &&
    Object.keys(meta).every((key) => !NEEDS_MORE.has(key))
  )
}

/** Whether a capability is an object of objects; `listChanged` of `roots` is a boolean. */
function isCapability([name, value]: [string, unknown]): boolean {
  if (!isRecord(value)) return false
  const { listChanged, ...rest } = value
  const isValid = name === 'roots' ? typeof listChanged === 'boolean' : isRecord(listChanged)
  return (listChanged === undefined || isValid) && Object.values(rest).every(isRecord)
}

/** Keys of `_meta` that ask for messages beside the result. */
const NEEDS_MORE = new Set(['progressToken', `${MCP_META}logLevel`])

function isClientInfo(info: unknown): boolean {
  if (!isRecord(info) || !('name' in info) || !('version' in info)) return false
  return Object.entries(info).every(([key, value]) => INFO.has(key) && typeof value === 'string')
}

const INFO = new Set(['name', 'version', 'title', 'description', 'websiteUrl'])

/** Builds the response of a complete result of the modern era. */
export function plainResult(id: string | number, result: Record<string, unknown>): Response {
  return Response.json({ jsonrpc: '2.0', id, result: completeResult(result) })
}

/** Serializes a result that never changes once, for many responses. */
export function writtenResult(result: Record<string, unknown>): (id: string | number) => Response {
  const written = JSON.stringify(completeResult(result))
  const headers = { 'content-type': 'application/json' }
  return (id) =>
    new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${written}}`, { headers })
}

/** Builds the response of a result that needs input from the person first. */
export function inputRequiredResult(
  id: string | number,
  result: Record<string, unknown>,
): Response {
  const _meta = { [`${MCP_META}serverInfo`]: SERVER_INFO }
  return Response.json({ jsonrpc: '2.0', id, result: { ...result, _meta } })
}

function completeResult(result: Record<string, unknown>): Record<string, unknown> {
  const _meta = { ...recordOf(result['_meta']), [`${MCP_META}serverInfo`]: SERVER_INFO }
  return { ...result, resultType: 'complete', _meta }
}

/** Returns the configuration in a client's capabilities; undefined without one. */
export function configurationIn(capabilities: unknown): unknown {
  return own(recordOf(recordOf(capabilities)['experimental']), 'configuration')
}
