/** Unsupported methods and media types are refused with the supported ones. */

import { SELF } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { freshWorkspace, MODERN } from '../../support/worker/client.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'] as const

const OF_A_WORKSPACE = ['/export', '/status']

describe.each([...OF_A_WORKSPACE, '/healthz', '/.well-known/mcp-config'])('%s', (path) => {
  it.each(METHODS)('responds to %s', async (method) => {
    const body = method === 'POST' || method === 'PUT' ? 'x' : null
    const init = { method, body }
    const { fetch } = freshWorkspace()
    const answer = await (OF_A_WORKSPACE.includes(path)
      ? fetch(path, init)
      : SELF.fetch(`http://localhost${path}`, init))
    const text = await answer.text()
    const isRead = method === 'GET' || method === 'HEAD'
    expect(answer.status).toBe(isRead ? 200 : 405)
    expect(answer.headers.get('allow')).toBe(isRead ? null : 'GET, HEAD')
    expect(text === '').toBe(method === 'HEAD')
  })
})

describe.each(['modern', 'legacy'] as const)('a GET of MCP in the %s era', (era) => {
  const STREAM = ['text/event-stream', 'text/*', '*/*', 'a/b;q=1, Text/Event-Stream;q=0.1', '']
  const NO_STREAM = [
    'application/json',
    'text/html, application/xhtml+xml',
    'text/event-streams',
    'text/event-stream;q=0',
    'text/event-stream; q=0.000, application/json',
    'x/text/event-stream',
    '*',
  ]

  /** The workspace and one of its links, with the headers of an initialized client. */
  async function places(): Promise<[string, Record<string, string>][]> {
    const workspace = freshWorkspace()
    const made = await workspace.fetch('/sessions', {
      method: 'POST',
      body: JSON.stringify({ label: 'guest', ttl_seconds: 60 }),
    })
    const { url } = await made.json<{ url: string }>()
    return Promise.all(
      [`${workspace.base}/mcp`, url].map(async (at) => [at, await hello(at)] as const),
    ).then((all) => all.map(([at, headers]) => [at, headers]))
  }

  async function hello(url: string): Promise<Record<string, string>> {
    if (era === 'modern') return { 'mcp-protocol-version': MODERN }
    const version = '2025-11-25'
    const answer = await SELF.fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: version,
          capabilities: {},
          clientInfo: { name: 'x', version: '1' },
        },
      }),
    })
    await answer.text()
    const session = answer.headers.get('mcp-session-id') ?? ''
    return { 'mcp-session-id': session, 'mcp-protocol-version': version }
  }

  it('is refused if it does not accept an event stream', async () => {
    for (const [url, headers] of await places())
      for (const accept of NO_STREAM) {
        const answer = await SELF.fetch(url, { headers: { ...headers, accept } })
        expect(answer.status, `${url} ${accept}`).toBe(406)
        expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32000 } })
      }
  })

  it('is answered if it accepts an event stream', async () => {
    for (const [url, headers] of await places())
      for (const accept of STREAM) {
        const all = accept === '' ? headers : { ...headers, accept }
        const answer = await SELF.fetch(url, { headers: all })
        await answer.body?.cancel()
        expect(answer.status, `${url} ${accept}`).toBe(era === 'modern' ? 405 : 200)
      }
  })
})
