/**
 * The app's side of the protocol, by hand: a test must not share code with its subject.
 *
 * Every message is kept in order, so that a check can also find one that came too early or should not
 * have come.
 *
 * @module
 */

import { fields, type Fields } from './outcome.ts'

export interface Received {
  readonly at: number
  readonly origin: string
  readonly message: Fields
}

export type Answer =
  | { readonly type: 'result'; readonly result: Fields }
  | { readonly type: 'error'; readonly code: unknown; readonly message: unknown }
  | { readonly type: 'late' }

export interface Wire {
  /** What the host sent, in its order. */
  readonly received: readonly Received[]
  /** Origins of messages from other windows. */
  readonly otherSources: readonly string[]
  request(method: string, params?: unknown, patienceMs?: number): Promise<Answer>
  notify(method: string, params?: unknown): void
  /** Posts any value. */
  post(message: unknown): void
  /** Hears notifications, and answers requests with what the listener answers. */
  on(method: string, listener: (params: Fields, message: Fields) => unknown): void
  /** The notifications and requests of one name. */
  of(method: string): readonly Received[]
}

const PATIENCE_MS = 20_000

export function openWire(host: Window): Wire {
  const received: Received[] = []
  const otherSources: string[] = []
  const waiting = new Map<unknown, (answer: Answer) => void>()
  const listeners = new Map<string, (params: Fields, message: Fields) => unknown>()
  let last = 0

  const post = (message: unknown) => host.postMessage(message, '*')

  async function dispatch(method: string, message: Fields): Promise<void> {
    const result = await listeners.get(method)?.(fields(message['params']), message)
    if (!('id' in message)) return
    if (listeners.has(method)) post({ jsonrpc: '2.0', id: message['id'], result: result ?? {} })
    else post({ jsonrpc: '2.0', id: message['id'], error: { code: -32601, message: 'Unknown' } })
  }

  window.addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== host) return void otherSources.push(origin)
    const message = fields(data)
    received.push({ at: performance.now(), origin, message })
    const method = message['method']
    if (typeof method === 'string') return void dispatch(method, message)
    waiting.get(message['id'])?.(answerOf(message))
    waiting.delete(message['id'])
  })

  function request(method: string, params: unknown = {}, patienceMs = PATIENCE_MS) {
    const id = ++last
    return new Promise<Answer>((resolve) => {
      waiting.set(id, resolve)
      setTimeout(() => resolve({ type: 'late' }), patienceMs)
      post({ jsonrpc: '2.0', id, method, params })
    })
  }

  return {
    received,
    otherSources,
    request,
    notify: (method, params = {}) => post({ jsonrpc: '2.0', method, params }),
    post,
    on: (method, listener) => void listeners.set(method, listener),
    of: (method) => received.filter(({ message }) => message['method'] === method),
  }
}

function answerOf(message: Fields): Answer {
  if (!('error' in message)) return { type: 'result', result: fields(message['result']) }
  const { code, message: text } = fields(message['error'])
  return { type: 'error', code, message: text }
}
