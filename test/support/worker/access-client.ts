/**
 * Clients of the access matrix: one interface for MCP requests in both eras and with every kind of authentication.
 *
 * A link goes through the front. Requests of a signed-in client go to the front's own function for
 * MCP, with the headers that the front sets after it has checked the token.
 *
 * @module
 */

import { isRecord, recordOf } from '#core/json.ts'
import { headersOf, type Identity } from '#worker/sessions/identity.ts'
import { withIdentity } from '#worker/sessions/identity-headers.ts'
import { forwardMcp } from '#worker/mcp/front.ts'
import type { Workspace } from './access-tree.ts'
import { MODERN } from './client.ts'
import { stubOf } from './object-life.ts'

export interface Answer {
  readonly status: number
  readonly challenge: string | null
  readonly body: Record<string, unknown>
}

export type Send = (init: RequestInit) => Promise<Response>

export interface AccessClient {
  readonly ask: (method: string, params: object, meta?: object) => Promise<Answer>
  /** Opens the event stream of notifications about files. */
  readonly listen: (uris: readonly string[], meta?: object) => Promise<Response>
}

const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

let endpoint = '/mcp'

/** Runs work whose requests go to a profile of the endpoint. */
export async function withProfile<T>(profile: string, work: () => Promise<T>): Promise<T> {
  endpoint = `/mcp?profile=${profile}`
  try {
    return await work()
  } finally {
    endpoint = '/mcp'
  }
}

const sendTo =
  ({ fetch }: Workspace): Send =>
  (init) =>
    fetch(endpoint, init)

/** Sends requests with a token's identity, as the front forwards them. */
export const sendAs =
  (workspace: Workspace, identity: Identity): Send =>
  (init) => {
    const request = new Request(`${workspace.base}${endpoint}`, init)
    return forwardMcp(stubOf(workspace), withIdentity(request, 'w', headersOf(identity)), {})
  }

/** A client of the modern era, perhaps with a configuration in its capabilities. */
export function modern(from: Workspace | Send, configuration?: object): AccessClient {
  const send = typeof from === 'function' ? from : sendTo(from)
  const experimental = configuration && { experimental: { configuration } }
  const post = (method: string, params: Record<string, unknown>, meta: object) => {
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientCapabilities': { ...experimental },
    }
    const name = params['name'] ?? params['uri']
    const headers = {
      ...JSON_HEADERS,
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    }
    const full = { ...params, _meta: { ...envelope, ...meta } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: full })
    return send({ method: 'POST', headers, body })
  }
  return {
    ask: async (method, params, meta = {}) => answerOf(await post(method, { ...params }, meta)),
    listen: (uris, meta = {}) => {
      const notifications = { resourcesListChanged: true, resourceSubscriptions: uris }
      return post('subscriptions/listen', { notifications }, meta)
    },
  }
}

/** A session of the legacy era, perhaps with a configuration or other capabilities in its `initialize`. */
export async function legacyEra(
  from: Workspace | Send,
  configuration?: object,
  version = '2025-11-25',
  others: object = {},
): Promise<LegacySession> {
  const send = typeof from === 'function' ? from : sendTo(from)
  const capabilities = { ...others, ...(configuration && { experimental: { configuration } }) }
  const clientInfo = { name: 'legacy', version: '1' }
  const params = { protocolVersion: version, capabilities, clientInfo }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
  const begun = await send({ method: 'POST', headers: JSON_HEADERS, body })
  const hello = await begun.text()
  const session = begun.headers.get('mcp-session-id')
  if (session === null) throw new Error(`No session: ${hello}`)
  return inSession(session, send)
}

/** A legacy session that can continue with another token. */
export interface LegacySession extends AccessClient {
  readonly session: string
  readonly with: (send: Send) => LegacySession
}

function inSession(session: string, send: Send): LegacySession {
  const headers = { ...JSON_HEADERS, 'mcp-session-id': session }
  // Requests of one session may be concurrent, so no two have the same id.
  let nextId = 1
  const ask: AccessClient['ask'] = async (method, params, meta = {}) => {
    const message = { jsonrpc: '2.0', id: nextId++, method, params: { ...params, _meta: meta } }
    return answerOf(await send({ method: 'POST', headers, body: JSON.stringify(message) }))
  }
  return {
    session,
    ask,
    with: (other) => inSession(session, other),
    async listen(uris, meta) {
      for (const uri of uris) await ask('resources/subscribe', { uri }, meta)
      return send({ method: 'GET', headers })
    },
  }
}

/** Reads the message of a response, which is JSON or an event. */
export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  const data = /^data: (\{.*)$/m.exec(text)?.[1] ?? text
  const body: unknown = data === '' ? {} : JSON.parse(data)
  const { status, headers } = response
  return { status, challenge: headers.get('www-authenticate'), body: recordOf(body) }
}

export function succeeded({ status, body }: Answer): boolean {
  const { result } = body
  return status === 200 && isRecord(result) && result['isError'] !== true
}
