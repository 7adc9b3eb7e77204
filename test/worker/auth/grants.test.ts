/** A signed-in client: its session is the ceiling, and a token with fewer scopes narrows it further. */

import { SCOPES_HEADER, SESSION_HEADER } from '#worker/sessions/identity.ts'
import type { MaybePromise } from '#worker/maybe-promise.ts'
import { cutLabel } from '#worker/access/session.ts'
import { MAX_CACHED_CALLERS, MAX_GRANTED_SCOPES } from '#worker/sessions/limits.ts'
import { MAX_LABEL_LENGTH } from '#worker/access/limits.ts'
import { BASE_HEADER } from '#worker/sessions/links.ts'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import * as z from 'zod'
import { MODERN } from '../../support/worker/client.ts'
import { readEvents } from '../../support/worker/event-stream.ts'

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const WRITE = { name: 'write_file', arguments: { path: '/a', content: 'x' } }

/** A workspace and a session with `read` and `write`, with requests as the front sends them. */
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

async function statusOf(answer: MaybePromise<Response>): Promise<number> {
  const { status, body } = await answer
  await body?.cancel()
  return status
}

describe('a token with the write scope only', () => {
  it('writes, and learns nothing about existing content', async () => {
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
      expect(text).toContain('dev.edgewise/change')
      expect(text).not.toContain('canary')
    }
  })
})

describe('a token with the read scope only', () => {
  let client: Granted
  beforeEach(async () => {
    client = await granted()
  })

  it('cannot write, while a token with both scopes can', async () => {
    expect(await statusOf(client.modern(['read', 'write'], WRITE))).toBe(200)
    expect(await statusOf(client.modern(['read'], WRITE))).toBe(403)
  })

  it('cannot write with its own client configuration', async () => {
    const capabilities = { experimental: { configuration: { find_limit: 5 } } }
    expect(await statusOf(client.modern(['read', 'write'], WRITE, capabilities))).toBe(200)
    expect(await statusOf(client.modern(['read'], WRITE, capabilities))).toBe(403)
  })

  /** A legacy session that begins with one token and continues with another. */
  async function legacyEra(first: readonly string[], then: readonly string[]): Promise<number> {
    const version = { protocolVersion: '2025-11-25', capabilities: {} }
    const params = { ...version, clientInfo: { name: 'legacy', version: '1' } }
    const hello = { jsonrpc: '2.0', id: 0, method: 'initialize', params }
    const begun = await client.fetch('/mcp', client.identity(first), hello)
    const id = begun.headers.get('mcp-session-id') ?? ''
    await readEvents(begun).next()
    const headers = { ...client.identity(then), 'mcp-session-id': id }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: WRITE }
    return statusOf(client.fetch('/mcp', headers, message))
  }

  it('cannot write in a legacy session, whichever token began it', async () => {
    const both = ['read', 'write']
    expect(await legacyEra(both, both)).toBe(200)
    expect(await legacyEra(['read'], ['read'])).toBe(403)
    expect(await legacyEra(['read'], both)).toBe(403)
    expect(await legacyEra(both, ['read'])).toBe(403)
  })

  it('delegates no more than its scopes', async () => {
    const answer = await client.modern(['read'], { name: 'delegate', arguments: { label: 'x' } })
    const NewLink = z.looseObject({
      result: z.looseObject({ structuredContent: z.looseObject({ session: z.string() }) }),
    })
    const { session } = NewLink.parse(await answer.json()).result.structuredContent
    const list = await client.fetch('/sessions', {}, undefined, 'GET')
    const { sessions } = await list.json<{ sessions: { id: string; scopes: unknown }[] }>()
    expect(sessions.find(({ id }) => id === session)?.scopes).toEqual(['read'])
  })
})

describe('a grant', () => {
  /** The answers to grants in a new workspace, and its sessions after them. */
  async function grantAll(...grants: object[]) {
    const stub = env.WORKSPACE.get(env.WORKSPACE.newUniqueId())
    const statuses: number[] = []
    for (const grant of grants) {
      const init = { method: 'POST', body: JSON.stringify(grant) }
      statuses.push(await statusOf(stub.fetch('https://workspace/grant', init)))
    }
    const listed = await stub.fetch('https://workspace/sessions')
    const { sessions } = await listed.json<{ sessions: unknown[] }>()
    return { statuses, sessions }
  }

  it('has at most MAX_GRANTED_SCOPES; only the front sends one, so more is a fault', async () => {
    const fault = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => fault.mockRestore())
    const scopes = Array.from({ length: MAX_GRANTED_SCOPES + 1 }, (_, at) => `read:file:/${at}`)
    const edge = { label: 'edge', scopes: scopes.slice(1) }
    expect(await grantAll(edge, { label: 'over', scopes })).toEqual({
      statuses: [201, 500],
      sessions: [expect.objectContaining(edge)],
    })
  })

  it('has a well-formed name when the cut divides a character', () => {
    expect(cutLabel(`${'n'.repeat(MAX_LABEL_LENGTH - 1)}😀`)).toBe(
      `${'n'.repeat(MAX_LABEL_LENGTH - 1)}\ufffd`,
    )
  })

  it('has a name of MAX_LABEL_LENGTH; the rest is cut', async () => {
    const label = 'n'.repeat(MAX_LABEL_LENGTH)
    const scopes = ['read']
    expect(await grantAll({ label, scopes }, { label: `${label}n`, scopes })).toMatchObject({
      statuses: [201, 201],
      sessions: [{ label }, { label }],
    })
  })

  it('permits what each of more than MAX_CACHED_CALLERS tokens permits', async () => {
    const { modern } = await granted()
    const write = (token: number, path: string) =>
      statusOf(
        modern([`write:file:/${token}`], {
          name: 'write_file',
          arguments: { path, content: 'x' },
        }),
      )
    for (let token = 0; token <= MAX_CACHED_CALLERS; token++)
      expect(await write(token, `/${token + 1}`)).toBe(403)
    expect([await write(0, '/0'), await write(0, '/1')]).toEqual([200, 403])
  })
})
