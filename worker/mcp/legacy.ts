/**
 * The older protocol era: sessions, and one SDK transport and server for each that needs them.
 *
 * The state of a session is its `initialize` request, so that is what its row stores. Plain requests are
 * answered from the row. For every other request after an eviction, the `initialize` is replayed to a new
 * server, and the client notices nothing.
 *
 * @module
 */

import { CONFIG_SCHEMA } from '#core/config/schema.ts'
import type { Config } from '#core/config.ts'
import type {
  JSONRPCMessage,
  McpServer,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { isRecord, recordOf } from '#core/json.ts'
import { BATCH_PROTOCOL } from '#core/wire.ts'
import { lastScopes } from '../access/ceiling.ts'
import { INVALID_PARAMS } from '../access/metadata.ts'
import { MAX_INITIALIZE_BYTES } from '../limits.ts'
import { callerOf, type Caller } from '../sessions/caller.ts'
import { cutLabel, type Session, type Sessions } from '../sessions/sessions.ts'
import type { BuildServer, CallerSource, Challenge, SessionCaller } from './endpoint.ts'
import { configurationIn, readPlainLegacy, type Direct } from './plain-request.ts'
import { respondError } from './json-rpc.ts'
import { loadSdk } from './load-sdk.ts'
import type { Streams } from './streams.ts'

/** Maximum number of session servers in memory; the others are restored on demand. */
const MAX_LIVE = 64

interface Live {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly server: McpServer | Server
}

/** The resource subscriptions of one session. */
export interface Subscriptions {
  /** Returns false when there is no room for one more. */
  add(uri: string): boolean
  remove(uri: string): void
}

/** The services that legacy sessions use. */
export interface LegacyParts {
  readonly sessions: Sessions
  readonly streams: Streams
  readonly config: () => Config
  readonly build: BuildServer
  readonly sessionCaller: SessionCaller
  readonly direct?: Direct
  /** Returns the 403 of a request that lacks a scope of its caller's token, or null. */
  readonly challenge: Challenge
  /** The caller of each request, while it is served. */
  readonly callers: WeakMap<Request, Caller>
  readonly callerOf: CallerSource
}

/** The services of legacy sessions, and the sessions that have a server in memory. */
interface LegacyContext extends LegacyParts {
  readonly live: Map<string, Live>
}

/**
 * Manages the sessions of the older era. A session is found only for a caller with the same parent session.
 */
export function createLegacy(parts: LegacyParts) {
  const context: LegacyContext = { ...parts, live: new Map() }
  return {
    begin: (request: Request, initialize: InitializeMessage, caller: Caller) =>
      begin(context, request, initialize, caller),
    carryOn: (session: string, request: Request, body: unknown, caller: Caller) =>
      carryOn(context, { id: session, request, caller }, body),
    end: (id: string, request: Request, caller: Caller) => end(context, { id, request, caller }),
    find: (id: string, caller: Caller) => find(context, id, caller),
    versionOf: (id: string, caller: Caller) => findVersion(context, id, caller),
    ended: (id: string) => context.live.delete(id),
  }
}

/** A message with its length in bytes. */
export interface InitializeMessage {
  readonly body: unknown
  readonly length: number
}

/** A request of a session, with its caller. */
interface SessionRequest {
  readonly id: string
  readonly request: Request
  readonly caller: Caller
}

/** Starts a session with an `initialize` request. */
async function begin(
  context: LegacyContext,
  request: Request,
  { body, length }: InitializeMessage,
  caller: Caller,
): Promise<Response> {
  if (length > MAX_INITIALIZE_BYTES)
    return respondError(
      null,
      -32600,
      `Invalid Request: initialize has more than ${MAX_INITIALIZE_BYTES} bytes`,
      413,
    )
  const session = newSession(body, caller)
  const above = caller.session ? (context.sessions.chainOf(caller.session) ?? []) : []
  const known = callerOf([...above, session], context.config(), caller.token)
  if (!known.ok) return respondError(idOf(body), INVALID_PARAMS, known.error, 400)
  const { transport } = await connect(context, session.id, caller.budget)
  context.callers.set(request, { ...known.value, base: caller.base })
  const response = await transport.handleRequest(request, { parsedBody: body })
  if (response.ok) context.sessions.make(session, null)
  else context.live.delete(session.id)
  return response
}

/** Serves a request of an existing session. */
async function carryOn(
  context: LegacyContext,
  { id, request, caller }: SessionRequest,
  body: unknown,
): Promise<Response> {
  const session = findOwn(context, id, caller)
  // A token of this request may have fewer scopes than the one that the session began with.
  const found = session && context.sessionCaller(session, caller.token)
  if (!session || !found) return notFound()
  const known = { ...found, base: caller.base }
  const plain = context.direct && readPlainLegacy(request.headers, body)
  const answered = plain && context.direct?.legacy(plain, known, id)
  if (answered) return answered
  const refused = context.challenge(body, known)
  if (refused) return refused
  const held = context.live.get(id) ?? (await restore(context, session, caller.budget))
  context.live.delete(id)
  context.live.set(id, held)
  context.callers.set(request, known)
  const response = await held.transport.handleRequest(request, { parsedBody: body })
  endCancelled(session, held, body)
  return response
}

/**
 * Ends the stream of the request that a message cancels: its result never comes, and the SDK keeps the stream open. In
 * the revision with batches, other requests may be answered on the same stream, so it stays.
 */
function endCancelled(session: Session, { transport }: Live, body: unknown): void {
  const { method, params } = recordOf(body)
  const id = recordOf(params)['requestId']
  if (method !== 'notifications/cancelled' || versionOf(session) === BATCH_PROTOCOL) return
  if (typeof id === 'string' || typeof id === 'number') transport.closeSSEStream(id)
}

/** Ends a session. */
async function end(
  context: LegacyContext,
  { id, request, caller }: SessionRequest,
): Promise<Response> {
  const session = find(context, id, caller)
  if (!session) return notFound()
  const held = context.live.get(id) ?? (await restore(context, session, caller.budget))
  context.sessions.end(id)
  return held.transport.handleRequest(request)
}

/** Returns a live session, if it belongs to the caller. */
function find(context: LegacyContext, id: string, caller: Caller): Session | null {
  const session = findOwn(context, id, caller)
  return session && context.sessions.chainOf(session) ? session : null
}

/** The same without a look at the sessions above it. */
function findOwn(context: LegacyContext, id: string, caller: Caller): Session | null {
  const session = context.sessions.find(id)
  if (!session || session.initialize === null) return null
  return session.parent === (caller.session?.id ?? null) ? session : null
}

/** Returns the protocol revision of a session's `initialize`, which may be any JSON. */
function findVersion(context: LegacyContext, id: string, caller: Caller): unknown {
  const session = find(context, id, caller)
  return session && versionOf(session)
}

const versionOf = ({ initialize }: Session) =>
  recordOf(recordOf(initialize)['params'])['protocolVersion']

async function restore(context: LegacyContext, session: Session, budget: string): Promise<Live> {
  const held = await connect(context, session.id, budget)
  await replay(held.transport, session)
  return held
}

async function connect(context: LegacyContext, id: string, budget: string): Promise<Live> {
  const sdk = await loadSdk()
  const server = context.build(sdk, context.callerOf, {
    add: (uri) => context.streams.subscribe(id, uri, budget),
    remove: (uri) => context.streams.unsubscribe(id, uri),
  })
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
  })
  const send = transport.send.bind(transport)
  // A message that answers no request goes to the stream that the Worker holds for this session.
  transport.send = async (message, options) => {
    const answers = 'result' in message || 'error' in message
    if (answers) return send(inOlderEra(message), options)
    if (options?.relatedRequestId !== undefined) return send(message, options)
    context.streams.send(id, message)
  }
  await server.connect(transport)
  const held = { transport, server }
  context.live.set(id, held)
  for (const oldest of context.live.keys()) {
    if (context.live.size <= MAX_LIVE) break
    context.live.delete(oldest)
  }
  return held
}

