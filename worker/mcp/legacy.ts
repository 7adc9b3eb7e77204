/**
 * The older protocol era: its sessions, from `initialize` to their end.
 *
 * Plain requests are answered from the row of the session. Every other request goes to the SDK server of the session
 * (`legacy-servers.ts`). `test/platform/mcp/legacy.test.ts` has the cases.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import { recordOf } from '#core/json.ts'
import { BATCH_PROTOCOL } from '#core/wire.ts'
import * as z from 'zod/mini'
import { lastScopes } from '../access/ceiling.ts'
import { INVALID_PARAMS } from '../access/metadata.ts'
import { shortText } from '../errors/short.ts'
import { MAX_INITIALIZE_BYTES } from '../limits.ts'
import { callerOf, type Caller } from '../access/caller.ts'
import { cutLabel, type Session } from '../access/session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Challenge } from './challenge.ts'
import { idOf, respondError, respondUnknownSession } from '../json-rpc.ts'
import { connect, restore, type LegacyServers, type Live } from './legacy-servers.ts'
import { configurationIn, readPlainLegacy, type Direct } from './plain-request.ts'

/** Returns the caller that a session is now, limited to the scopes of a token. */
export type SessionCaller = (session: Session, token: readonly string[] | null) => Caller | null

/** The services that legacy sessions use. */
export interface LegacyParts extends Omit<LegacyServers, 'live'> {
  readonly sessions: Sessions
  readonly config: () => Config
  readonly sessionCaller: SessionCaller
  /** Returns what a model reads about the server, which names the skills of its caller. */
  readonly instructionsFor: (caller: Caller) => string
  readonly direct?: Direct
  /** Notes a request of a session, before it is answered, and whether it is a call. */
  readonly arrive?: (caller: Caller, isCall: boolean) => void
  /** Returns the 403 of a request that lacks a scope of its caller's token, or null. */
  readonly challenge: Challenge
  /** The caller of each request, while it is served. */
  readonly callers: WeakMap<Request, Caller>
}

/** The services of legacy sessions, and the sessions that have a server in memory. */
type LegacyContext = LegacyParts & LegacyServers

/**
 * Manages the sessions of the older era. A session is found only for a caller with the same parent session.
 */
export function createLegacy(parts: LegacyParts) {
  const context: LegacyContext = { ...parts, live: new Map() }
  return {
    begin: (request: Request, initialize: InitializeMessage, caller: Caller) =>
      begin(context, request, initialize, caller),
    serveSession: (session: string, request: Request, body: unknown, caller: Caller) =>
      serveSession(context, { id: session, request, caller }, body),
    end: (id: string, request: Request, caller: Caller) => end(context, { id, request, caller }),
    find: (id: string, caller: Caller) => find(context, id, caller),
    /** Notes a request of a session that opens a stream. */
    arrive: (session: Session, { token }: Caller) => {
      const known = context.sessionCaller(session, token)
      if (known) context.arrive?.(known, false)
    },
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
  const fault = faultOfInitialize(body)
  if (fault !== null) return respondError(idOf(body), INVALID_PARAMS, fault, 400)
  const session = newSession(body, caller)
  const above = caller.session ? (context.sessions.chainOf(caller.session) ?? []) : []
  const known = callerOf([...above, session], context.config(), caller.token)
  if (!known.ok) return respondError(idOf(body), INVALID_PARAMS, known.error, 400)
  const instructions = context.instructionsFor(known.value)
  const { transport } = await connect(context, { id: session.id, caller, instructions })
  context.callers.set(request, { ...known.value, base: caller.base })
  const response = await transport.handleRequest(request, { parsedBody: body })
  if (response.ok) context.sessions.make(session, null)
  else context.live.delete(session.id)
  return response
}

const CAPABILITY = z.optional(z.looseObject({}))

/** Capabilities by name, none of which is null. */
const CAPABILITIES = z.optional(z.record(z.string(), z.looseObject({})))

/** What an `initialize` request has at least (specification of 2025-11-25, section Lifecycle). */
const Initialize = z.looseObject({
  params: z.looseObject({
    protocolVersion: z.string(),
    capabilities: z.looseObject({
      experimental: CAPABILITIES,
      extensions: CAPABILITIES,
      roots: CAPABILITY,
      sampling: CAPABILITY,
      elicitation: CAPABILITY,
      tasks: CAPABILITY,
    }),
    clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
  }),
})

/** Says which field of an `initialize` request is wrong: to the SDK it is then any other request. Null if none is. */
function faultOfInitialize(body: unknown): string | null {
  const [first] = Initialize.safeParse(body).error?.issues ?? []
  if (!first) return null
  const field = first.path.slice(1).join('.')
  return shortText(`Invalid params for initialize: ${field}: ${first.message}`)
}

/** Serves a request of an existing session. */
async function serveSession(
  context: LegacyContext,
  { id, request, caller }: SessionRequest,
  body: unknown,
): Promise<Response> {
  const session = findOwn(context, id, caller)
  // A token of this request may have fewer scopes than the one that the session began with.
  const found = session && context.sessionCaller(session, caller.token)
  if (!session || !found) return respondUnknownSession()
  const known = { ...found, base: caller.base }
  context.arrive?.(known, recordOf(body)['method'] === 'tools/call')
  const plain = context.direct && readPlainLegacy(request.headers, body)
  const answered = plain && context.direct?.legacy(plain, known, id)
  if (answered) return answered
  const refused = context.challenge(body, known)
  if (refused) return refused
  const held = context.live.get(id) ?? (await restore(context, session, caller))
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
  if (!session) return respondUnknownSession()
  const held = context.live.get(id) ?? (await restore(context, session, caller))
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
