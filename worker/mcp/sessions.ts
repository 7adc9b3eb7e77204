/**
 * Sessions of the older protocol era: one SDK transport and server each, which can be made again.
 *
 * What makes a session is its `initialize` request, so that is what is stored. An object that was
 * evicted meanwhile plays it to a fresh server, and the client notices nothing.
 *
 * @module
 */

import {
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
  type Server,
} from '@modelcontextprotocol/server'
import { MAX_SESSIONS, SESSION_IDLE_HOURS } from '../limits.ts'
import { plainError } from './plain.ts'
import type { Streams } from './streams.ts'

/** Session servers that are kept in memory; the others are made again when they are asked for. */
const LIVE = 64

const HOUR_MS = 60 * 60 * 1000

interface Live {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly server: McpServer | Server
}

export interface SessionSubscriptions {
  /** Whether there was room for one more. */
  add(uri: string): boolean
  remove(uri: string): void
}

export function createSessions(
  sql: SqlStorage,
  streams: Streams,
  build: (subscriptions: SessionSubscriptions) => McpServer | Server,
) {
  const live = new Map<string, Live>()

  /** Starts a session with the `initialize` request that the body is. */
  async function begin(request: Request, body: unknown): Promise<Response> {
    const id = crypto.randomUUID() + crypto.randomUUID()
    const { transport } = await connect(id)
    const response = await transport.handleRequest(request, { parsedBody: body })
    if (!response.ok) {
      live.delete(id)
      return response
    }
    makeRoom()
    sql.exec(
      'INSERT INTO sessions (id, initialize, seen) VALUES (?, ?, ?)',
      id,
      JSON.stringify(body),
      Date.now(),
    )
    return response
  }

  /** A request that names its session. */
  async function carryOn(id: string, request: Request, body: unknown): Promise<Response> {
    const session = (isKnown(id) ? live.get(id) : null) ?? (await restore(id))
    if (!session) return notFound()
    live.delete(id)
    live.set(id, session)
    if (request.method === 'DELETE') {
      sql.exec('DELETE FROM sessions WHERE id = ?', id)
      streams.forget(id)
      live.delete(id)
      return session.transport.handleRequest(request)
    }
    return session.transport.handleRequest(request, { parsedBody: body })
  }

  /** Whether a session exists; tells the table that it is in use, at most once an hour. */
  function isKnown(id: string): boolean {
    const row = sql
      .exec<{ seen: number }>('SELECT seen FROM sessions WHERE id = ?', id)
      .toArray()[0]
    if (!row) return false
    const now = Date.now()
    if (now - row.seen > HOUR_MS) sql.exec('UPDATE sessions SET seen = ? WHERE id = ?', now, id)
    return true
  }

  async function restore(id: string): Promise<Live | null> {
    const row = sql
      .exec<{ initialize: string }>('SELECT initialize FROM sessions WHERE id = ?', id)
      .toArray()[0]
    if (!row) return null
    const session = await connect(id)
    await replay(session.transport, id, JSON.parse(row.initialize))
    return session
  }

  async function connect(id: string): Promise<Live> {
    const server = build({
      add: (uri) => streams.subscribe(id, uri),
      remove: (uri) => streams.unsubscribe(id, uri),
    })
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id })
    const send = transport.send.bind(transport)
    // What belongs to no request goes to the stream that the Worker holds for this session.
    transport.send = async (message, options) => {
      const answers = 'result' in message || 'error' in message
      if (answers || options?.relatedRequestId !== undefined) return send(message, options)
      streams.send(id, message)
    }
    await server.connect(transport)
    const session = { transport, server }
    live.set(id, session)
    for (const oldest of live.keys()) {
      if (live.size <= LIVE) break
      live.delete(oldest)
    }
    return session
  }

  function makeRoom(): void {
    const old = sql.exec<{ id: string }>(
      `DELETE FROM sessions WHERE seen < ? OR id IN (
         SELECT id FROM sessions ORDER BY seen DESC LIMIT -1 OFFSET ?) RETURNING id`,
      Date.now() - SESSION_IDLE_HOURS * HOUR_MS,
      MAX_SESSIONS - 1,
    )
    for (const { id } of old.toArray()) {
      streams.forget(id)
      live.delete(id)
    }
  }

  return { begin, carryOn, isKnown }
}

/** Shows a fresh server the `initialize` that its session began with. */
async function replay(
  transport: WebStandardStreamableHTTPServerTransport,
  id: string,
  initialize: unknown,
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