function newSession(body: unknown, caller: Caller): Session {
  const params = recordOf(recordOf(body)['params'])
  const info = recordOf(params['clientInfo'])
  return {
    id: crypto.randomUUID() + crypto.randomUUID(),
    parent: caller.session?.id ?? null,
    principal: caller.principal,
    label: typeof info['name'] === 'string' ? cutLabel(info['name']) : 'client',
    config: configurationIn(params['capabilities']) ?? null,
    policy: null,
    scopes: lastScopes(caller.working.ceiling),
    inherited: null,
    budget: caller.budget,
    initialize: body,
    transfer: null,
    created: Date.now(),
    expires: null,
  }
}

/** Converts a response to the form of the older revisions. */
function inOlderEra(message: JSONRPCMessage): JSONRPCMessage {
  return 'error' in message ? withOlderCode(message) : withSchema(message)
}

/** A missing resource was -32002 before revision 2026-07-28; the SDK has only the newer code. */
function withOlderCode<T extends { readonly error: { code: number; data?: unknown } }>(
  message: T,
): T {
  const { code, data } = message.error
  const isMissing = code === INVALID_PARAMS && typeof recordOf(data)['uri'] === 'string'
  return isMissing ? { ...message, error: { ...message.error, code: RESOURCE_NOT_FOUND } } : message
}

const RESOURCE_NOT_FOUND = -32002

/** The mcp4h proposals have the schema at the top of the `initialize` result, where the SDK has no field. */
function withSchema(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message) || !('protocolVersion' in message.result)) return message
  return { ...message, result: { ...message.result, configSchema: CONFIG_SCHEMA } }
}

/** Returns the id of a request, or null. */
export function idOf(body: unknown): string | number | null {
  const id = isRecord(body) ? body['id'] : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** Replays the `initialize` of a session to a new server. */
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

/** Builds the 404 of an unknown session. */
export function notFound(): Response {
  return respondError(null, -32001, 'Session not found', 404)
}
