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

/** Handlers of the other side's messages. */
export interface Handlers {
  /** Handles a request; undefined if the method is unknown. */
  readonly request: (method: string, params: JsonRecord) => Promise<object> | undefined
  /** Handles a notification. */
  readonly notification: (method: string, params: JsonRecord) => void
}

type Pending = PromiseWithResolvers<unknown>

/** Default time limit in milliseconds; long, because the host may have to ask the user. */
const DEFAULT_TIMEOUT_MS = 600_000

/** Longest delay that timers support; the browser treats larger values as 0. */
const MAX_DELAY_MS = 2 ** 31 - 1

const INITIALIZE = 'ui/initialize'

/** A JSON-RPC connection to another window. It listens from its creation until `close()`. */
export class Peer {
  readonly #other: Window
  readonly #handlers: Handlers
  readonly #pending = new Map<unknown, Pending>()
  #lastId = 0

  /** Starts listening for messages of a window. */
  constructor(other: Window, handlers: Handlers) {
    this.#other = other
    this.#handlers = handlers
    addEventListener('message', this.#receive)
  }

  /**
   * Sends a request.
   *
   * @returns The result.
   * @throws {BridgeError} For an error response, a missing response or a closed connection; the
   *   reason of the signal if it aborts.
   */
  async request(method: string, params: object, options: CallOptions = {}): Promise<unknown> {
    const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options
    signal?.throwIfAborted()
    const pending = Promise.withResolvers<unknown>()
    const id = ++this.#lastId
    const cancel = (reason: unknown) => {
      if (method !== INITIALIZE)
        this.notify('notifications/cancelled', { requestId: id, reason: messageOf(reason) })
      pending.reject(reason)
    }
    const abort = () => cancel(signal?.reason)
    const timeOut = () =>
      cancel(new BridgeError(CODES.timeout, `${method}: no response within ${timeoutMs} ms`))
    this.#send({ id, method, params })
    this.#pending.set(id, pending)
    signal?.addEventListener('abort', abort)
    const timer = setTimeout(timeOut, Math.min(timeoutMs, MAX_DELAY_MS))
    return pending.promise.finally(() => {
      this.#pending.delete(id)
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    })
  }

  /** Sends a notification. */
  notify(method: string, params: object): void {
    this.#send({ method, params })
  }

  /** Stops listening and rejects pending requests. */
  close(): void {
    removeEventListener('message', this.#receive)
    for (const { reject } of this.#pending.values())
      reject(new BridgeError(CODES.failed, 'The connection was closed'))
  }

  // The view's own origin is opaque and the host's origin is unknown, so any origin may receive the
  // message; only this window does.
  #send(message: object): void {
    this.#other.postMessage({ jsonrpc: '2.0', ...message }, '*')
  }

  readonly #receive = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== this.#other || !isRecord(data) || data['jsonrpc'] !== '2.0') return
    const { id, method } = data
    const params = recordOf(data['params'])
    if (typeof method !== 'string') this.#settle(id, data)
    else if (id === undefined) this.#handlers.notification(method, params)
    else void this.#respond(id, method, params)
  }

  async #respond(id: unknown, method: string, params: JsonRecord): Promise<void> {
    try {
      const result = await this.#handlers.request(method, params)
      if (result) this.#send({ id, result })
      else this.#send({ id, error: { code: CODES.unknownMethod, message: 'Method not found' } })
    } catch (error) {
      this.#send({ id, error: { code: CODES.failed, message: messageOf(error) } })
    }
  }

  #settle(id: unknown, { error, result }: JsonRecord): void {
    const request = this.#pending.get(id)
    if (isRecord(error)) request?.reject(parseError(error))
    else request?.resolve(result)
  }
}

function parseError({ code, message, data }: JsonRecord): BridgeError {
  const known = typeof code === 'number' ? code : CODES.failed
  return new BridgeError(known, typeof message === 'string' ? message : 'Unknown error', data)
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
