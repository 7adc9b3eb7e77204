/**
 * Opens a session: the handshake in either era, and signing in if the server requires it.
 *
 * It reads the server's first result, with its capabilities, from the transport.
 *
 * @module
 */

import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import { isRecord, own, recordOf, type JsonRecord } from '#core/json.ts'
import { headersTo } from './address.ts'
import { answerQuestions, capabilitiesFor, CLIENT_INFO } from './client.ts'
import { lineOf, TIMEOUT_MS, type Line } from './line.ts'
import { tapped, type Tell } from './tap.ts'
import type { ConnectOptions, Era } from './types.ts'

/** Listeners of what arrives outside of a request's response. */
export interface Ears {
  /** A notification of the server. */
  notified(method: string, params: JsonRecord): void
  /** The client reported an error that belongs to no request. */
  failed(): void
}

const MODES: Readonly<Record<'auto' | Era, VersionNegotiationMode>> = {
  auto: 'auto',
  legacy: 'legacy',
  modern: { pin: '2026-07-28' },
}

/**
 * Opens a session. If the server requires signing in and `auth` is given, signs in and tries once
 * more.
 *
 * @throws The SDK's errors as they are; `open.ts` explains them.
 */
export async function openLine(options: ConnectOptions, ears: Ears): Promise<Line> {
  const attempt = newAttempt(options, ears)
  try {
    return await attempt.open()
  } catch (error) {
    if (!(error instanceof UnauthorizedError) || !options.auth) throw error
    await attempt.signIn()
    return newAttempt(options, ears).open()
  }
}

function newAttempt(options: ConnectOptions, ears: Ears) {
  const { url, headers, era = 'auto', signal, onTraffic, auth } = options
  const first = firstAnswer()
  const tell: Tell = (direction, message) => {
    onTraffic?.({ at: Date.now(), direction, message })
    first.look(direction, message)
    if (direction === 'received') hear(message, ears)
  }
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headersTo(url), ...headers } },
    ...(auth && { authProvider: auth.provider }),
    reconnectionOptions: RECONNECTION,
  })
  const client = new Client(CLIENT_INFO, {
    capabilities: capabilitiesFor(options),
    versionNegotiation: { mode: MODES[era] },
  })
  if (options.onElicitation) answerQuestions(client, options.onElicitation)

  async function signIn(): Promise<void> {
    if (auth) await transport.finishAuth(await auth.returned(signal))
  }

  async function open(): Promise<Line> {
    await client.connect(tapped(transport, tell), {
      timeout: TIMEOUT_MS,
      ...(signal && { signal }),
    })
    client.onerror = () => ears.failed()
    return lineOf(client, transport, first.definition(), options, signIn)
  }
  return { open, signIn }
}

// The SDK reopens a broken stream of the legacy era this often; after that, `reconnect.ts` takes over.
const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 2,
}

/** Captures the result of `initialize` or `server/discover`; the last one counts. */
function firstAnswer() {
  const asked = new Set<unknown>()
  let found: JsonRecord = {}
  function look(direction: 'sent' | 'received', message: unknown): void {
    if (!isRecord(message)) return
    const { id, method, result } = message
    if (direction === 'sent' && (method === 'initialize' || method === 'server/discover'))
      asked.add(id)
    else if (asked.has(id) && isRecord(result)) found = result
  }
  return { look, definition: () => found }
}

function hear(message: unknown, ears: Ears): void {
  if (!isRecord(message) || Object.hasOwn(message, 'id')) return
  const method = own(message, 'method')
  if (typeof method === 'string') ears.notified(method, recordOf(message['params']))
}
