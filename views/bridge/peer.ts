/**
 * JSON-RPC over `postMessage`, with one other window and nobody else.
 *
 * A message from any other window is not looked at. Each request ends: with its answer, with the
 * caller's signal, or when its time is up, and the host is told of the last two so that it can stop
 * as well.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { BridgeError, CODES } from './error.ts'
import type { CallOptions } from './types.ts'

export interface Peer {
  request(method: string, params: object, options?: CallOptions): Promise<unknown>
  notify(method: string, params: object): void
  close(): void
}

/** What to do with what the other side sends. */
export interface Handlers {
  /** Answers a request; undefined where there is no such method. */
  readonly answer: (method: string, params: JsonRecord) => Promise<object> | undefined
  readonly hear: (method: string, params: JsonRecord) => void
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (reason: unknown) => void
}

/** A person may have to be asked before an answer can come. */
const LONGEST_WAIT = 600_000

/** The browser takes more for no time at all. */
const MOST_DELAY = 2 ** 31 - 1

const INITIALIZE = 'ui/initialize'

export function createPeer(other: Window, { answer, hear }: Handlers): Peer {
  const waiting = new Map<unknown, Waiting>()
  let last = 0

  // Our origin is opaque, and that of the host is not ours to know: any may receive it, and only
  // this window does.
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
