/**
 * One client session: the official client over one HTTP transport, in either era, until it breaks.
 *
 * Results are passed on as received, because the SDK's schemas drop members that they do not know;
 * `read.ts` parses them.
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
import { isRecord, type JsonRecord } from '#core/json.ts'
import { progressOf, serverOf } from './read.ts'
import type { CallOptions, ConnectOptions, Era, ServerFacts } from './types.ts'

/** One open session over one transport. */
export interface Line {
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
  listen(filter: SubscriptionFilter): Promise<Listening>
  /** Ends the session, at the server too if it has an id there, and closes the client. */
  close(): Promise<void>
}

/** An open notification stream. */
export interface Listening {
  /** How it ended: `local` by `close()`, `graceful` by the server, `remote` by a failure. */
  readonly closed: Promise<'local' | 'graceful' | 'remote'>
  close(): Promise<void>
}

/** Default time to wait for a response. */
export const TIMEOUT_MS = 60_000
/** Limit of a call that reports progress. */
const LONGEST_CALL_MS = 600_000
/** Time to wait for a notification stream to open. */
const LISTEN_MS = 15_000

/** Time to wait for the server to confirm the end of a session. */
const GOODBYE_MS = 2_000

/**
 * Wraps a connected client as a session.
 *
 * @param definition The result of `initialize` or `server/discover`, as received.
 * @param signIn Waits for the user to sign in; used if a request fails for lack of authorization.
 */
export function lineOf(
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
      // The token expired or lacks a scope, and the provider has already sent the user to sign in again.
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

/** A schema that accepts every object and leaves it as it is. */
const AS_IT_COMES: StandardSchemaV1<unknown, JsonRecord> = {
  '~standard': {
    version: 1,
    vendor: 'edgewise',
    validate: (value) =>
      isRecord(value) ? { value } : { issues: [{ message: 'the result is no object' }] },
  },
}
