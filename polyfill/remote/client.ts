/**
 * MCP client over Streamable HTTP, reduced to what tools need.
 *
 * It tries the stateless protocol first, and falls back to the version with handshake and session.
 * A call without a response is not repeated, because it may have run. Only if a server reports that
 * the session is unknown (404), and therefore did nothing, the call is repeated after a new
 * handshake.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { VERSION } from '#core/version.ts'
import { LEGACY_PROTOCOL, MCP_META, MODERN_PROTOCOL } from '#core/wire.ts'
import { readMessages, readResult, RpcError, toText } from './messages.ts'

const INFO = { name: 'edgewise-webmcp', version: VERSION }

/** Time limit of a response in milliseconds. */
export const MAX_RESPONSE_MS = 300_000

/** A server and how to reach it. */
export interface Endpoint {
  /** Absolute URL of the MCP endpoint. */
  readonly url: string
  /** Headers of every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * Access of this page's agents, as a configuration of the mcp4h proposals; the user can grant
   * more for a single call.
   */
  readonly configuration?: JsonRecord | undefined
  /** Ends all requests. */
  readonly signal: AbortSignal
}

/** A connection to a server, of either protocol version. */
export interface Client {
  /** The server sends notifications when its tools change. */
  readonly notifies: boolean
  /**
   * Sends a request.
   *
   * @returns The result.
   * @throws {RpcError} For an error response.
   */
  request(method: string, params: JsonRecord, options?: CallOptions): Promise<JsonRecord>
  /** Calls back on each change of the tools; resolves when the stream ends. */
  listen(changed: () => void): Promise<void>
  /** Ends the session of the older protocol version; without a session nothing happens. */
  close(): void
}

interface CallOptions {
  readonly signal?: AbortSignal
  /** Headers that repeat arguments, as the input schema requests. */
  readonly mirror?: Readonly<Record<string, string>>
}

/**
 * Connects to a server.
 *
 * @throws {RpcError} When the server refuses both protocol versions, or the credentials.
 */
export async function openClient(endpoint: Endpoint): Promise<Client> {
  const modern = modernClient(endpoint)
  try {
    const { capabilities } = await modern.request('server/discover', {})
    return { ...modern, notifies: hasNotifications(capabilities) }
  } catch (error) {
    // A server that rejects the credentials would reject the handshake too.
    if (!(error instanceof RpcError) || error.status === 401 || error.status === 403) throw error
    return legacyClient(endpoint)
  }
}

const hasNotifications = (capabilities: unknown) =>
  recordOf(recordOf(capabilities)['tools'])['listChanged'] === true

const createCapabilities = ({ configuration }: Endpoint) =>
  configuration ? { experimental: { configuration } } : {}

let lastId = 0

function modernClient(endpoint: Endpoint): Client {
  const meta = {
    [`${MCP_META}protocolVersion`]: MODERN_PROTOCOL,
    [`${MCP_META}clientCapabilities`]: createCapabilities(endpoint),
    [`${MCP_META}clientInfo`]: INFO,
  }
  const send = (
    id: number,
    method: string,
    params: JsonRecord,
    { signal, mirror }: CallOptions,
  ) => {
    const name = toText(params['name'] ?? params['uri'])
    const headers = {
      'mcp-protocol-version': MODERN_PROTOCOL,
      'mcp-method': method,
      ...(name !== '' && { 'mcp-name': encodeHeader(name) }),
      ...mirror,
    }
    const whole = { ...params, _meta: { ...recordOf(params['_meta']), ...meta } }
    return post(endpoint, { id, method, params: whole }, headers, signal)
  }
  return {
    notifies: false,
    async request(method, params, options = {}) {
      const id = ++lastId
      return readResponse(id, await send(id, method, params, withTimeout(options)))
    },
    async listen(changed) {
      const wanted = { notifications: { toolsListChanged: true } }
      await follow(await send(++lastId, 'subscriptions/listen', wanted, {}), changed)
    },
    close() {},
  }
}

