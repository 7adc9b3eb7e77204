/** The legacy protocol era: sessions that survive an eviction, their stream, and requests without one. */

import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { approveApp, writeApp } from '../../support/worker/apps.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { legacyClient } from '../../support/worker/legacy-client.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const evict = (workspace: Workspace) => {
  const name = workspace.base.slice(workspace.base.lastIndexOf('/') + 1)
  return evictDurableObject(env.WORKSPACE.get(env.WORKSPACE.idFromName(name)))
}

describe('a session', () => {
  it('begins, works, survives an eviction and ends', async () => {
    const workspace = freshWorkspace()
    const { begin, request, post, end } = legacyClient(workspace)
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

  it.each([
    ['our', 'file:///a'],
    ['another', 'file:///%61'],
  ])(
    'gets notifications of its subscriptions in %s spelling, also after an eviction',
    async (_, uri) => {
      const workspace = freshWorkspace()
      const { begin, request, stream } = legacyClient(workspace)
      await begin()
      await request('resources/subscribe', { uri })
      const events = await stream()
      await workspace.text('write_file', { path: 'a', content: 'one' })
      expect(await events.next()).toMatchObject({ method: 'notifications/resources/list_changed' })
      expect(await events.next()).toMatchObject({
        method: 'notifications/resources/updated',
        params: { uri },
      })
      await evict(workspace)
      await workspace.text('write_file', { path: 'a', content: 'two' })
      expect(await events.next()).toMatchObject({ method: 'notifications/resources/updated' })
      await request('resources/unsubscribe', { uri })
      await workspace.text('write_file', { path: 'a', content: 'three' })
      await workspace.text('write_file', { path: 'b', content: 'four' })
      expect(await events.next()).toMatchObject({ method: 'notifications/resources/list_changed' })
      await events.cancel()
    },
  )

  it('gets progress that increases with each notification', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'x\n')
    await workspace.put('/big', 'b\n'.repeat(200_000))
    const { begin, post } = legacyClient(workspace)
    await begin()
    const params = {
      name: 'search_files',
      arguments: { pattern: 'b' },
      _meta: { progressToken: 1 },
    }
    const answer = await (await post({ id: 9, method: 'tools/call', params })).text()
    const seen = Array.from(answer.matchAll(/"progress":(\d+)/g), ([, value]) => Number(value))
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b))
  })

  it('gets notifications of apps that are approved', async () => {
    const workspace = freshWorkspace()
    const { begin, stream } = legacyClient(workspace)
    await begin()
    await writeApp(workspace, 'board', { 'index.html': 'page' })
    const events = await stream()
    await approveApp(workspace, 'board')
    expect(await events.next()).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect(await events.next()).toMatchObject({ method: 'notifications/resources/list_changed' })
    await events.cancel()
  })

  it('has one stream, which a new one replaces', async () => {
    const workspace = freshWorkspace()
    const { begin, stream } = legacyClient(workspace)
    await begin()
    const first = await stream()
    const second = await stream()
    await expect(first.next()).rejects.toThrow('ended')
    await workspace.text('write_file', { path: 'a', content: '' })
    expect(await second.next()).toMatchObject({ method: 'notifications/resources/list_changed' })
    await second.cancel()
  })

  it.each(['POST', 'GET', 'DELETE'])('is not found if it does not exist: %s', async (method) => {
    const workspace = freshWorkspace()
    const headers = { ...legacyClient(workspace).headers(), 'mcp-session-id': 'unknown' }
    const body =
      method === 'POST' ? JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) : null
    const response = await workspace.fetch('/mcp', { method, headers, body })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: -32001 } })
  })
})

it('a request without a session is served, and GET without one is not', async () => {
  const workspace = freshWorkspace()
  const { request } = legacyClient(workspace)
  expect(await request('tools/list')).toMatchObject({ result: { tools: expect.anything() } })
  expect((await workspace.fetch('/mcp', { headers: { accept: 'text/event-stream' } })).status).toBe(
    405,
  )
})
