/** `subscriptions/listen`: the acknowledgement, what is told to whom, and that sleeping loses nothing. */

import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { freshWorkspace, MODERN } from './client.ts'
import { readEvents } from './sse.ts'

type Workspace = ReturnType<typeof freshWorkspace>

async function listen(workspace: Workspace, notifications: unknown, id: string | number = 7) {
  const response = await workspace.fetch('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'subscriptions/listen',
      params: {
        notifications,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': MODERN,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  })
  return response
}

const stubOf = ({ base }: Workspace) =>
  env.WORKSPACE.get(env.WORKSPACE.idFromName(base.slice(base.lastIndexOf('/') + 1)))

const SUBSCRIPTION = { _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } }

it('acknowledges first, then tells what was asked for and nothing else', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/a b', 'one')
  const events = readEvents(
    await listen(workspace, { resourceSubscriptions: ['file:///a%20b', 'file:///d/x'] }),
  )
  expect(await events.next()).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: {
      notifications: { resourceSubscriptions: ['file:///a%20b', 'file:///d/x'] },
      ...SUBSCRIPTION,
    },
  })
  await workspace.text('write_file', { path: 'other', content: '' })
  await workspace.text('write_file', { path: 'a b', content: 'two' })
  const updated = (uri: string) => ({
    method: 'notifications/resources/updated',
    params: { uri, ...SUBSCRIPTION },
  })
  expect(await events.next()).toMatchObject(updated('file:///a%20b'))
  await workspace.text('write_file', { path: 'd/x', content: '' })
  expect(await events.next()).toMatchObject(updated('file:///d/x'))
  await evictDurableObject(stubOf(workspace))
  await workspace.text('move_file', { from: 'd', to: 'e' })
  expect(await events.next()).toMatchObject(updated('file:///d/x'))
  await events.cancel()
})

it('tells that the list changed when files come, go or move, and not when they change', async () => {
  const workspace = freshWorkspace()
  const events = readEvents(await listen(workspace, { resourcesListChanged: true }, 'seven'))
  expect(await events.next()).toMatchObject({
    params: { notifications: { resourcesListChanged: true } },
  })
  await workspace.text('write_file', { path: 'a', content: 'one' })
  await workspace.text('write_file', { path: 'a', content: 'two' })
  await workspace.text('move_file', { from: 'a', to: 'b' })
  await workspace.text('delete_file', { path: 'b' })
  for (let told = 0; told < 3; told++) {
    expect(await events.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/list_changed',
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 'seven' } },
    })
  }
  await events.cancel()
})

it('forgets the subscriptions of a client that is gone', async () => {
  const object = stubOf(freshWorkspace())
  const { webSocket } = await object.fetch('https://workspace/stream', {
    headers: { upgrade: 'websocket' },
  })
  if (!webSocket) throw new Error('no socket')
  webSocket.accept()
  webSocket.send(JSON.stringify({ id: 7, list: false, uris: ['file:///a'] }))
  const count = () =>
    runInDurableObject(
      object,
      (_, { storage }) => storage.sql.exec('SELECT * FROM subscriptions').toArray().length,
    )
  await expect.poll(count).toBe(1)
  webSocket.close(1000)
  await expect.poll(count).toBe(0)
})

it.each([
  [undefined, -32602],
  [{ resourceSubscriptions: 5 }, -32602],
])('refuses the filter %j', async (notifications, code) => {
  const response = await listen(freshWorkspace(), notifications)
  expect(await response.json()).toMatchObject({ error: { code } })
})

it('ends at once when there is nothing to listen to', async () => {
  const events = readEvents(await listen(freshWorkspace(), { promptsListChanged: true }))
  expect(await events.next()).toMatchObject({ params: { notifications: {} } })
  expect(await events.next()).toMatchObject({ id: 7, result: { resultType: 'complete' } })
  expect(await events.ended()).toBe(true)
})
