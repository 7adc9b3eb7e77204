/**
 * A client under load: one connection, one call at a time, to the endpoint of a workspace or a link.
 *
 * A response 429 is retried after its Retry-After. Every response that a caller cannot expect is
 * thrown.
 *
 * @module
 */

import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { CHANGE_META, ERROR_META } from '#core/wire.ts'
import { z } from 'zod'
import { Connection } from '../../../bench/connection.ts'
import { encodeRequest, type Reply } from '../../../bench/http.ts'
import type { Statistics } from './load-statistics.ts'

export type Era = 'modern' | 'legacy'
export type Arguments = Readonly<Record<string, unknown>>

export interface Done {
  readonly ok: true
  readonly structured: Readonly<Record<string, unknown>>
  readonly change: z.infer<typeof change> | undefined
}

export interface Refused {
  readonly ok: false
  readonly code: string
}

export type Client = Awaited<ReturnType<typeof createClient>>

const change = z.object({
  id: z.string(),
  version: z.int().nullable(),
  applied: z.boolean(),
})

const answer = z.object({
  error: z.object({ code: z.int(), message: z.string() }).optional(),
  result: z
    .object({
      isError: z.boolean().optional(),
      structuredContent: z.record(z.string(), z.unknown()).default({}),
      contents: z.array(z.object({ text: z.string() })).optional(),
      _meta: z
        .object({
          [CHANGE_META]: change.optional(),
          [ERROR_META]: z.object({ code: z.string() }).optional(),
        })
        .optional(),
    })
    .optional(),
})

const MODERN = '2026-07-28'
const LEGACY = '2025-11-25'
const CLIENT = { name: 'load', version: '1' }
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': CLIENT,
}
const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

/** Attempts of one call while the server responds 429. */
const MAX_TRIES = 30

/** Milliseconds after which a call hangs. */
const HANGS_MS = 60_000

/** Milliseconds for which a connection may be idle. Workerd closes it after five seconds. */
const IDLE_MS = 2_000

interface Endpoint {
  readonly port: number
  /** Where MCP is spoken. */
  readonly mcp: string
  /** Where files are served; a link leads to none. */
  readonly files: string
  readonly era: Era
}

export async function createClient({ port, mcp, files, era }: Endpoint, tally: Statistics) {
  let connection: Connection | undefined
  let used = 0
  let id = 0
  let headers: Readonly<Record<string, string>> = JSON_HEADERS

  /** The connection, or a new one where the server may have closed it by now. */
  function fresh(): Connection {
    if (connection && performance.now() - used < IDLE_MS) return connection
    connection?.close()
    return (connection = new Connection(mcp, port))
  }

  /** What failed once is not used again. */
  function discard(error: unknown): never {
    connection?.close()
    connection = undefined
    throw error
  }

  async function send(kind: string, request: Buffer): Promise<Reply> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const start = performance.now()
      const reply = await within(HANGS_MS, fresh().send(request), kind).catch(discard)
      used = performance.now()
      tally.answered(kind, used - start)
      if (reply.status !== 429) return reply
      tally.refused('429')
      const seconds = Number(/\r\nretry-after: (\d+)/.exec(reply.head)?.[1])
      assert(seconds > 0, `${kind}: 429 without a time to wait`)
      await wait(seconds * 1000)
    }
    throw new Error(`${kind} got 429 ${MAX_TRIES} times`)
  }

  async function ask(kind: string, method: string, params: Arguments): Promise<Reply> {
    const name = params['name'] ?? params['uri']
    const modern = {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    }
    const head = { method: 'POST', path: mcp, headers: { ...headers, ...(isModern && modern) } }
    const meta = { ...(isModern && ENVELOPE), ...Object(params['_meta']) }
    const message = { jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta: meta } }
    return send(kind, encodeRequest(head, JSON.stringify(message)))
  }

  async function call(
    name: string,
    args: Arguments,
    meta: Arguments = {},
  ): Promise<Done | Refused> {
    const params = { name, arguments: args, _meta: meta }
    const result = resultOf(await ask(name, 'tools/call', params), name)
    const { structuredContent: structured, _meta } = result
    if (result.isError) return { ok: false, code: String(_meta?.[ERROR_META]?.code) }
    return { ok: true, structured, change: _meta?.[CHANGE_META] }
  }

  /** The text of a file as a resource. */
  async function resource(path: string): Promise<string | undefined> {
    const reply = await ask('resources/read', 'resources/read', { uri: `file://${path}` })
    return resultOf(reply, path).contents?.[0]?.text
  }

  const http =
    (method: string) =>
    (path: string, more: Record<string, string> = {}, body = '') =>
      send(method, encodeRequest({ method, path: files + path, headers: more }, body))

  async function open(): Promise<void> {
    const params = { protocolVersion: LEGACY, capabilities: {}, clientInfo: CLIENT }
    const { head } = await ask('initialize', 'initialize', params)
    const session = /\r\nmcp-session-id: (\S+)/.exec(head)?.[1]
    assert(session, 'A session has an id')
    headers = { ...headers, 'mcp-protocol-version': LEGACY, 'mcp-session-id': session }
    const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    await send('initialize', encodeRequest({ method: 'POST', path: mcp, headers }, note))
  }

  const isModern = era === 'modern'
  if (!isModern) await open()
  return { call, resource, get: http('GET'), put: http('PUT'), close: () => connection?.close() }
}

function resultOf({ status, body }: Reply, what: string) {
  const text = body.toString()
  // A session of the legacy era answers in an event stream.
  const json = text.startsWith('{') ? text : /^data: (\{.*)$/m.exec(text)?.[1]
  const { result } = answer.parse(JSON.parse(json ?? 'null'))
  if (!result) throw new Error(`${what} answered ${status}: ${text.slice(0, 400)}`)
  return result
}

/** What work comes to, or an error when it takes for ever. */
export function within<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${what} hangs`)), ms)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
