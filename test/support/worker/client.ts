/**
 * A small client for tests: plain modern requests through the Worker's front, in a fresh workspace.
 *
 * @module
 */

import { SELF } from 'cloudflare:test'
import { expectContract } from './owner-answers.ts'

export const MODERN = '2026-07-28'

/** The capabilities of a client that shows MCP Apps, which gets the most data; `results.test.ts` covers the others. */
export const SHOWS_APPS = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
}

/** The `_meta` of every request of this client. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': SHOWS_APPS,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

export interface Reply {
  status: number
  error?: { code: number; message: string; data?: unknown }
  result?: {
    isError?: boolean
    content: { type: string; text?: string; data?: string; mimeType?: string }[]
    structuredContent: Record<string, unknown>
    _meta: Record<string, unknown>
    [key: string]: unknown
  }
}

/** The text of a result without its version, which `results.test.ts` covers. */
export const withoutVersion = (text: string) => text.replace(/\s?\(version \d+\)$/, '')

/** Code and details of a tool error; empty for every other result. */
export function errorOf(
  result: { isError?: boolean; _meta?: Record<string, unknown> } | undefined,
): Record<string, unknown> {
  const error = result?.isError ? result._meta?.['dev.edgewise/error'] : undefined
  return typeof error === 'object' && error !== null ? { ...error } : {}
}

/** Adds the media type of JSON to a body of the routes that take it. */
function withType(path: string, init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers)
  const isText = typeof init.body === 'string' && !/^\/(files|import)/.test(path)
  if (isText && !headers.has('content-type')) headers.set('content-type', 'application/json')
  return { ...init, headers }
}

/** Reads a response that is no stream, because an object with an unread response cannot be evicted. */
async function whole(response: Response): Promise<Response> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (isStream || response.webSocket || response.body === null) return response
  return new Response(await response.arrayBuffer(), response)
}

/** A request of the modern era, whose `params` have their `_meta`. */
export function modernRequest(
  method: string,
  params: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): RequestInit {
  const name = params['name'] ?? params['uri']
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }
}

let workspaces = 0

/** A client of a new workspace, or of the one behind a link. */
export function freshWorkspace(link?: string) {
  const base =
    link?.replace(/\/mcp$/, '') ??
    `http://localhost/w/t${workspaces++}-${crypto.randomUUID().slice(0, 8)}`

  const fetch = async (path: string, init: RequestInit = {}) => {
    const response = await whole(await SELF.fetch(base + path, withType(path, init)))
    await expectContract(path, init, response)
    return response
  }

  async function send(
    method: string,
    params: Record<string, unknown> = {},
    {
      meta = {},
      headers = {},
      signal = null,
    }: {
      meta?: Record<string, unknown>
      headers?: Record<string, string>
      signal?: AbortSignal | null
    } = {},
  ): Promise<Reply> {
    const init = modernRequest(method, { ...params, _meta: { ...ENVELOPE, ...meta } }, headers)
    const response = await fetch('/mcp', { ...init, signal })
    return { status: response.status, ...(await response.json<Omit<Reply, 'status'>>()) }
  }

  const call = (
    name: string,
    args: Record<string, unknown> = {},
    meta: Record<string, unknown> = {},
  ) => send('tools/call', { name, arguments: args }, { meta })

  /** Calls a tool that is expected to succeed, and returns its text. */
  async function text(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const { result, error } = await call(name, args)
    if (!result || result.isError)
      throw new Error(`${name}: ${error?.message ?? result?.content[0]?.text}`)
    return withoutVersion(result.content[0]?.text ?? '')
  }

  /** Calls a tool that is expected to refuse, and returns the code. */
  async function code(name: string, args: Record<string, unknown>): Promise<unknown> {
    const { result } = await call(name, args)
    return errorOf(result)['code']
  }

  const put = async (path: string, body: BodyInit) =>
    (await fetch(`/files${path}`, { method: 'PUT', body })).json()
  const raw = async (path: string) =>
    new Uint8Array(await (await fetch(`/files${path}`)).arrayBuffer())

  return { base, fetch, send, call, text, code, put, raw }
}

/** The ids of changes in a text, which differ from run to run. */
export const CHANGE_IDS = /\b\d+-[0-9a-z]{12}\b/g

export const bytesOf = (text: string) => new TextEncoder().encode(text)