async function legacyClient(endpoint: Endpoint): Promise<Client> {
  let session = await handshake(endpoint)
  const request: Client['request'] = async (method, params, options = {}) => {
    const id = ++lastId
    const send = () => {
      const headers = session.headers
      return post(endpoint, { id, method, params }, headers, withTimeout(options).signal)
    }
    // In this version an aborted request continues unless the server receives a cancellation.
    const cancel = () => {
      const message = { method: 'notifications/cancelled', params: { requestId: id } }
      void post(endpoint, message, session.headers).catch(() => {})
    }
    const { signal } = options
    signal?.addEventListener('abort', cancel)
    try {
      return await readResponse(id, await send())
    } catch (error) {
      if (!(error instanceof RpcError) || error.status !== 404) throw error
      session = await handshake(endpoint)
      return await readResponse(id, await send())
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }
  return {
    notifies: session.notifies,
    request,
    async listen(changed) {
      const accept = { ...endpoint.headers, ...session.headers, accept: 'text/event-stream' }
      const response = await fetch(endpoint.url, { headers: accept, signal: endpoint.signal })
      if (!response.ok) throw new RpcError('no event stream', 0, response.status)
      changed()
      await follow(response, changed)
    },
    close() {
      const headers = { ...endpoint.headers, ...session.headers }
      void fetch(endpoint.url, { method: 'DELETE', headers, keepalive: true }).catch(() => {})
    },
  }
}

async function handshake(endpoint: Endpoint) {
  const id = ++lastId
  const params = {
    protocolVersion: LEGACY_PROTOCOL,
    capabilities: createCapabilities(endpoint),
    clientInfo: INFO,
  }
  const opening = { id, method: 'initialize', params }
  const response = await post(endpoint, opening, {}, AbortSignal.timeout(MAX_RESPONSE_MS))
  const session = response.headers.get('mcp-session-id')
  const { protocolVersion, capabilities } = await readResponse(id, response)
  const headers: Record<string, string> = {
    'mcp-protocol-version': toText(protocolVersion) || LEGACY_PROTOCOL,
    ...(session !== null && { 'mcp-session-id': session }),
  }
  const done = await post(endpoint, { method: 'notifications/initialized' }, headers)
  await done.body?.cancel()
  return { headers, notifies: hasNotifications(capabilities) }
}

const withTimeout = ({ signal, ...rest }: CallOptions): CallOptions & { signal: AbortSignal } => {
  const end = AbortSignal.timeout(MAX_RESPONSE_MS)
  return { ...rest, signal: signal ? AbortSignal.any([signal, end]) : end }
}

function post(
  { url, headers, signal }: Endpoint,
  message: JsonRecord,
  more: Readonly<Record<string, string>>,
  until?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      ...headers,
      ...more,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    signal: until ? AbortSignal.any([signal, until]) : signal,
  })
}

async function readResponse(id: number, response: Response): Promise<JsonRecord> {
  try {
    for await (const message of readMessages(response)) {
      // An error from before the id was parsed has no id.
      if (message['id'] === id || (!response.ok && 'error' in message))
        return readResult(message, response.status)
    }
  } catch (error) {
    if (response.ok || error instanceof RpcError) throw error
  }
  throw new RpcError(`HTTP status ${response.status}`, 0, response.status)
}

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'

async function follow(response: Response, changed: () => void): Promise<void> {
  for await (const { method, error } of readMessages(response)) {
    if (isRecord(error)) readResult({ error }, response.status)
    // Changes from before the subscription were not notified.
    if (method === ACKNOWLEDGED || method === 'notifications/tools/list_changed') changed()
  }
}

/** Encodes a value for a header; as `=?base64?…?=` if it is not plain ASCII. */
export function encodeHeader(value: string): string {
  if (/^[!-~]([ -~]*[!-~])?$/.test(value) && !value.startsWith('=?')) return value
  const bytes = new TextEncoder().encode(value)
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}?=`
}
