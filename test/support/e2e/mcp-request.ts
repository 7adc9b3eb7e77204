/**
 * One MCP request with a token, in either era, with the unparsed response.
 *
 * @module
 */

import assert from 'node:assert/strict'
import { APP_MIME, APPS_EXTENSION } from '#core/wire.ts'

export type Era = 'modern' | 'older'

export const ERAS: readonly Era[] = ['modern', 'older']

/** An unparsed response with every header, so that a test can search all of it. */
export interface RawResponse {
  readonly status: number
  readonly challenge: string | null
  readonly text: string
  readonly headers: Headers
}

const MODERN = '2026-07-28'
const OLDER = '2025-11-25'

/** A client that shows apps gets the most: app-only tools, links, hunks. */
const CAPABILITIES = { extensions: { [APPS_EXTENSION]: { mimeTypes: [APP_MIME] } } }

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
}

const ACCEPTING = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

type Values = Readonly<Record<string, unknown>>

async function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<RawResponse> {
  const init = { method: 'POST', headers: { ...ACCEPTING, ...headers }, body: JSON.stringify(body) }
  return readRaw(await fetch(url, init))
}

export async function readRaw(answer: Response): Promise<RawResponse> {
  const { status, headers } = answer
  return { status, headers, challenge: headers.get('www-authenticate'), text: await answer.text() }
}

export const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/** The id of a session of the legacy era. */
export async function openSession(url: string, token: string): Promise<string> {
  const params = {
    protocolVersion: OLDER,
    capabilities: CAPABILITIES,
    clientInfo: { name: 'raw', version: '1' },
  }
  const { headers, text } = await send(url, bearer(token), {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params,
  })
  const session = headers.get('mcp-session-id')
  assert(session, text)
  return session
}

/** Asks in the era's own way; `session` is of the older one. */
export function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  method: string,
  params: Values,
  session?: string,
): Promise<RawResponse> {
  const message = { jsonrpc: '2.0', id: 1, method }
  if (session !== undefined) {
    const older = { 'mcp-session-id': session, 'mcp-protocol-version': OLDER }
    return send(url, { ...headers, ...older }, { ...message, params })
  }
  const name = params['name'] ?? params['uri']
  const modern = {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  }
  return send(
    url,
    { ...headers, ...modern },
    { ...message, params: { ...params, _meta: ENVELOPE } },
  )
}

export const callTool = (
  url: string,
  headers: Readonly<Record<string, string>>,
  name: string,
  args: Values,
  session?: string,
) => ask(url, headers, 'tools/call', { name, arguments: args }, session)
