/**
 * JSON-RPC 2.0 over `postMessage` with one other window.
 *
 * Messages from any other window are ignored. Each request ends with its response, with the
 * caller's signal, or at its time limit; in the last two cases the host receives
 * `notifications/cancelled`, so that it can stop as well.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { BridgeError, CODES } from './error.ts'
import type { CallOptions } from './types.ts'

/** The other end of a JSON-RPC connection. */
export interface Peer {
  /**
   * Sends a request.
   *
   * @returns The result.
   * @throws {BridgeError} For an error response, a missing response or a closed connection; the
   *   reason of the signal if it aborts.
   */
  request(method: string, params: object, options?: CallOptions): Promise<unknown>
  /** Sends a notification. */
  notify(method: string, params: object): void
  /** Stops listening and rejects pending requests. */
  close(): void
}

/** Handlers of the other side's messages. */
export interface Handlers {
  /** Answers a request; undefined if the method is unknown. */
  readonly answer: (method: string, params: JsonRecord) => Promise<object> | undefined
  /** Receives a notification. */
  readonly hear: (method: string, params: JsonRecord) => void
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (reason: unknown) => void
}

/** Default time limit in milliseconds; long, because the host may have to ask the user. */
const LONGEST_WAIT = 600_000

/** Longest delay that timers support; the browser treats larger values as 0. */
const MOST_DELAY = 2 ** 31 - 1

const INITIALIZE = 'ui/initialize'

/** Opens a connection to a window and starts listening for its messages. */
export function createPeer(other: Window, { answer, hear }: Handlers): Peer {
  const waiting = new Map<unknown, Waiting>()
  let last = 0

  // The view's own origin is opaque and the host's origin is unknown, so any origin may receive the
  // message; only this window does.
  const send = (message: object) => other.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const notify = (method: string, params: object) => send({ method, params })

  async function reply(id: unknown, method: string, params: JsonRecord) {
    try {
      const result = await answer(method, params)
      if (result) send({ id, result })
      else send({ id, error: { code: CODES.unknownMethod, message: 'Method not found' } })
    } catch (error) {
      send({ id, error: { code: CODES.failed, message: messageOf(error) } })
    }
  }

  function settle(id: unknown, { error, result }: JsonRecord) {
    const request = waiting.get(id)
    if (isRecord(error)) request?.reject(errorOf(error))
    else request?.resolve(result)
  }

  function receive({ source, data }: MessageEvent<unknown>) {
    if (source !== other || !isRecord(data) || data['jsonrpc'] !== '2.0') return
    const { id, method } = data
    const params = recordOf(data['params'])
    if (typeof method !== 'string') settle(id, data)
    else if (id === undefined) hear(method, params)
    else void reply(id, method, params)
  }

  function request(method: string, params: object, options: CallOptions = {}): Promise<unknown> {
    const { signal, timeoutMs = LONGEST_WAIT } = options
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++last
    const stop = (reason: unknown) => {
      if (method !== INITIALIZE)
        notify('notifications/cancelled', { requestId: id, reason: messageOf(reason) })
      reject(reason)
    }
    const late = () => stop(new BridgeError(CODES.timeout, `${method}: no answer in time`))
    const aborted = () => stop(signal?.reason)
    if (signal?.aborted) return Promise.reject(signal.reason)
    send({ id, method, params })
    waiting.set(id, { resolve, reject })
    signal?.addEventListener('abort', aborted)
    const timer = setTimeout(late, Math.min(timeoutMs, MOST_DELAY))
    return promise.finally(() => {
      waiting.delete(id)
      clearTimeout(timer)
      signal?.removeEventListener('abort', aborted)
    })
  }

  function close() {
    removeEventListener('message', receive)
    for (const { reject } of waiting.values())
      reject(new BridgeError(CODES.failed, 'The connection was closed'))
  }

  addEventListener('message', receive)
  return { request, notify, close }
}

function errorOf({ code, message, data }: JsonRecord): BridgeError {
  const known = typeof code === 'number' ? code : CODES.failed
  return new BridgeError(known, typeof message === 'string' ? message : 'Unknown error', data)
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
