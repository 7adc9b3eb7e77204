/**
 * The older protocol era: one SDK transport and server for each session, which can be made again.
 *
 * What makes a session is its `initialize` request, so that is what its row keeps. An object that was
 * evicted meanwhile plays it to a fresh server, and the client notices nothing.
 *
 * @module
 */

import { CONFIG_SCHEMA } from '#core/config-schema.ts'
import type { Config } from '#core/config.ts'
import {
  WebStandardStreamableHTTPServerTransport,
  type JSONRPCMessage,
  type McpServer,
  type Server,
} from '@modelcontextprotocol/server'
import { isRecord, recordOf } from '#core/json.ts'
import { callerOf, ceilingOf, type Caller } from '../sessions/caller.ts'
import type { Session, Sessions } from '../sessions/sessions.ts'
import { INVALID_PARAMS } from '../terms.ts'
import { configurationIn, plainError } from './plain.ts'
import type { Streams } from './streams.ts'

/** Session servers that are kept in memory; the others are made again when they are asked for. */
const LIVE = 64

interface Live {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly server: McpServer | Server
  readonly caller: Caller
}

export interface Subscriptions {
  /** Whether there was room for one more. */
  add(uri: string): boolean
  remove(uri: string): void
}

export interface LegacyParts {
  readonly sessions: Sessions
  readonly streams: Streams
  readonly config: () => Config
  readonly build: (caller: Caller, subscriptions: Subscriptions) => McpServer | Server
}

export function createLegacy({ sessions, streams, config, build }: LegacyParts) {
  const live = new Map<string, Live>()

  /** Starts a session with the `initialize` request that the body is. */
  async function begin(request: Request, body: unknown, caller: Caller): Promise<Response> {
    const session = newSession(body, caller)
    const known = resolved(session)
    if (!known.ok) return plainError(idOf(body), INVALID_PARAMS, known.error, 400)
    const { transport } = await connect(session.id, { ...known.value, base: caller.base })
    const response = await transport.handleRequest(request, { parsedBody: body })
    if (response.ok) sessions.make(session, null)
    else live.delete(session.id)
    return response
  }

  /** A request that names its session. */
  async function carryOn(
    id: string,
    request: Request,
    body: unknown,
    caller: Caller,
    check: (caller: Caller) => Response | null,
  ): Promise<Response> {
    const session = find(id, caller)
    const held = session && (live.get(id) ?? (await restore(session, caller)))
    if (!held) return notFound()
    live.delete(id)
    live.set(id, held)
    if (request.method === 'DELETE') {
      sessions.end(id)
      return held.transport.handleRequest(request)
    }
    return check(held.caller) ?? held.transport.handleRequest(request, { parsedBody: body })
  }

  /** A session that is alive, for the one whose session it is. */
  function find(id: string, caller: Caller): Session | null {
    const session = sessions.find(id)
    if (!session || session.initialize === null) return null
    if (session.parent !== (caller.session?.id ?? null)) return null
    return sessions.chainOf(session) ? session : null
  }

  function resolved(session: Session) {
    const chain = session.parent === null ? [session] : [...parentsOf(session), session]
    return callerOf(chain, config())
  }

  function parentsOf({ parent }: Session): Session[] {
    const above = parent === null ? null : sessions.find(parent)
    return (above && sessions.chainOf(above)) ?? []
  }

  async function restore(session: Session, { base }: Caller): Promise<Live | null> {
    const caller = resolved(session)
    if (!caller.ok) return null
    const held = await connect(session.id, { ...caller.value, base })
    await replay(held.transport, session)
    return held
  }

  async function connect(id: string, caller: Caller): Promise<Live> {
    const server = build(caller, {
      add: (uri) => streams.subscribe(id, uri),
      remove: (uri) => streams.unsubscribe(id, uri),
    })
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id })
    const send = transport.send.bind(transport)
    // What belongs to no request goes to the stream that the Worker holds for this session.
    transport.send = async (message, options) => {
      const answers = 'result' in message || 'error' in message
      if (answers) return send(withSchema(message), options)
      if (options?.relatedRequestId !== undefined) return send(message, options)
      streams.send(id, message)
    }
    await server.connect(transport)
    const held = { transport, server, caller }
    live.set(id, held)
    for (const oldest of live.keys()) {
      if (live.size <= LIVE) break
      live.delete(oldest)
    }
    return held
  }

  /** Forgets what was worked out for sessions, because what it rests on has changed. */
  const refresh = () => live.clear()
  const ended = (id: string) => live.delete(id)

  return { begin, carryOn, find, refresh, ended }
}

function newSession(body: unknown, caller: Caller): Session {
  const params = recordOf(recordOf(body)['params'])
  const info = recordOf(params['clientInfo'])
  return {
    id: crypto.randomUUID() + crypto.randomUUID(),
    parent: caller.session?.id ?? null,
    principal: caller.principal,
    label: typeof info['name'] === 'string' ? info['name'].slice(0, 200) : 'client',
    config: configurationIn(params['capabilities']) ?? null,
    policy: null,
    scopes: ceilingOf(caller),
    initialize: body,
    created: Date.now(),
    expires: null,
  }
}

/** The mcp4h proposal has the schema at the top of the answer to `initialize`, where the SDK has no place. */
function withSchema(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message) || !('protocolVersion' in message.result)) return message
  return { ...message, result: { ...message.result, configSchema: CONFIG_SCHEMA } }
}

/** The id of a request, as far as it has one. */
export function idOf(body: unknown): string | number | null {
  const id = isRecord(body) ? body['id'] : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** Shows a fresh server the `initialize` that its session began with. */
async function replay(
  transport: WebStandardStreamableHTTPServerTransport,
  { id, initialize }: Session,
): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': id,
  }
  const post = (parsedBody: unknown) =>
    transport.handleRequest(new Request('https://workspace/mcp', { method: 'POST', headers }), {
      parsedBody,
    })
  await (await post(initialize)).text()
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
}

export function notFound(): Response {
  return plainError(null, -32001, 'Session not found', 404)
}
