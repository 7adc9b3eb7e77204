/**
 * A client with a subscription, in either era, on a connection of its own, and the ways to end it.
 *
 * It keeps every message, so that a duplicate is noticed as well as a missing one.
 *
 * @module
 */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { within, type Era } from './load-client.ts'

export interface Listener {
  readonly era: Era
  /**
   * What was received in order: the URI of an update, the method of another message, {@link CLOSED} where the
   * server closed the stream.
   */
  readonly heard: readonly string[]
  /** Waits for an update of a URI. */
  readonly waitForUpdate: (uri: string) => Promise<void>
  /** Says goodbye, as far as there is a way to. */
  readonly leave: () => Promise<void>
  /** Stops reading until the returned function is called, which reads to the end of the stream. */
  readonly stall: () => () => Promise<void>
  /** Is gone from one moment to the next. */
  readonly vanish: () => void
}

/** A stream that was not opened, and why. */
export interface Refusal {
  readonly status: number
  readonly body: string
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly uri?: string }
}

const SOON_MS = 60_000
const MODERN = '2026-07-28'
const LEGACY = '2025-11-25'
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
const UPDATED = 'notifications/resources/updated'

/** Comes after the last notification where the server closed the stream. */
export const CLOSED = 'closed'

/** Opens a stream on the resources, for a client that is answered by then. */
export function listen(era: Era, mcp: string, uris: readonly string[]) {
  const opened = era === 'modern' ? listenModern(mcp, uris) : listenLegacy(mcp, uris)
  return within(SOON_MS, opened, `A stream of ${mcp}`)
}

/** The same, where there has to be room. */
export async function listening(era: Era, mcp: string, uris: readonly string[]): Promise<Listener> {
  const opened = await listen(era, mcp, uris)
  if ('heard' in opened) return opened
  throw new Error(`A stream was refused by ${opened.status}: ${opened.body}`)
}

async function listenModern(mcp: string, uris: readonly string[]): Promise<Listener | Refusal> {
  const method = 'subscriptions/listen'
  const sent = send(mcp, 'POST', { 'mcp-protocol-version': MODERN, 'mcp-method': method })
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { notifications: { resourceSubscriptions: uris }, _meta }
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  const response = await answered(sent)
  if (response.statusCode !== 200) return refusalOf(response)
  const ear = earOf(response)
  await ear.waitForUpdate(ACKNOWLEDGED)
  ear.heard.shift()
  return { era: 'modern', ...ear, leave: () => gone(sent), vanish: () => cut(sent) }
}

async function listenLegacy(mcp: string, uris: readonly string[]): Promise<Listener | Refusal> {
  const clientInfo = { name: 'listener', version: '1' }
  const params = { protocolVersion: LEGACY, capabilities: {}, clientInfo }
  const session = (await post(mcp, {}, { id: 0, method: 'initialize', params })).session
  const headers = { 'mcp-protocol-version': LEGACY, 'mcp-session-id': session }
  await post(mcp, headers, { method: 'notifications/initialized' })
  const sent = send(mcp, 'GET', headers)
  sent.end()
  const response = await answered(sent)
  if (response.statusCode !== 200) return refusalOf(response)
  const ear = earOf(response)
  for (const [at, uri] of uris.entries())
    await post(mcp, headers, { id: at + 1, method: 'resources/subscribe', params: { uri } })
  const leave = async () => {
    const bye = send(mcp, 'DELETE', headers)
    bye.end()
    const { statusCode } = await answered(bye)
    assert.equal(statusCode, 200)
    await gone(sent)
  }
  return { era: 'legacy', ...ear, leave, vanish: () => cut(sent) }
}

function send(url: string, method: string, headers: Record<string, string>): ClientRequest {
  return request(url, { method, agent: false, headers: { ...HEADERS, ...headers } })
}

async function answered(sent: ClientRequest): Promise<IncomingMessage> {
  const [response]: IncomingMessage[] = await once(sent, 'response')
  assert(response)
  // A later disconnect is reported by the calls that wait.
  sent.on('error', () => {})
  response.on('error', () => {})
  return response
}

async function refusalOf(response: IncomingMessage): Promise<Refusal> {
  let body = ''
  for await (const chunk of response) body += String(chunk)
  return { status: response.statusCode ?? 0, body }
}

async function post(mcp: string, headers: Record<string, string>, message: object) {
  const sent = send(mcp, 'POST', headers)
  sent.end(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const response = await answered(sent)
  const session = String(response.headers['mcp-session-id'] ?? '')
  const { status, body } = await refusalOf(response)
  assert(status < 300 && !body.includes('"error"'), `${status}: ${body}`)
  return { session }
}

/** Reads the stream. */
function earOf(response: IncomingMessage) {
  const heard: string[] = []
  const waiting = new Map<string, () => void>()
  let rest = ''
  response.setEncoding('utf8')
  response.on('data', (text: string) => {
    const events = (rest + text).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data === undefined) continue
      const { method, params }: Message = JSON.parse(data)
      const name = method === UPDATED ? params?.uri : method
      heard.push(name ?? data)
      waiting.get(heard.at(-1) ?? '')?.()
    }
  })

  response.on('end', () => heard.push(CLOSED))

  function waitForUpdate(name: string): Promise<void> {
    if (heard.includes(name)) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.set(name, resolve)
    return within(SOON_MS, promise, name)
  }
  function stall() {
    response.pause()
    return async () => {
      const ended = once(response, 'end')
      response.resume()
      await within(SOON_MS, ended, 'The end of a stream')
    }
  }
  return { heard, waitForUpdate, stall }
}

async function gone(sent: ClientRequest): Promise<void> {
  sent.destroy()
}

const cut = (sent: ClientRequest) => void sent.socket?.resetAndDestroy()
