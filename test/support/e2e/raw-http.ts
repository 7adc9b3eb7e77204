/**
 * Requests on connections of their own, because a test that was busy for a while finds an older one
 * closed; and requests that `fetch` would never send, with any header and a body that does not come.
 *
 * @module
 */

import { Agent, request } from 'node:http'

export interface Answer {
  readonly status: number
  readonly body: string
}

export function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('connection', 'close')
  return fetch(url, { ...init, headers })
}

/** Sends requests one after the other on one connection, which has to stay open for all of them. */
export async function onOneConnection(
  url: string,
  all: readonly { readonly method: string; headers?: Record<string, string>; body?: string }[],
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const statuses: number[] = []
  for (const { body = '', ...options } of all) {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const sent = request(url, { ...options, agent }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0)).resume()
    })
    sent.on('error', reject).end(body)
    statuses.push(await promise)
    if (statuses.length > 1 && !sent.reusedSocket) throw new Error('The connection was closed')
  }
  agent.destroy()
  return statuses
}

/** Sends a head without a body, and returns the response to that alone. */
export function sendHead(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sent = request(url, { method, headers }, (response) => {
    let body = ''
    response.on('data', (chunk: Buffer) => (body += chunk.toString()))
    response.on('end', () => {
      sent.destroy()
      resolve({ status: response.statusCode ?? 0, body })
    })
  })
  sent.on('error', reject)
  sent.flushHeaders()
  return promise
}
