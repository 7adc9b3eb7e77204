/**
 * The MCP endpoint inside an object: both protocol eras at one URL.
 *
 * Plain modern calls are answered at once. Other modern requests, and older ones without a session,
 * go to the SDK's handler; sessions of the older era have transports of their own. Which is which is
 * told by how a request opens.
 *
 * @module
 */

import type { McpServer, Server } from '@modelcontextprotocol/server'
import { createMcpHandler } from 'agents/mcp/server'
import { MAX_MESSAGE_BYTES } from '../limits.ts'
import { parseBody, readBody } from './body.ts'
import { isRecord, looksPlain, plainError, readPlain, type PlainRequest } from './plain.ts'
import { createSessions, notFound, type SessionSubscriptions } from './sessions.ts'
import { createStreams } from './streams.ts'

export interface EndpointParts {
  /** Makes a server: for one request, or for a session that can subscribe. */
  readonly build: (subscriptions?: SessionSubscriptions) => McpServer | Server
  /** Answers a plain `tools/call`; without it the SDK does. */
  readonly quick?: (request: PlainRequest) => Promise<Response>
}

const SESSION = 'mcp-session-id'

export function createEndpoint(ctx: DurableObjectState, { build, quick }: EndpointParts) {
  const streams = createStreams(ctx)
  const sessions = createSessions(ctx.storage.sql, streams, build)
  const handler = createMcpHandler(() => build(), {
    corsOptions: false,
    allowedOriginHostnames: '*',
    maxRequestBodySize: MAX_MESSAGE_BYTES,
  })

  async function fetch(request: Request): Promise<Response> {
    const session = request.headers.get(SESSION)
    if (request.method === 'DELETE' && session) return sessions.carryOn(session, request, undefined)
    if (request.method !== 'POST') return methodNotAllowed()

    const body = await readBody(request)
    if (!body.ok) return body.error
    const json = parseBody(body.value)
    if (!json.ok) return json.error
    const message = json.value

    const plain =
      quick && looksPlain(request.headers, 'tools/call')
        ? readPlain(request.headers, message)
        : null
    if (quick && plain) return quick(plain)
    if (isLegacy(message)) {
      if (session) return sessions.carryOn(session, request, message)
      if (isRecord(message) && message['method'] === 'initialize')
        return sessions.begin(request, message)
    }
    // The handler reads method and headers from the request, and the message from here. The guard
    // has judged Host and Origin by now, and under a name of its own the handler leaves it at that.
    const { method, headers, signal } = request
    const bodiless = new Request('https://workspace/mcp', { method, headers, signal })
    return handler.fetch(bodiless, { parsedBody: message })
  }

  /** The stream of a session, or one that will say in its first message what it listens to. */
  function stream(request: Request): Response {
    const session = request.headers.get(SESSION)
    if (session !== null && !sessions.isKnown(session)) return notFound()
    return streams.open(session ?? undefined)
  }

  return { fetch, stream, streams, notify: handler.notify }
}

/** A request of the modern era carries an envelope; whatever else its envelope is worth. */
function isLegacy(message: unknown): boolean {
  const params = isRecord(message) ? message['params'] : undefined
  const meta = isRecord(params) ? params['_meta'] : undefined
  return !isRecord(meta) || !('io.modelcontextprotocol/protocolVersion' in meta)
}

function methodNotAllowed(): Response {
  const response = plainError(null, -32000, 'Method not allowed', 405)
  response.headers.set('allow', 'POST, GET, DELETE')
  return response
}
