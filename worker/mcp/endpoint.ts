/**
 * The MCP endpoint inside an object: both protocol eras at one URL, for one caller at a time.
 *
 * Plain requests are answered directly. Other modern requests, and older ones without a session, go to the
 * SDK's handler; sessions of the older era have transports of their own. A request that lacks a scope of its
 * token is answered with a 403 here, because only that makes a standard client request more.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import type { Config } from '#core/config.ts'
import {
  BATCH_PROTOCOL,
  CAPABILITIES_META,
  declaresApps,
  declaresUrlElicitation,
  PROTOCOL_META,
} from '#core/wire.ts'
import { INVALID_PARAMS } from '../access/metadata.ts'
import { draftOwnerOf, readClaimedName } from '../access/draft-owner.ts'
import { MAX_BATCH, MAX_MESSAGE_BYTES, MAX_NAME_LENGTH } from '../limits.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { withConfiguration, type Caller } from '../access/caller.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Body } from './message-body.ts'
import { acceptsBoth, withBothNamed } from './accept.ts'
import { malformedMember, parseMessage } from './envelope.ts'
import type { Challenge } from './challenge.ts'
import { createLegacy, type SessionCaller } from './legacy.ts'
import { originOf } from './identity.ts'
import { loadSdk, type BuildServer, type CallerSource, type Sdk } from './load-sdk.ts'
import {
  configurationIn,
  isJson,
  looksPlain,
  readPlain,
  readPlainLegacy,
  type Direct,
} from './plain-request.ts'
import { idOf, respondError, respondTooManyCalls, respondUnknownSession } from '../json-rpc.ts'
import { LAST_EVENT_ID } from './resume.ts'
import type { Streams } from './streams.ts'

/** The services that an endpoint uses. */
export interface EndpointParts {
  readonly sessions: Sessions
  readonly streams: Streams
  /** Returns the configuration of the workspace, as it is now. */
  readonly config: () => Config
  readonly build: BuildServer
  /** Returns what a model reads about the server, which names the skills of its caller. */
  readonly instructionsFor?: (caller: Caller) => string
  /** Returns the caller that a session is with a token; null if it, or a session above it, has ended. */
  readonly sessionCaller: SessionCaller
  /** Notes a request of a session, before it is answered, and whether it is a call. */
  readonly arrive?: (caller: Caller, isCall: boolean) => void
  /** Answers plain requests; without it the SDK does. */
  readonly direct?: Direct
  readonly challenge?: Challenge
  /** Lists the messages of a session, beyond notifications of changes, that its client may have missed. */
  readonly missed?: (session: string) => readonly unknown[]
  /** Counts further calls of a caller. Returns the seconds it has to wait, or 0. */
  readonly wait?: (caller: Caller, calls: number) => number
}

const SESSION = 'mcp-session-id'
const VERSION = 'mcp-protocol-version'

/** The services of an endpoint, and the caller of each request that is given to an SDK transport. */
interface EndpointContext extends EndpointParts {
  readonly challenge: Challenge
  readonly callers: WeakMap<Request, Caller>
  readonly legacy: ReturnType<typeof createLegacy>
  /** The SDK's handler, created on first use. */
  readonly handler: () => Promise<Handler>
}

type Handler = ReturnType<Sdk['createMcpHandler']>

/** The endpoint of a workspace. */
export type Endpoint = ReturnType<typeof createEndpoint>

/** Creates the endpoint of a workspace. */
export function createEndpoint(parts: EndpointParts) {
  const { challenge = () => null, instructionsFor = () => '' } = parts
  const callers = new WeakMap<Request, Caller>()
  const callerOf: CallerSource = ({ http }) => {
    const caller = http?.req && callers.get(http.req)
    if (!caller) throw new Error('A request has no caller')
    return caller
  }
  const legacy = createLegacy({ ...parts, challenge, instructionsFor, callers, callerOf })
  let created: Handler | null = null
  const handler = async () =>
    (created ??= createHandler(await loadSdk(), { ...parts, instructionsFor, callers, callerOf }))
  const context: EndpointContext = { ...parts, challenge, callers, legacy, handler }
  return {
    fetch: (request: Request, body: Body, caller: Caller) => answer(context, request, body, caller),
    stream: (request: Request, caller: Caller) => openStream(context, request, caller),
    legacy,
    /** The SDK's notifications to the streams that it holds. */
    notifier: async () => (await handler()).notify,
  }
}

