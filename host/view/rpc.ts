/**
 * JSON-RPC with an app, in both directions: every request ends, and messages are rate-limited.
 *
 * {@link Peer.receive} parses each message at the boundary. The sandbox has already checked that it
 * is JSON and not too long, which costs this page no time. A request of the app ends by its
 * handler, its cancellation or the view's end; a request to the app by its response, its timeout or
 * the view's end.
 *
 * @module
 */

import { isRecord, isString, recordOf, type JsonRecord } from '#core/json.ts'
import { INVALID_REQUEST, REFUSED, refused, ViewError } from './errors.ts'
import { MAX_BURST, MAX_ERROR_MESSAGE, MAX_RATE, MAX_REQUESTS } from './limits.ts'

type Id = string | number
type Post = (message: JsonRecord) => void
type RequestHandler = (method: string, params: JsonRecord, signal: AbortSignal) => Promise<unknown>

const isId = (id: unknown): id is Id => isString(id) || Number.isFinite(id)

/** One end of a JSON-RPC connection. */
export interface Peer {
  /** Processes a message of the app; returns false if it is not a valid message. */
  readonly receive: (data: unknown) => boolean
  /** Sends a request; rejects with a `ViewError` or, after `timeout` milliseconds, a `TimeoutError`. */
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
 * @param onNotification Receives the app's notifications.
 */
export function createPeer(
  send: Post,
  answer: RequestHandler,
  onNotification: (method: string, params: JsonRecord) => void,
): Peer {
  const ended = new AbortController()
  const post: Post = (message) => send({ jsonrpc: '2.0', ...message })
  const [request, settle] = createRequests(post, ended.signal)
  const [work, cancel] = createWork(post, answer, ended.signal)

  function receive(data: unknown): boolean {
    const { jsonrpc, id, method, params = {}, result, error } = recordOf(data)
    const isRpc = jsonrpc === '2.0'
    const isCall = isRpc && isString(method) && isRecord(params)
    const isResponse = isRpc && method === undefined && (result !== undefined || isRecord(error))
    if (isCall && id === undefined) {
      if (method === 'notifications/cancelled') cancel(params['requestId'])
      else onNotification(method, params)
    } else if (isCall && isId(id)) void work(id, method, params)
    else if (isResponse && isId(id)) settle(id, result, error)
    else {
      if (isId(id)) postError(post, id, new ViewError(INVALID_REQUEST, 'Invalid request'))
      return false
    }
    return true
  }

  return {
    receive,
    request,
    notify: (method, params) => post({ method, params }),
    close: () => ended.abort(refused('The app is not ready')),
  }
}

/** Requests to the app that have no response yet. */
function createRequests(post: Post, ended: AbortSignal) {
  const pending = new Map<Id, PromiseWithResolvers<unknown>>()
  let last = 0

  async function request(method: string, params: JsonRecord, timeout: number): Promise<unknown> {
    const id = ++last
    const response = Promise.withResolvers<unknown>()
    pending.set(id, response)
    post({ id, method, params })
    return withTimeout(timeout, ended, () => response.promise).finally(() => pending.delete(id))
  }

  function settle(id: Id, result: unknown, error: unknown): void {
    if (isRecord(error)) pending.get(id)?.reject(readError(error))
    else pending.get(id)?.resolve(result)
  }
  return [request, settle] as const
}

/** Requests of the app that are being handled. */
function createWork(post: Post, answer: RequestHandler, ended: AbortSignal) {
  const running = new Map<unknown, AbortController>()

  async function work(id: Id, method: string, params: JsonRecord): Promise<void> {
    if (running.has(id) || running.size >= MAX_REQUESTS)
      return postError(post, id, new ViewError(INVALID_REQUEST, 'Too many requests'))
    const control = new AbortController()
    const { signal } = control
    running.set(id, control)
    try {
      const result = await answer(method, params, AbortSignal.any([signal, ended]))
      if (!signal.aborted) post({ id, result })
    } catch (error) {
      if (!signal.aborted) postError(post, id, error)
    } finally {
      running.delete(id)
    }
  }
  const cancel = (id: unknown) => running.get(id)?.abort()
  return [work, cancel] as const
}

/** JSON-RPC error codes are negative; those of other errors, such as DOMException, are not. */
const isCode = (code: unknown): code is number => Number.isInteger(code) && Number(code) < 0

function readError({ code, message }: JsonRecord): ViewError<number> {
  return new ViewError(isCode(code) ? code : REFUSED, String(message))
}

/** Posts the JSON-RPC error of a failure: code, message and data, but no stack. */
function postError(post: Post, id: Id, failure: unknown): void {
  const { code, message, data } = recordOf(failure)
  post({
    id,
    error: {
      code: isCode(code) ? code : REFUSED,
      message: String(message).slice(0, MAX_ERROR_MESSAGE),
      ...(data !== undefined && { data }),
    },
  })
}

/**
 * Creates the rate limiter for an app's messages: a full token bucket.
 *
 * @returns A function that takes the time in milliseconds and returns whether a message is allowed.
 */
export function createRateLimiter(): (now: number) => boolean {
  let left = MAX_BURST
  let before = 0
  return (now) => {
    left = Math.min(MAX_BURST, left + ((now - before) * MAX_RATE) / 1000) - 1
    before = now
    return left >= 0
  }
}

/**
 * Runs `work` with a time limit.
 *
 * @param ms The limit in milliseconds.
 * @param outer Aborts it earlier.
 * @throws The reason of the abort: that of `outer`, or a `TimeoutError`.
 */
export async function withTimeout<T>(
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
