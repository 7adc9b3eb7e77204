/**
 * The MCP endpoint inside an object: both protocol eras at one URL, for whoever is calling.
 *
 * Plain modern calls are answered at once. Other modern requests, and older ones without a session,
 * go to the SDK's handler; sessions of the older era have transports of their own. Which is which is
 * told by how a request opens. What is above the caller's reach is refused here, before any of them.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import { INTERNAL_ERROR, type McpServer, type Server } from '@modelcontextprotocol/server'
import { createMcpHandler } from 'agents/mcp/server'
import { isRecord } from '#core/json.ts'
import { MAX_MESSAGE_BYTES } from '../limits.ts'
import { callerOf, ceilingOf, type Caller } from '../sessions/caller.ts'
import type { Session, Sessions } from '../sessions/sessions.ts'
import { INVALID_PARAMS } from '../terms.ts'
import { parseBody, readBody } from './body.ts'
import { SOMETHING_WRONG } from './facts.ts'
import { createLegacy, idOf, notFound, type Subscriptions } from './legacy.ts'
import { configurationIn, looksPlain, plainError, readPlain, type PlainRequest } from './plain.ts'
import type { Streams } from './streams.ts'

export interface EndpointParts {
  readonly sessions: Sessions
  readonly streams: Streams
  readonly config: () => Config
  /** Makes a server: for one request, or for a session that can subscribe. */
  readonly build: (caller: Caller, subscriptions?: Subscriptions) => McpServer | Server
  /** Answers a plain `tools/call`; without it the SDK does. */
  readonly quick?: (request: PlainRequest, caller: Caller) => Promise<Response>
  /** The refusal of a request that is above what its caller may ever do, or null. */
  readonly beyondReach?: (message: unknown, caller: Caller) => Response | null
}

const SESSION = 'mcp-session-id'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

export function createEndpoint(parts: EndpointParts) {
  const { sessions, streams, config, build, quick, beyondReach = () => null } = parts
  const legacy = createLegacy({ sessions, streams, config, build })
  // The SDK's handler knows of no caller but its own, so ours goes along with the request.
  const callers = new WeakMap<Request, Caller>()
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo && callers.get(requestInfo)
      if (!caller) throw new Error('A request has no caller')
      return build(caller)
    },
    { corsOptions: false, allowedOriginHostnames: '*', maxRequestBodySize: MAX_MESSAGE_BYTES },
  )

  async function fetch(request: Request, caller: Caller): Promise<Response> {
    const session = request.headers.get(SESSION)
    // First of all, because an answer must not overtake what is still being sent.
    const body = await readBody(request)
    if (request.method === 'DELETE' && session)
      return legacy.carryOn(session, request, undefined, caller, () => null)
    if (request.method !== 'POST') return methodNotAllowed()
    if (!body.ok) return body.error
    const json = parseBody(body.value)
    if (!json.ok) return json.error
    const message = json.value

    // A session of the older era may have begun with a wider token than the one of this request.
    const check = (who: Caller) => beyondReach(message, caller) ?? beyondReach(message, who)
    if (isLegacy(message)) {
      if (session) return legacy.carryOn(session, request, message, caller, check)
      if (isRecord(message) && message['method'] === 'initialize')
        return legacy.begin(request, message, caller)
    }
    const configured = withConfiguration(message, caller)
    if (configured instanceof Response) return configured
    return check(configured) ?? serve(request, message, configured)
  }

  async function serve(request: Request, message: unknown, caller: Caller): Promise<Response> {
    const plain =
      quick && looksPlain(request.headers, 'tools/call')
        ? readPlain(request.headers, message)
        : null
    if (quick && plain) return quick(plain, caller).catch((error) => wentWrong(plain, error))
    // The handler reads method and headers from the request, and the message from here. The guard
    // has judged Host and Origin by now, and under a name of its own the handler leaves it at that.
    const { method, headers, signal } = request
    const bodiless = new Request('https://workspace/mcp', { method, headers, signal })
    callers.set(bodiless, caller)
    return handler.fetch(bodiless, { parsedBody: message })
  }

  /** The caller with the configuration that a modern request brings along. */
  function withConfiguration(message: unknown, caller: Caller): Caller | Response {
    const given = configurationIn(metaOf(message)?.[CAPABILITIES])
    if (given === undefined) return caller
    const chain = caller.session ? (sessions.chainOf(caller.session) ?? []) : []
    const configured = callerOf([...chain, configuringSession(given, caller)], config())
    const { session, base } = caller
    if (configured.ok) return { ...configured.value, session, base }
    return plainError(idOf(message), INVALID_PARAMS, configured.error, 400)
  }

  /** The stream of a session, or one that will say in its first message what it listens to. */
  function stream(request: Request, caller: Caller): Response {
    const session = request.headers.get(SESSION)
    if (session !== null && !legacy.find(session, caller)) return notFound()
    return streams.open(session ?? undefined, caller.session?.id ?? null)
  }

  return { fetch, stream, legacy, notify: handler.notify }
}

/** A configuration takes the form of a session that lasts for one request. */
function configuringSession(config: unknown, caller: Caller): Session {
  const { principal, session } = caller
  return {
    id: '',
    parent: session?.id ?? null,
    principal,
    label: '',
    config,
    policy: null,
    scopes: ceilingOf(caller),
    initialize: null,
    created: 0,
    expires: null,
  }
}

function metaOf(message: unknown): Record<string, unknown> | undefined {
  const params = isRecord(message) ? message['params'] : undefined
  const meta = isRecord(params) ? params['_meta'] : undefined
  return isRecord(meta) ? meta : undefined
}

/** A request of the modern era carries an envelope; whatever else its envelope is worth. */
function isLegacy(message: unknown): boolean {
  return !('io.modelcontextprotocol/protocolVersion' in (metaOf(message) ?? {}))
}

/** A bug is for the log; the client only learns that there was one, as from the SDK's handler. */
function wentWrong({ id }: PlainRequest, error: unknown): Response {
  console.error(error)
  return plainError(id, INTERNAL_ERROR, SOMETHING_WRONG)
}

function methodNotAllowed(): Response {
  const response = plainError(null, -32000, 'Method not allowed', 405)
  response.headers.set('allow', 'POST, GET, DELETE')
  return response
}
