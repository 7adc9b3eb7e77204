/**
 * One client session: the official client over one HTTP transport, in either era, until it breaks.
 *
 * Results are passed on as received, because the SDK's schemas drop members that they do not know;
 * `parse.ts` parses them.
 *
 * @module
 */

import {
  UnauthorizedError,
  type Client,
  type StandardSchemaV1,
  type StreamableHTTPClientTransport,
  type SubscriptionFilter,
} from '@modelcontextprotocol/client'
import { isDeeper, isRecord, type JsonRecord } from '#core/json.ts'
import { CAPABILITIES_META } from '#core/wire.ts'
import { capabilitiesFor } from './client.ts'
import { parseProgress, parseServer } from './parse.ts'
import type { CallOptions, ConnectOptions, Era } from './connection.ts'
import type { ServerFacts } from './types.ts'

/** One open session over one transport. */
export interface Session {
  readonly era: Era
  /** The negotiated protocol version; empty if there is none. */
  readonly version: string
  /** The `Mcp-Session-Id` of the legacy era; null if there is none. */
  readonly session: string | null
  readonly server: ServerFacts
  readonly instructions: string
  /** The result of `initialize` or `server/discover`, as received. */
  readonly definition: JsonRecord
  request(method: string, params?: JsonRecord, options?: CallOptions): Promise<JsonRecord>
  /** Opens a notification stream (modern era). */
  listen(filter: SubscriptionFilter): Promise<NotificationStream>
  /** Ends the session, at the server too if it has an id there, and closes the client. */
  close(): Promise<void>
}

export interface NotificationStream {
  /** How it ended: `local` by `close()`, `graceful` by the server, `remote` by a failure. */
  readonly closed: Promise<'local' | 'graceful' | 'remote'>
  close(): Promise<void>
}

/** Default time to wait for a response. */
export const TIMEOUT_MS = 60_000
/** Limit (ms) on a whole call, also if it reports progress; the client enforces it. */
export const MAX_CALL_MS = 600_000
/** Time to wait for a notification stream to open. */
const LISTEN_TIMEOUT_MS = 15_000
/** Time to wait for the server to confirm the end of a session. */
const END_TIMEOUT_MS = 2_000

/** What a session is made of. */
export interface SessionParts {
  /** A client that has completed the handshake. */
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport
  /** The result of `initialize` or `server/discover`, as received. */
  readonly definition: JsonRecord
  readonly options: ConnectOptions
  /** Waits for the user to sign in; used if a request fails for lack of authorization. */
  readonly signIn: () => Promise<void>
}

/** Wraps a connected client as a session. */
export function createSession(parts: SessionParts): Session {
  const { client, transport, definition, options } = parts
  return {
    era: client.getProtocolEra() ?? 'legacy',
    version: client.getNegotiatedProtocolVersion() ?? '',
    session: transport.sessionId ?? null,
    server: parseServer(client.getServerVersion(), options.url),
    instructions: client.getInstructions() ?? '',
    definition,
    request: (method, params = {}, callOptions = {}) =>
      sendWithSignIn(parts, () => send(parts, { method, params }, callOptions)),
    listen: (filter) => client.listen(filter, { timeout: LISTEN_TIMEOUT_MS }),
    close: () => end(client, transport),
  }
}

/**
 * Sends a request; if its token expired or lacks a scope, waits for the sign-in that the provider
 * has already started, and sends it again.
 */
async function sendWithSignIn<T>(
  { options, signIn }: SessionParts,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof UnauthorizedError) || !options.auth) throw error
    await signIn()
    return attempt()
  }
}

async function send(
  { client, options }: SessionParts,
  { method, params }: { method: string; params: JsonRecord },
  { signal, timeoutMs = TIMEOUT_MS, onProgress, meta, isDecidedHere = false }: CallOptions,
): Promise<JsonRecord> {
  const { onElicitation: _asks, ...quiet } = options
  const isModern = client.getProtocolEra() === 'modern'
  const own = isDecidedHere && isModern && { [CAPABILITIES_META]: capabilitiesFor(quiet) }
  const body = meta || own ? { ...params, _meta: { ...meta, ...own } } : { ...params }
  return client.request({ method, params: body }, AS_RECEIVED, {
    timeout: timeoutMs,
    maxTotalTimeout: Math.max(timeoutMs, MAX_CALL_MS),
    ...(signal && { signal }),
    ...(onProgress && {
      resetTimeoutOnProgress: true,
      onprogress: (progress) => onProgress(parseProgress(progress)),
    }),
  })
}

async function end(client: Client, transport: StreamableHTTPClientTransport): Promise<void> {
  client.onerror = () => {}
  const confirmed = transport.terminateSession().catch(() => {})
  await Promise.race([confirmed, new Promise((done) => setTimeout(done, END_TIMEOUT_MS))])
  await client.close()
}

/** Most levels of a result: a deeper one overflows the stack where it is shown, logged or copied. */
const MAX_LEVELS = 500

/** A schema that accepts every object, unless it is nested too deeply, and leaves it as it is. */
const AS_RECEIVED: StandardSchemaV1<unknown, JsonRecord> = {
  '~standard': {
    version: 1,
    vendor: 'edgewise',
    validate: (value) => {
      if (!isRecord(value)) return { issues: [{ message: 'the result is not an object' }] }
      return isDeeper(value, MAX_LEVELS)
        ? { issues: [{ message: `the result has more than ${MAX_LEVELS} levels` }] }
        : { value }
    },
  },
}