interface HandlerParts extends Pick<EndpointParts, 'build'> {
  readonly instructionsFor: (caller: Caller) => string
  readonly callers: WeakMap<Request, Caller>
  readonly callerOf: CallerSource
}

function createHandler(sdk: Sdk, parts: HandlerParts): Handler {
  const { build, instructionsFor, callers, callerOf } = parts
  const buildFor = ({ requestInfo }: { readonly requestInfo?: Request | undefined }) => {
    const caller = requestInfo && callers.get(requestInfo)
    const isDiscovery = requestInfo?.headers.get('mcp-method') === 'server/discover'
    const instructions = caller && isDiscovery ? instructionsFor(caller) : ''
    return build(sdk, { callerOf, origin: originOf(caller?.base ?? ''), instructions })
  }
  return sdk.createMcpHandler(buildFor, {
    corsOptions: false,
    allowedOriginHostnames: '*',
    maxRequestBodySize: MAX_MESSAGE_BYTES,
  })
}

/** Answers a request whose body has arrived: access is computed after that, so the caller is current. */
function answer(
  context: EndpointContext,
  received: Request,
  body: Body,
  caller: Caller,
): MaybePromise<Response> {
  const request = withBothNamed(received)
  const { headers } = request
  const session = headers.get(SESSION)
  if (request.method === 'DELETE' && session) return context.legacy.end(session, request, caller)
  if (request.method !== 'POST') return methodNotAllowed()
  if (!body.ok) return body.error
  const json = parseMessage(body.value)
  if (!json.ok) return json.error
  const message = json.value
  const fault = faultOf(message, headers) ?? faultOfBatch(context, message, request, caller)
  if (fault) return fault
  if (!isLegacy(message)) return serveModern(context, request, message, caller)
  if (!acceptsBoth(request)) return respondError(idOf(message), -32000, NOT_ACCEPTABLE, 406)
  if (session) return context.legacy.serveSession(session, request, message, caller)
  if (isRecord(message) && message['method'] === 'initialize') {
    const initialize = { body: message, length: body.value.length }
    return context.legacy.begin(request, initialize, caller)
  }
  const plain = context.direct && readPlainLegacy(request.headers, message)
  const answered = plain && context.direct?.legacy(plain, caller, null)
  return answered ?? serve(context, request, message, caller)
}

const NOT_ACCEPTABLE =
  'Not Acceptable: a POST must accept both application/json and text/event-stream'

/** Each message of a batch is a request of its own; the first has been counted with the HTTP request. */
function faultOfBatch(
  context: EndpointContext,
  message: unknown,
  request: Request,
  caller: Caller,
): Response | null {
  if (!Array.isArray(message)) return null
  const session = request.headers.get(SESSION)
  const version = session
    ? context.legacy.versionOf(session, caller)
    : (request.headers.get(VERSION) ?? BATCH_PROTOCOL)
  if (version !== BATCH_PROTOCOL)
    return invalid(`JSON-RPC batches exist in revision ${BATCH_PROTOCOL} only`)
  if (message.length === 0 || message.length > MAX_BATCH)
    return invalid(`A batch must have 1 to ${MAX_BATCH} messages`)
  if (message.some((one) => isRecord(one) && one['method'] === 'initialize'))
    return invalid('initialize must not be part of a batch')
  const fault = message.map((one) => faultOf(one, request.headers)).find((one) => one !== null)
  if (fault) return fault
  const seconds = context.wait?.(caller, message.length - 1) ?? 0
  return seconds === 0 ? null : respondTooManyCalls(seconds)
}

/** Applies the capabilities and the configuration that a modern request carries. */
function serveModern(
  context: EndpointContext,
  request: Request,
  message: unknown,
  caller: Caller,
): MaybePromise<Response> {
  const meta = metaOf(message)
  const capabilities = meta?.[CAPABILITIES_META]
  const client = withName(withCapabilities(caller, capabilities), readClaimedName(meta))
  const given = configurationIn(capabilities)
  if (given === undefined) return answerModern(context, request, message, client)
  const configured = withConfiguration(client, given)
  if (configured.ok) return answerModern(context, request, message, configured.value)
  // A client that is refused this reports that it cannot negotiate a version, and drops the reason.
  if (isRecord(message) && message['method'] === 'server/discover')
    return answerModern(context, request, message, client)
  return respondError(idOf(message), INVALID_PARAMS, configured.error, 400)
}

