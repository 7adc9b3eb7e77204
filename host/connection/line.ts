/**
 * One line to a server: the official client on one HTTP transport, in either era, until it breaks.
 *
 * Results are taken as they come, because the SDK's schemas drop what they do not know; `read.ts`
 * reads them.
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

/** How long an answer may take. */
export const TIMEOUT_MS = 60_000
/** With progress a call may take longer, up to this. */
const LONGEST_CALL_MS = 600_000
/** A stream that is not begun by then will not be. */
const LISTEN_MS = 15_000

/** Ends of a session are polite, and nobody waits for them for long. */
const GOODBYE_MS = 2_000

/** A line over a client that is connected. */
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
