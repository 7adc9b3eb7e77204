/** The older protocol era: sessions that survive an eviction, their stream, and requests without one. */

import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from './client.ts'
import { readEvents, type Message } from './sse.ts'

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}

type Workspace = ReturnType<typeof freshWorkspace>

function legacy(workspace: Workspace) {
  let session: string | null = null
  let id = 0
  const headers = () => ({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session !== null && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
  })
  const post = (message: Record<string, unknown>) =>
    workspace.fetch('/mcp', {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })

  async function request(method: string, params: Record<string, unknown> = {}): Promise<Message> {
    const response = await post({ id: ++id, method, params })
    if (method === 'initialize') session = response.headers.get('mcp-session-id')
    return readEvents(response).next()
  }

  async function begin(): Promise<Message> {
    const answer = await request('initialize', INITIALIZE)
    const accepted = await post({ method: 'notifications/initialized' })
    expect(accepted.status).toBe(202)
    return answer
  }

  const stream = async () =>
    readEvents(
      await workspace.fetch('/mcp', { headers: { ...headers(), accept: 'text/event-stream' } }),
    )
  const end = () => workspace.fetch('/mcp', { method: 'DELETE', headers: headers() })
  return { begin, request, post, stream, end, headers }
}

const evict = (workspace: Workspace) => {
  const name = workspace.base.slice(workspace.base.lastIndexOf('/') + 1)
  return evictDurableObject(env.WORKSPACE.get(env.WORKSPACE.idFromName(name)))
}

describe('a session', () => {
  it('begins, works, survives an eviction, and ends', async () => {
    const workspace = freshWorkspace()
    const { begin, request, post, end } = legacy(workspace)
    expect(await begin()).toMatchObject({
      result: { protocolVersion: '2025-11-25', serverInfo: { name: 'edgewise' } },
    })
    expect(await request('ping')).toMatchObject({ result: {} })
    await request('tools/call', { name: 'write_file', arguments: { path: 'a', content: 'one' } })
    await evict(workspace)
    expect(
      await request('tools/call', { name: 'read_file', arguments: { path: 'a' } }),
    ).toMatchObject({
      result: { structuredContent: { content: '1: one' } },
    })
    expect((await end()).status).toBe(200)
    expect((await post({ id: 99, method: 'ping' })).status).toBe(404)
  })

  it('hears of what it subscribed to, also after an eviction', async () => {
    const workspace = freshWorkspace()
    const { begin, request, stream } = legacy(workspace)
    await begin()
    await request('resources/subscribe', { uri: 'file:///a' })
    const events = await stream()
    await workspace.text('write_file', { path: 'a', content: 'one' })
    expect(await events.next()).toMatchObject({ method: 'notifications/resources/list_changed' })
    expect(await events.next()).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'file:///a' },
    })
    await evict(workspace)
    await workspace.text('write_file', { path: 'a', content: 'two' })
    expect(await events.next()).toMatchObject({ method: 'notifications/resources/updated' })
    await request('resources/unsubscribe', { uri: 'file:///a' })
    await workspace.text('write_file', { path: 'a', content: 'three' })
    await workspace.text('write_file', { path: 'b', content: 'four' })
    expect(await events.next()).toMatchObject({ method: 'notifications/resources/list_changed' })
    await events.cancel()
  })

  it('has one stream: a new one takes the place of the old', async () => {
    const workspace = freshWorkspace()
    const { begin, stream } = legacy(workspace)
    await begin()
    const first = await stream()
    const second = await stream()
    await expect(first.next()).rejects.toThrow('ended')
    await workspace.text('write_file', { path: 'a', content: '' })
    expect(await second.next()).toMatchObject({ method: 'notifications/resources/list_changed' })
    await second.cancel()
  })

  it.each(['POST', 'GET', 'DELETE'])('that does not exist is not found: %s', async (method) => {
    const workspace = freshWorkspace()
    const headers = { ...legacy(workspace).headers(), 'mcp-session-id': 'nobody' }
    const body =
      method === 'POST' ? JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) : null
    const response = await workspace.fetch('/mcp', { method, headers, body })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: -32001 } })
  })
})

it('a request without a session is served, and GET without one is not', async () => {
  const workspace = freshWorkspace()
  const { request } = legacy(workspace)
  expect(await request('tools/list')).toMatchObject({ result: { tools: expect.anything() } })
  expect((await workspace.fetch('/mcp', { headers: { accept: 'text/event-stream' } })).status).toBe(
    405,
  )
})
