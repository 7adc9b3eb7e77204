/**
 * Opens a session: the handshake in either era, and signing in if the server requires it. A failure
 * is explained as exactly as a page can know it.
 *
 * The server's first result, with its capabilities, is read from the transport, because the SDK
 * drops members that it does not know.
 *
 * @module
 */

import './no-eval.ts'
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import { isRecord, own, recordOf, type JsonRecord } from '#core/json.ts'
import { MODERN_PROTOCOL } from '#core/wire.ts'
import { findUnreachableCause, headersFor } from './address.ts'
import { answerServer, capabilitiesFor, CLIENT_INFO } from './client.ts'
import {
  CANCELLED,
  ConnectionError,
  type ConnectionProblem,
  makeProblem,
  problemOf,
} from './errors.ts'
import type { Events } from './events.ts'
import { fetchInTurns } from './schedule.ts'
import { createSession, TIMEOUT_MS, type Session } from './session.ts'
import { wrapTransport } from './transport.ts'
import type { ConnectOptions, Era, TrafficEntry } from './connection.ts'

/** What arrives outside of a request's response. */
export interface SessionEvents {
  readonly notification: { readonly method: string; readonly params: JsonRecord }
  /** The client reported an error that belongs to no request. */
  readonly error: null
}

const MODES: Readonly<Record<'auto' | Era, VersionNegotiationMode>> = {
  auto: 'auto',
  legacy: 'legacy',
  modern: { pin: MODERN_PROTOCOL },
}

/**
 * Opens a session. If the server requires signing in and `auth` is given, signs in and tries once
 * more.
 *
 * @throws {ConnectionError} With the explained problem; `onUnauthorized` is called first if it is
 *   401.
 */
export async function openSession(
  options: ConnectOptions,
  events: Events<SessionEvents>,
): Promise<Session> {
  try {
    return await openOrSignIn(options, events)
  } catch (error) {
    const problem = await explainProblem(problemOf(error), options)
    if (problem.kind === 'unauthorized') options.onUnauthorized?.(problem)
    throw new ConnectionError(problem, { cause: error })
  }
}

/**
 * Refines a problem: finds the cause of an unreachable server, and recognises a refused
 * configuration.
 *
 * @returns The more exact problem, or the same one.
 */
export async function explainProblem(
  problem: ConnectionProblem,
  { url, configuration, signal }: ConnectOptions,
): Promise<ConnectionProblem> {
  if (signal?.aborted) return CANCELLED
  if (problem.kind === 'unreachable') return findUnreachableCause(url)
  const refused = problem.kind === 'protocol' && configuration !== undefined
  return refused
    ? makeProblem('configuration', `The server refuses the configuration: ${problem.message}`)
    : problem
}

async function openOrSignIn(
  options: ConnectOptions,
  events: Events<SessionEvents>,
): Promise<Session> {
  const attempt = createAttempt(options, events)
  try {
    return await attempt.open()
  } catch (error) {
    if (!(error instanceof UnauthorizedError) || !options.auth) throw error
    await attempt.signIn()
    return createAttempt(options, events).open()
  }
}

/** Prepares a client and a transport, which are good for one handshake. */
function createAttempt(options: ConnectOptions, events: Events<SessionEvents>) {
  const { era = 'auto', signal, onTraffic, auth } = options
  const transport = createTransport(options)
  const client = new Client(CLIENT_INFO, {
    capabilities: capabilitiesFor(options),
    versionNegotiation: { mode: MODES[era] },
  })
  answerServer(client, options)

  async function signIn(): Promise<void> {
    await auth?.complete((params) => transport.finishAuth(params), signal)
  }

  async function open(): Promise<Session> {
    const handshake = captureDefinition()
    const logged = wrapTransport(transport, (direction, message) => {
      onTraffic?.({ at: Date.now(), direction, message })
      handshake.look(direction, message)
      if (direction === 'received') emitIncoming(message, events)
    })
    await client.connect(logged, { timeout: TIMEOUT_MS, ...(signal && { signal }) })
    client.onerror = () => events.emit('error', null)
    return createSession({ client, transport, definition: handshake.definition(), options, signIn })
  }
  return { open, signIn }
}

function createTransport({ url, headers, auth }: ConnectOptions): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    fetch: fetchInTurns((input, init) => fetch(input, init)),
    requestInit: { headers: { ...headersFor(url), ...headers } },
    ...(auth && { authProvider: auth.provider }),
    reconnectionOptions: RECONNECTION,
  })
}

// The SDK reopens a broken stream of the legacy era this often; after that, `reconnect.ts` takes over.
const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 2,
}

/** Captures the result of `initialize` or `server/discover`; the last one counts. */
function captureDefinition() {
  const requested = new Set<unknown>()
  let definition: JsonRecord = {}
  function look(direction: TrafficEntry['direction'], message: unknown): void {
    if (!isRecord(message)) return
    const { id, method, result } = message
    if (direction === 'sent' && (method === 'initialize' || method === 'server/discover'))
      requested.add(id)
    else if (requested.has(id) && isRecord(result)) definition = result
  }
  return { look, definition: () => definition }
}

function emitIncoming(message: unknown, events: Events<SessionEvents>): void {
  if (!isRecord(message) || Object.hasOwn(message, 'id')) return
  const method = own(message, 'method')
  if (typeof method === 'string')
    events.emit('notification', { method, params: recordOf(message['params']) })
}
