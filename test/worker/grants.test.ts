/** A signed-in client: its session is the ceiling, and a token that says less is one below that. */

import { SCOPES_HEADER, SESSION_HEADER } from '#worker/auth/identity.ts'
import { BASE_HEADER } from '#worker/sessions/links.ts'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { MODERN } from './client.ts'
import { readEvents } from './sse.ts'

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const WRITE = { name: 'write_file', arguments: { path: '/a', content: 'x' } }

/** A workspace and a session with `read` and `write`, asked as the front asks. */
async function granted() {
  const stub = env.WORKSPACE.get(env.WORKSPACE.newUniqueId())
  const fetch = (path: string, headers: Record<string, string>, body: unknown, method = 'POST') =>
    stub.fetch(`https://workspace${path}`, { method, headers, body: JSON.stringify(body) })
  const grant = { label: 'client', scopes: ['read', 'write'] }
  const session = await (await fetch('/grant', {}, grant)).text()

  const identity = (scopes: readonly string[]) => ({
    [SESSION_HEADER]: session,
    [SCOPES_HEADER]: JSON.stringify(scopes),
    [BASE_HEADER]: 'https://workspace/s/default',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  })
  const modern = (
    scopes: readonly string[],
    params: Record<string, unknown>,
    capabilities = {},
    terms = {},
  ) => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      [CAPABILITIES]: capabilities,
    }
    const headers = {
      ...identity(scopes),
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/call',
      'mcp-name': String(params['name']),
    }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
    return fetch('/mcp', headers, {
      ...message,
      params: { ...params, _meta: { ...meta, ...terms } },
    })
  }
  return { fetch, identity, modern }
}

type Granted = Awaited<ReturnType<typeof granted>>

async function statusOf(answer: Response | Promise<Response>): Promise<number> {
  const { status, body } = await answer
  await body?.cancel()
  return status
}

describe('a token that says no more than write', () => {
  it('writes, and learns nothing of what is there', async () => {
    const { fetch, modern } = await granted()
    const put = await fetch('/files/secret', {}, 'canary', 'PUT')
    expect(put.status).toBe(201)
    await put.body?.cancel()
    const call = async (name: string, args: Record<string, unknown>) => {
      const answer = await modern(['write'], { name, arguments: { path: '/secret', ...args } })
      const { status, headers } = answer
      return { status, challenge: headers.get('www-authenticate'), text: await answer.text() }
    }
    const needsReading = {
      status: 403,
      challenge: 'Bearer error="insufficient_scope", scope="read:file:/"',
    }
    const edits = [{ find: 'c', replace: 'x' }]
    expect(await call('edit_file', { edits })).toMatchObject(needsReading)
    const moved = await modern(['write'], {
      name: 'move_file',
      arguments: { from: '/secret', to: '/b' },
    })
    expect(await statusOf(moved)).toBe(403)

    const emptying = { name: 'write_file', arguments: { path: '/secret', content: '' } }
    const previewed = await modern(['write'], emptying, {}, { preview: true })
    const written = await call('write_file', { content: 'more' })
    const deleted = await call('delete_file', {})
    for (const text of [await previewed.text(), written.text, deleted.text]) {
      expect(text).not.toContain('isError')
      expect(text).toMatch(/"files":1/)
      expect(text).not.toContain('canary')
    }
  })
})

describe('a token that says no more than read', () => {
  let client: Granted
  beforeEach(async () => {
    client = await granted()
  })

  it('does not write, where one that says both does', async () => {
    expect(await statusOf(client.modern(['read', 'write'], WRITE))).toBe(200)
    expect(await statusOf(client.modern(['read'], WRITE))).toBe(403)
  })

  it('does not write with a configuration of its own', async () => {
    const capabilities = { experimental: { configuration: { find_limit: 5 } } }
    expect(await statusOf(client.modern(['read', 'write'], WRITE, capabilities))).toBe(200)
    expect(await statusOf(client.modern(['read'], WRITE, capabilities))).toBe(403)
  })

  /** A session of the older era that begins with one token and goes on with another. */
  async function olderEra(first: readonly string[], then: readonly string[]): Promise<number> {
    const version = { protocolVersion: '2025-11-25', capabilities: {} }
    const params = { ...version, clientInfo: { name: 'older', version: '1' } }
    const hello = { jsonrpc: '2.0', id: 0, method: 'initialize', params }
    const begun = await client.fetch('/mcp', client.identity(first), hello)
    const id = begun.headers.get('mcp-session-id') ?? ''
    await readEvents(begun).next()
    const headers = { ...client.identity(then), 'mcp-session-id': id }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: WRITE }
    return statusOf(client.fetch('/mcp', headers, message))
  }

  it('does not write in a session of the older era, whichever token that began with', async () => {
    const both = ['read', 'write']
    expect(await olderEra(both, both)).toBe(200)
    expect(await olderEra(['read'], ['read'])).toBe(403)
    expect(await olderEra(['read'], both)).toBe(403)
    expect(await olderEra(both, ['read'])).toBe(403)
  })

  it('hands on no more than it says', async () => {
    const answer = await client.modern(['read'], { name: 'delegate', arguments: { label: 'x' } })
    const Handed = z.looseObject({
      result: z.looseObject({ structuredContent: z.looseObject({ session: z.string() }) }),
    })
    const { session } = Handed.parse(await answer.json()).result.structuredContent
    const list = await client.fetch('/sessions', {}, undefined, 'GET')
    const { sessions } = await list.json<{ sessions: { id: string; scopes: unknown }[] }>()
    expect(sessions.find(({ id }) => id === session)?.scopes).toEqual(['read'])
  })
})
