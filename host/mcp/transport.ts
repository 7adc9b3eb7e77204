/**
 * The transport between the SDK's client and its HTTP transport. It sees what the client's schemas drop later, such as
 * unknown members of annotations and of the first result, and it notices what the client does not: a response that ends
 * without the result of its request.
 *
 * `test/pages/console/no-result.slow.test.ts` has such responses, and `test/host/mcp/transport.test.ts` those that only look
 * like them.
 *
 * @module
 */

import { isJSONRPCRequest, SdkHttpError, type Transport } from '@modelcontextprotocol/client'
import { isRecord } from '#core/json.ts'
import { readTolerantly } from './tolerance.ts'

type Send = Transport['send']

/**
 * Receives each message, `{ http: { status, text } }` for a failed send, and `{ note }` for what was read in another
 * form than it was received.
 */
export type MessageListener = (direction: 'sent' | 'received', message: unknown) => void

/**
 * Wraps a transport so that a listener receives each message, and a request without a result fails at once.
 *
 * @param inner Its `onmessage`, `onclose` and `onerror` are taken over.
 * @returns The transport to give to the client.
 */
export function wrapTransport(inner: Transport, log: MessageListener): Transport {
  const requests = new OpenRequests((message) => outer.onmessage?.(message))
  const outer: Transport = {
    hasPerRequestStream: inner.hasPerRequestStream ?? false,
    get sessionId() {
      return inner.sessionId
    },
    start: () => inner.start(),
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    async send(message, options) {
      log('sent', message)
      try {
        await requests.send(inner, message, options)
      } catch (error) {
        log('received', describeHttpError(error))
        throw error
      }
    },
  }
  inner.onmessage = (given) => {
    log('received', given)
    const { message, notes } = readTolerantly(given)
    for (const note of notes) log('received', { note })
    requests.note(message)
    outer.onmessage?.(message)
  }
  inner.onclose = () => outer.onclose?.()
  inner.onerror = (error) => outer.onerror?.(error)
  return outer
}

/** Describes the HTTP error that came in place of a message. */
function describeHttpError(error: unknown) {
  const text = error instanceof Error ? error.message : String(error)
  return { http: { status: error instanceof SdkHttpError ? (error.status ?? null) : null, text } }
}

/** An internal error, as JSON-RPC names it. */
const NO_RESULT = {
  code: -32603,
  message: 'The server’s response ended without a result.',
} as const

/**
 * The requests without a response so far. A server answers each in the HTTP response to it (MCP, section Streamable
 * HTTP), so that one without it is over; the SDK waits until its timeout. Some servers with sessions of the legacy era
 * send the result in the session's own stream all the same, so there the timeout decides.
 */
class OpenRequests {
  readonly #ids = new Set<unknown>()
  readonly #respond: NonNullable<Transport['onmessage']>

  /** @param respond Receives the error response of a request that failed. */
  constructor(respond: NonNullable<Transport['onmessage']>) {
    this.#respond = respond
  }

  /** Sends a message; the request in it fails when its HTTP response has ended without a result. */
  async send(inner: Transport, message: Parameters<Send>[0], options: Parameters<Send>[1]) {
    // A caller that listens to the end of the stream, as that of a subscription, expects no result.
    if (!isJSONRPCRequest(message) || options?.onRequestStreamEnd)
      return inner.send(message, options)
    const { id } = message
    this.#ids.add(id)
    const end = () => {
      if (inner.sessionId === undefined) this.#fail(id)
    }
    let isStream = false
    await inner.send(message, {
      ...options,
      // The SDK reads this only where the response is a stream, and does not wait for the end of it.
      get onRequestStreamEnd() {
        isStream = true
        return end
      },
    })
    if (!isStream) end()
  }

  /** Notes a message of the server, which may be a response. As the SDK, it takes the text of a number for the number. */
  note(message: unknown): void {
    if (!isRecord(message) || 'method' in message) return
    const { id } = message
    this.#ids.delete(id)
    this.#ids.delete(Number(id))
  }

  #fail(id: string | number): void {
    if (this.#ids.delete(id)) this.#respond({ jsonrpc: '2.0', id, error: NO_RESULT })
  }
}
