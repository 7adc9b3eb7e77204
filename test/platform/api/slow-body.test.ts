/**
 * Bodies that arrive slowly: access is computed when the body is complete, not when it begins. So ending a
 * session, a new rule and an expiry stop requests that are still arriving.
 */

import { SELF } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { beginSession, linkOf } from '../../support/worker/attack-link.ts'
import { bytesOf, freshWorkspace, MODERN } from '../../support/worker/client.ts'

type Workspace = ReturnType<typeof freshWorkspace>

afterEach(() => void vi.useRealTimers())

/** Sends a body in two parts and runs a function in between. */
async function slowly(
  url: string,
  init: { method: string; headers?: Record<string, string> },
  body: Uint8Array,
  between: () => Promise<unknown>,
): Promise<Response> {
  const { readable, writable } = new FixedLengthStream(body.length)
  const writer = writable.getWriter()
  const { pathname } = new URL(url)
  const answer = SELF.fetch(`http://localhost${pathname}`, { ...init, body: readable })
  await writer.write(body.subarray(0, 3))
  await scheduler.wait(100)
  await between()
  await writer.write(body.subarray(3))
  await writer.close()
  return answer
}

const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}
const WRITE = { name: 'write_file', arguments: { path: '/a', content: 'new' } }
const READ = { name: 'read_file', arguments: { path: '/a' } }

function modernCall(params: { name: string; arguments: object }) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { ...params, _meta: meta },
  }
  const mirrored = {
    'mcp-protocol-version': MODERN,
    'mcp-method': 'tools/call',
    'mcp-name': params.name,
  }
  const init = { method: 'POST', headers: { ...JSON_HEADERS, ...mirrored } }
  return [init, bytesOf(JSON.stringify(message))] as const
}

function legacyCall(session: Record<string, string> = {}) {
  const message = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: WRITE }
  const init = { method: 'POST', headers: { ...JSON_HEADERS, ...session } }
  return [init, bytesOf(JSON.stringify(message))] as const
}

const configured = (workspace: Workspace, config: object) =>
  workspace.fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
const ended = (workspace: Workspace, session: string) =>
  workspace.fetch(`/sessions/${session}`, { method: 'DELETE' })

const EVENTS: [string, (workspace: Workspace, session: string) => Promise<unknown>][] = [
  ['its session is ended', ended],
  ['everything becomes read-only', (workspace) => configured(workspace, { read_only: true })],
  [
    'a rule denies the file',
    (workspace) => configured(workspace, { roots: [{ path: '/', deny: ['a'] }] }),
  ],
  ['it expires', async () => vi.setSystemTime(Date.now() + 3_600_000 * 24 * 8)],
]

describe.each(EVENTS)('while %s', (_, happens) => {
  it('an upload writes nothing', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'old')
    const args = { path: '/a', direction: 'upload' }
    const { result } = await workspace.call('transfer_link', args)
    const { url, session } = result?.structuredContent ?? {}
    const answer = await slowly(String(url), { method: 'PUT' }, bytesOf('newnew'), () =>
      happens(workspace, String(session)),
    )
    expect(answer.status, await answer.text()).toBe(403)
    vi.useRealTimers()
    expect(new TextDecoder().decode(await workspace.raw('/a'))).toBe('old')
  })

  it('a call writes nothing', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'old')
    const { url, session, client } = await linkOf(workspace)
    const id = await beginSession(client)
    for (const call of [modernCall(WRITE), legacyCall(), legacyCall({ 'mcp-session-id': id })]) {
      const answer = await slowly(url, ...call, () => happens(workspace, session))
      await answer.text()
    }
    vi.useRealTimers()
    expect(new TextDecoder().decode(await workspace.raw('/a'))).toBe('old')
  })
})

it('a link that ends while its request arrives reads nothing', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/a', 'amber')
  const { url, session } = await linkOf(workspace)
  const answer = await slowly(url, ...modernCall(READ), async () => {
    await ended(workspace, session)
    await workspace.put('/a', 'amber written after the end')
  })
  expect([answer.status, await answer.text()]).toEqual([401, expect.not.stringContaining('amber')])
})