function answerModern(
  context: EndpointContext,
  request: Request,
  message: unknown,
  caller: Caller,
): MaybePromise<Response> {
  const { direct } = context
  const { headers, signal } = request
  const isPlain = DIRECT.some((method) => looksPlain(headers, method))
  const plain = direct && isPlain ? readPlain(headers, message) : null
  return direct && plain
    ? direct.modern(plain, caller, signal)
    : serve(context, request, message, caller)
}

/** The methods whose plain requests of the modern era are answered without the SDK. */
const DIRECT = ['tools/call', 'server/discover']

/** Adds what the client can show, if it can show anything. */
function withCapabilities(caller: Caller, capabilities: unknown): Caller {
  const showsApps = declaresApps(capabilities)
  const opensUrls = declaresUrlElicitation(capabilities)
  if (!showsApps && !opensUrls) return caller
  return {
    ...caller,
    showsApps: showsApps || caller.showsApps,
    urlElicitation: opensUrls ? 'modern' : null,
  }
}

const withName = (caller: Caller, claimedName: string | undefined): Caller =>
  claimedName === undefined ? caller : { ...caller, claimedName }

/** Has the SDK's handler answer a request. */
async function serve(
  context: EndpointContext,
  request: Request,
  message: unknown,
  caller: Caller,
): Promise<Response> {
  const refused = context.challenge(message, caller)
  if (refused) return refused
  // The handler reads method and headers from the request, and the message from `parsedBody`. The guard has
  // checked Host and Origin, and for a host name of its own the handler does not check them again.
  const { method, headers, signal } = request
  const bodiless = new Request('https://workspace/mcp', { method, headers, signal })
  context.callers.set(bodiless, caller)
  const handler = await context.handler()
  return handler.fetch(bodiless, { parsedBody: message })
}

/** Opens the stream of a session, or one whose first message says what it listens to. */
function openStream(context: EndpointContext, request: Request, caller: Caller): Response {
  const session = request.headers.get(SESSION)
  const known = session === null ? null : context.legacy.find(session, caller)
  if (session !== null && !known) return respondUnknownSession()
  if (known) context.legacy.arrive(known, caller)
  const draft = session ?? draftOwnerOf(caller).key
  const listener = { session: session ?? caller.session?.id ?? null, token: caller.token, draft }
  const response = context.streams.open(session ?? undefined, listener, caller.budget)
  if (session !== null && request.headers.has(LAST_EVENT_ID))
    context.streams.resume(session, context.missed?.(session) ?? [])
  return response
}

/**
 * Returns the refusal of a message that has no valid form, or a name that is too long to be echoed; or null. Every
 * message of every request passes here, so no method checks the length of a name again.
 */
function faultOf(message: unknown, headers: Headers): Response | null {
  const { id, method, params } = recordOf(message)
  if (isTooLong(id)) return invalid(`id has more than ${MAX_NAME_LENGTH} characters`)
  if (isTooLong(method))
    return invalid(`method has more than ${MAX_NAME_LENGTH} characters`, message)
  // The SDK does not say which member it is, and mostly leaves out the id. It refuses other media types before.
  const isShapeless = Array.isArray(message) || !isJson(headers)
  const malformed = isShapeless ? null : malformedMember(message)
  if (malformed !== null) return invalid(malformed, message)
  const field = longFieldOf(recordOf(params))
  if (field === null) return null
  const detail = `Invalid params: ${field} has more than ${MAX_NAME_LENGTH} characters`
  return respondError(idOf(message), INVALID_PARAMS, detail, 400)
}

function longFieldOf({ name, uri, _meta: meta }: JsonRecord): string | null {
  if (isTooLong(name)) return 'name'
  if (isTooLong(uri)) return 'uri'
  return isTooLong(recordOf(meta)['progressToken']) ? 'progressToken' : null
}

const isTooLong = (value: unknown) => typeof value === 'string' && value.length > MAX_NAME_LENGTH

function invalid(reason: string, message: unknown = null): Response {
  return respondError(idOf(message), -32600, `Invalid Request: ${reason}`, 400)
}

function metaOf(message: unknown): Record<string, unknown> | undefined {
  const params = isRecord(message) ? message['params'] : undefined
  const meta = isRecord(params) ? params['_meta'] : undefined
  return isRecord(meta) ? meta : undefined
}

/** A modern request carries an envelope, whether or not the rest of it is valid. */
function isLegacy(message: unknown): boolean {
  return !(PROTOCOL_META in (metaOf(message) ?? {}))
}

function methodNotAllowed(): Response {
  const response = respondError(null, -32000, 'Method not allowed', 405)
  response.headers.set('allow', 'POST, GET, DELETE')
  return response
}
