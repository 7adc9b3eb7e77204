/**
 * JSON-RPC with an app, in both directions; every request ends.
 *
 * {@link Peer.receive} parses each message at the boundary. The sandbox has already checked that it
 * is JSON and not too long, which costs this page no time. A request of the app ends by its
 * handler, its cancellation or the view's end; a request to the app by its response, its timeout or
 * the view's end.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { Fault, INVALID_REQUEST, REFUSED, refused } from './fault.ts'
import { isText } from './json.ts'
import { MAX_REQUESTS } from './limits.ts'

type Id = string | number

const isId = (id: unknown): id is Id => isText(id) || Number.isFinite(id)

/** One end of a JSON-RPC connection. */
export interface Peer {
  /** Processes a message of the app; returns false if it is not a valid message. */
  readonly receive: (data: unknown) => boolean
  /** Sends a request; rejects with a `Fault` or, after `timeout` milliseconds, a `TimeoutError`. */
  readonly request: (method: string, params: JsonRecord, timeout: number) => Promise<unknown>
  readonly notify: (method: string, params: JsonRecord) => void
  /** Aborts all requests in both directions. */
  readonly close: () => void
}

/**
 * Creates the host's end.
 *
 * @param send Posts a message to the app.
 * @param answer Handles a request of the app; the signal aborts on cancellation.
 * @param told Receives the app's notifications.
 */
export function createPeer(
  send: (message: JsonRecord) => void,
  answer: (method: string, params: JsonRecord, signal: AbortSignal) => Promise<unknown>,
  told: (method: string, params: JsonRecord) => void,
): Peer {
  const asked = new Map<Id, PromiseWithResolvers<unknown>>()
  const working = new Map<unknown, AbortController>()
  const ended = new AbortController()
  let last = 0

  const post = (message: JsonRecord) => send({ jsonrpc: '2.0', ...message })
  const fail = (id: Id, error: unknown) => post({ id, error: wireError(error) })

  async function work(id: Id, method: string, params: JsonRecord): Promise<void> {
    if (working.has(id) || working.size >= MAX_REQUESTS)
      return fail(id, new Fault(INVALID_REQUEST, 'Too many requests'))
    const control = new AbortController()
    const { signal } = control
    working.set(id, control)
    try {
      const result = await answer(method, params, AbortSignal.any([signal, ended.signal]))
      if (!signal.aborted) post({ id, result })
    } catch (error) {
      if (!signal.aborted) fail(id, error)
    } finally {
      working.delete(id)
    }
  }

  function receive(data: unknown): boolean {
    const { jsonrpc, id, method, params = {}, result, error } = recordOf(data)
    const whole = jsonrpc === '2.0'
    const called = whole && isText(method) && isRecord(params)
    const answers = whole && method === undefined && (result !== undefined || isRecord(error))
    if (called && id === undefined) tellOf(method, params)
    else if (called && isId(id)) void work(id, method, params)
    else if (answers && isId(id)) settle(id, result, error)
    else {
      if (isId(id)) fail(id, new Fault(INVALID_REQUEST, 'Invalid request'))
      return false
    }
    return true
  }

  function tellOf(method: string, params: JsonRecord): void {
    if (method === 'notifications/cancelled') working.get(params['requestId'])?.abort()
    else told(method, params)
  }

  function settle(id: Id, result: unknown, error: unknown): void {
    if (isRecord(error)) asked.get(id)?.reject(faultOf(error))
    else asked.get(id)?.resolve(result)
  }

  async function request(method: string, params: JsonRecord, timeout: number): Promise<unknown> {
    const id = ++last
    const pending = Promise.withResolvers<unknown>()
    asked.set(id, pending)
    post({ id, method, params })
    return within(timeout, ended.signal, () => pending.promise).finally(() => asked.delete(id))
  }

  return {
    receive,
    request,
    notify: (method, params) => post({ method, params }),
    close: () => ended.abort(refused('The app is not ready')),
  }
}

/** JSON-RPC error codes are negative; those of other errors, such as DOMException, are not. */
const isCode = (code: unknown): code is number => Number.isInteger(code) && Number(code) < 0

function faultOf({ code, message }: JsonRecord): Fault<number> {
  return new Fault(isCode(code) ? code : REFUSED, String(message))
}

/** Builds the JSON-RPC error of a failure: code, message and data, but no stack. */
function wireError(error: unknown): JsonRecord {
  const { code, message, data } = recordOf(error)
  return {
    code: isCode(code) ? code : REFUSED,
    message: String(message).slice(0, 1_000),
    ...(data !== undefined && { data }),
  }
}

/**
 * Runs `work` with a time limit.
 *
 * @param ms The limit in milliseconds.
 * @param outer Aborts it earlier.
 * @throws The reason of the abort: that of `outer`, or a `TimeoutError`.
 */
export async function within<T>(
  ms: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const signal = AbortSignal.any([outer, AbortSignal.timeout(ms)])
  signal.throwIfAborted()
  signal.addEventListener('abort', () => reject(signal.reason))
  return Promise.race([work(signal), promise])
}
