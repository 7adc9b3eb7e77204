/**
 * The MCP endpoint inside an object: both protocol eras at one URL.
 *
 * Plain modern calls are answered at once. Other modern requests, and older ones without a session,
 * go to the SDK's handler; sessions of the older era have transports of their own. Which is which is
 * told by how a request opens.
 *
 * @module
 */

import { readRequestBody, type Server } from '@modelcontextprotocol/server'
import { createMcpHandler } from 'agents/mcp/server'
import { MAX_JSON_DEPTH, MAX_MESSAGE_BYTES } from '../limits.ts'
import {
  isRecord,
  looksPlain,
  nestsTooDeep,
  plainError,
  readPlain,
  type PlainRequest,
} from './plain.ts'
import { createSessions, notFound, type SessionSubscriptions } from './sessions.ts'
import { createStreams } from './streams.ts'

export interface EndpointParts {
  /** Makes a server: for one request, or for a session that can subscribe. */
  readonly build: (subscriptions?: SessionSubscriptions) => Server
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

    const body = await bodyOf(request)
    if (body.tooLarge)
      return plainError(null, -32000, `A message may have ${MAX_MESSAGE_BYTES} bytes`, 413)
    const message = parsed(body.text)
    if (message instanceof Response) return message

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

/** A body of known size is read by the runtime; one of unknown size is watched as it arrives. */
async function bodyOf(request: Request): ReturnType<typeof readRequestBody> {
  const length = Number(request.headers.get('content-length') ?? NaN)
  if (length > MAX_MESSAGE_BYTES) return { tooLarge: true }
  if (length >= 0) return { tooLarge: false, text: await request.text() }
  return readRequestBody(request, MAX_MESSAGE_BYTES)
}

function parsed(text: string): unknown {
  if (nestsTooDeep(text))
    return plainError(null, -32600, `The message nests deeper than ${MAX_JSON_DEPTH} levels`, 400)
  try {
    return JSON.parse(text)
  } catch {
    return plainError(null, -32700, 'Parse error: the body is not JSON', 400)
  }
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
