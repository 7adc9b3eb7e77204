/**
 * One line to a server: the official client on one HTTP transport, in either era, until it breaks.
 *
 * Results are taken as they come, because the SDK's schemas drop what they do not know; `read.ts`
 * reads them. The first answer, where a server says what it is, is caught on its way.
 *
 * @module
 */

import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type StandardSchemaV1,
  type SubscriptionFilter,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import { headersTo } from './address.ts'
import { answerQuestions, capabilitiesFor, CLIENT_INFO } from './client.ts'
import { isRecord, memberOf, progressOf, recordOf, serverOf } from './read.ts'
import { tapped, type Tell } from './tap.ts'
import type { CallOptions, ConnectOptions, Era, JsonRecord, ServerFacts } from './types.ts'

export interface Line {
  readonly era: Era
  readonly version: string
  readonly session: string | null
  readonly server: ServerFacts
  readonly instructions: string
  /** The answer to `initialize` or `server/discover`, as it came. */
  readonly definition: JsonRecord
  request(method: string, params?: JsonRecord, options?: CallOptions): Promise<JsonRecord>
  /** Hears of changes until it ends; `remote` is an end that nobody asked for. */
  listen(filter: SubscriptionFilter): Promise<Listening>
  /** Ends it, and its session where there is one. */
  close(): Promise<void>
}

export interface Listening {
  readonly closed: Promise<'local' | 'graceful' | 'remote'>
  close(): Promise<void>
}

/** Who is told of what comes unasked. */
export interface Ears {
  notified(method: string, params: JsonRecord): void
  /** Something failed that no request waits for. */
  failed(): void
}

const TIMEOUT_MS = 60_000
/** With progress a call may take longer, up to this. */
const LONGEST_CALL_MS = 600_000
/** A stream that is not begun by then will not be. */
const LISTEN_MS = 15_000

/** Ends of a session are polite, and nobody waits for them for long. */
const GOODBYE_MS = 2_000

const MODES: Readonly<Record<'auto' | Era, VersionNegotiationMode>> = {
  auto: 'auto',
  legacy: 'legacy',
  modern: { pin: '2026-07-28' },
}

/** Opens a line. Where the server asks to sign in and there is a way to, it is opened once more. */
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

// When a stream of the older era breaks off, the SDK opens it again; what it cannot mend, we do.
const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 2,
}

function lineOf(
  client: Client,
  transport: StreamableHTTPClientTransport,
  definition: JsonRecord,
  { url, auth }: ConnectOptions,
  signIn: () => Promise<void>,
): Line {
  async function once(method: string, params: JsonRecord, options: CallOptions) {
    const { signal, timeoutMs = TIMEOUT_MS, onProgress, meta } = options
    const body = meta ? { ...params, _meta: meta } : { ...params }
    return client.request({ method, params: body }, AS_IT_COMES, {
      timeout: timeoutMs,
      maxTotalTimeout: Math.max(timeoutMs, LONGEST_CALL_MS),
      ...(signal && { signal }),
      ...(onProgress && {
        resetTimeoutOnProgress: true,
        onprogress: (progress) => onProgress(progressOf(progress)),
      }),
    })
  }

  async function request(method: string, params: JsonRecord = {}, options: CallOptions = {}) {
    try {
      return await once(method, params, options)
    } catch (error) {
      // The token has run out, or allows too little: the person was sent to sign in again.
      if (!(error instanceof UnauthorizedError) || !auth) throw error
      await signIn()
      return once(method, params, options)
    }
  }

  async function close(): Promise<void> {
    client.onerror = () => {}
    const goodbye = transport.terminateSession().catch(() => {})
    await Promise.race([goodbye, new Promise((done) => setTimeout(done, GOODBYE_MS))])
    await client.close()
  }

  return {
    era: client.getProtocolEra() ?? 'legacy',
    version: client.getNegotiatedProtocolVersion() ?? '',
    session: transport.sessionId ?? null,
    server: serverOf(client.getServerVersion(), url),
    instructions: client.getInstructions() ?? '',
    definition,
    request,
    listen: (filter) => client.listen(filter, { timeout: LISTEN_MS }),
    close,
  }
}

/** Lets every result through that is an object. */
const AS_IT_COMES: StandardSchemaV1<unknown, JsonRecord> = {
  '~standard': {
    version: 1,
    vendor: 'edgewise',
    validate: (value) =>
      isRecord(value) ? { value } : { issues: [{ message: 'the result is no object' }] },
  },
}

/** Looks out for what the server says of itself; the last such answer counts. */
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
  const method = memberOf(message, 'method')
  if (typeof method === 'string') ears.notified(method, recordOf(message['params']))
}
