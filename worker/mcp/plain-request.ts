/**
 * Plain requests: the form of nearly every call, in both protocol eras, recognised without the SDK.
 *
 * A request is plain when its headers and envelope are valid and it needs no stream. It is then answered
 * directly. Every other request, malformed ones included, goes to the SDK, which alone decides what is an
 * error. `plain-request.test.ts` and `plain-legacy.test.ts` in `test/worker/mcp/` send the same requests through
 * both and compare the results.
 *
 * @module
 */

import { isRecord, own, recordOf, type JsonRecord } from '#core/json.ts'
import {
  CAPABILITIES_META,
  CLIENT_INFO_META,
  LEGACY_PROTOCOLS,
  MCP_META,
  MODERN_PROTOCOL,
  PROTOCOL_META,
} from '#core/wire.ts'
import { MAX_NAME_LENGTH } from '../limits.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Caller } from '../access/caller.ts'

/** A JSON-RPC request whose envelope was checked. */
export interface PlainRequest {
  readonly id: string | number
  readonly method: string
  readonly params: JsonRecord
  /** The `_meta` of the params; empty if they have none. */
  readonly meta: JsonRecord
}

/** Answers plain requests. */
export interface Direct {
  /**
   * Answers a `tools/call` or a `server/discover` of the modern era. `signal` is aborted when its client no longer waits.
   */
  readonly modern: (
    request: PlainRequest,
    caller: Caller,
    signal: AbortSignal,
  ) => MaybePromise<Response>
  /** Answers a request of the older era; null if the SDK has to. `session` is the id of its session. */
  readonly legacy: (
    request: PlainRequest,
    caller: Caller,
    session: string | null,
  ) => MaybePromise<Response> | null
}

/**
 * The endpoint of a workspace, with its name unless it is the default one, matched without parsing the URL. Some clients
 * add a slash to every URL.
 */
export const MCP_URL = /^https?:\/\/[^/?#]+(?:\/w\/([a-z0-9-]+))?\/mcp\/?$/

/** Whether the headers announce a plain modern request of this method, so that its body is worth reading. */
export function looksPlain(headers: Headers, method: string): boolean {
  return (
    headers.get('mcp-method') === method &&
    headers.get('mcp-protocol-version') === MODERN_PROTOCOL &&
    isJson(headers)
  )
}

/** Whether the content type is JSON. One with a comma may be another type to the SDK. */
export const isJson = (headers: Headers) =>
  /^application\/json\s*(;[^,]*)?$/i.test(headers.get('content-type') ?? '')

/** Returns a body as the plain modern request that its headers announce, or null. */
export function readPlain(headers: Headers, body: unknown): PlainRequest | null {
  const request = readEnvelope(body)
  if (!request || request.method !== headers.get('mcp-method')) return null
  const { method, params, meta } = request
  if (!isRecord(params) || !isRecord(params['_meta']) || !isPlainEnvelope(meta)) return null
  if (method === 'tools/call' && !isPlainCall(headers, params)) return null
  return request
}

/**
 * Returns a body of the older era as the plain request that it is, or null. Its session, if it has one, is not
 * looked at.
 */
export function readPlainLegacy(headers: Headers, body: unknown): PlainRequest | null {
  const request = acceptsAnswer(headers) && isJson(headers) ? readEnvelope(body) : null
  if (!request || !hasOnly(recordOf(body), MEMBERS)) return null
  const allowed = LEGACY_PARAMS.get(request.method)
  if (!allowed || !hasOnly(request.params, allowed) || !isPlainMeta(request.meta)) return null
  if (request.method === 'tools/call' && !isLegacyCall(request.params)) return null
  return request
}

/** Reads the members that requests of both eras have. */
function readEnvelope(body: unknown): PlainRequest | null {
  if (!isRecord(body) || body['jsonrpc'] !== '2.0') return null
  const { id, method, params = EMPTY } = body
  if (typeof id === 'string' ? id.length > MAX_NAME_LENGTH : !Number.isSafeInteger(id)) return null
  if (typeof method !== 'string' || !isRecord(params)) return null
  const { _meta: meta = EMPTY } = params
  return isRecord(meta) ? { id: id as string | number, method, params, meta } : null
}

const EMPTY: JsonRecord = {}

/** Whether `Mcp-Name` has the same name, and the arguments are an object or absent. */
function isPlainCall(headers: Headers, params: JsonRecord): boolean {
  const { name, arguments: args } = params
  return name === headers.get('mcp-name') && (args === undefined || isRecord(args))
}

function isPlainEnvelope(meta: JsonRecord): boolean {
  const info = meta[CLIENT_INFO_META]
  const capabilities = meta[CAPABILITIES_META]
  return (
    meta[PROTOCOL_META] === MODERN_PROTOCOL &&
    isRecord(capabilities) &&
    Object.entries(capabilities).every(isCapability) &&
    (info === undefined || isClientInfo(info)) &&
    !NEEDS_MORE.some((key) => Object.hasOwn(meta, key))
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
const NEEDS_MORE = ['progressToken', `${MCP_META}logLevel`]

function isClientInfo(info: unknown): boolean {
  if (!isRecord(info) || !('name' in info) || !('version' in info)) return false
  return Object.entries(info).every(([key, value]) => INFO.has(key) && typeof value === 'string')
}

const INFO = new Set(['name', 'version', 'title', 'description', 'websiteUrl'])

/** Whether the client takes both forms of an answer, as the SDK requires, in a revision that the SDK knows. */
function acceptsAnswer(headers: Headers): boolean {
  const accept = headers.get('accept') ?? ''
  const version = headers.get('mcp-protocol-version')
  return (
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    (version === null || LEGACY_PROTOCOLS.includes(version))
  )
}

const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params'])

/** The params of each method that can be plain in the older era; every other one asks for more than a result. */
const LEGACY_PARAMS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['ping', new Set(['_meta'])],
  ['tools/list', new Set(['_meta'])],
  ['tools/call', new Set(['_meta', 'name', 'arguments'])],
])

const hasOnly = (record: JsonRecord, names: ReadonlySet<string>) =>
  Object.keys(record).every((name) => names.has(name))

/** Whether no key is one of MCP itself. The SDK drops a member of the name `__proto__`. */
function isPlainMeta(meta: JsonRecord): boolean {
  return Object.keys(meta).every(
    (key) => key !== 'progressToken' && key !== PROTO && !key.startsWith(MCP_META),
  )
}

const PROTO = '__proto__'

function isLegacyCall({ name, arguments: args }: JsonRecord): boolean {
  return (
    typeof name === 'string' &&
    (args === undefined || (isRecord(args) && !Object.hasOwn(args, PROTO)))
  )
}

/** Returns the configuration in a client's capabilities; undefined without one. */
export function configurationIn(capabilities: unknown): unknown {
  return own(recordOf(recordOf(capabilities)['experimental']), 'configuration')
}
