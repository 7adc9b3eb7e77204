/**
 * Plain requests: the form of nearly every modern call, recognised without the SDK.
 *
 * A request is plain when its headers and envelope are valid and it needs no stream. It is then answered
 * directly. Every other request, malformed ones included, goes to the SDK's handler, which alone decides what
 * is an error. `test/worker/plain.test.ts` sends the same requests through both and compares the results.
 *
 * @module
 */

import { isRecord, own, recordOf, type JsonRecord } from '#core/json.ts'
import { MAX_NAME_LENGTH } from '../limits.ts'
import { MODERN, SERVER_INFO } from './facts.ts'

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

const ENVELOPE = 'io.modelcontextprotocol/'

/** The key of `_meta` that has the client's capabilities in a modern request. */
export const CAPABILITIES_META = `${ENVELOPE}clientCapabilities`

/** Whether the headers announce a plain request of this method, so that its body is worth reading. */
export function looksPlain(headers: Headers, method: string): boolean {
  return (
    headers.get('mcp-method') === method &&
    headers.get('mcp-protocol-version') === MODERN &&
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
  const info = meta[`${ENVELOPE}clientInfo`]
  const capabilities = meta[CAPABILITIES_META]
  return (
    meta[`${ENVELOPE}protocolVersion`] === MODERN &&
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
  const told = name === 'roots' ? typeof listChanged === 'boolean' : isRecord(listChanged)
  return (listChanged === undefined || told) && Object.values(rest).every(isRecord)
}

/** Keys of `_meta` that ask for messages beside the result. */
const NEEDS_MORE = new Set(['progressToken', `${ENVELOPE}logLevel`])

function isClientInfo(info: unknown): boolean {
  if (!isRecord(info) || !('name' in info) || !('version' in info)) return false
  return Object.entries(info).every(([key, value]) => INFO.has(key) && typeof value === 'string')
}

const INFO = new Set(['name', 'version', 'title', 'description', 'websiteUrl'])

/** Builds the response of a complete result of the modern era. */
export function plainResult(id: string | number, result: Record<string, unknown>): Response {
  return Response.json({ jsonrpc: '2.0', id, result: completed(result) })
}

/** Serializes a result that never changes once, for many responses. */
export function writtenResult(result: Record<string, unknown>): (id: string | number) => Response {
  const written = JSON.stringify(completed(result))
  const headers = { 'content-type': 'application/json' }
  return (id) =>
    new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${written}}`, { headers })
}

function completed(result: Record<string, unknown>): Record<string, unknown> {
  const _meta = { ...recordOf(result['_meta']), [`${ENVELOPE}serverInfo`]: SERVER_INFO }
  return { ...result, resultType: 'complete', _meta }
}

/** Builds the response of a JSON-RPC error. */
export function plainError(
  id: string | number | null,
  code: number,
  message: string,
  status = 200,
): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status })
}

/** Builds the 429 of a principal that exceeds its rate limit (RFC 6585, section 4). */
export function tooManyCalls(seconds: number): Response {
  const answer = plainError(null, -32000, `Rate limit exceeded. Try again in ${seconds} s`, 429)
  answer.headers.set('retry-after', String(seconds))
  return answer
}

/** Returns the configuration in a client's capabilities; undefined without one. */
export function configurationIn(capabilities: unknown): unknown {
  return own(recordOf(recordOf(capabilities)['experimental']), 'configuration')
}
