/**
 * The stream of a session is resumed after its connection was lost (SEP-1699): it begins with an id, and a client that
 * comes back with one gets all that it may have missed. Streams that cannot be resumed have no ids.
 */

import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { approveApp, writeApp } from '../../support/worker/apps.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { readEvents } from '../../support/worker/event-stream.ts'
import { legacyClient } from '../../support/worker/legacy-client.ts'
import { listen } from '../../support/worker/listen.ts'

const BEGINNING = /^id: ([0-9a-f-]{36})\nretry: \d+\ndata: \n\n/

/** The text with which a stream begins. */
async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  const { value = '' } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return value
}

const idOf = async (response: Response) => BEGINNING.exec(await beginningOf(response))?.[1] ?? ''

const updated = (uri: string) => ({ method: 'notifications/resources/updated', params: { uri } })

const LISTS = ['tools', 'resources'].map((list) => ({
  method: `notifications/${list}/list_changed`,
}))

it('begins with another id each time, a delay and no data', async () => {
  const { begin, openStream } = legacyClient(freshWorkspace())
  await begin()
  const ids = [await idOf(await openStream()), await idOf(await openStream())]
  expect(new Set(ids).size).toBe(2)
  expect(ids).not.toContain('')
})

it.each(['2025-06-18', '2025-03-26'])(
  'begins with a comment for a client of %s, which parses the data of every event',
  async (version) => {
    const { begin, openStream } = legacyClient(freshWorkspace())
    await begin()
    const response = await openStream({ 'mcp-protocol-version': version })
    expect(await beginningOf(response)).toBe(': open\n\n')
  },
)

it('sends what changed while the connection was lost, also after an eviction', async () => {
  const workspace = freshWorkspace()
  const { begin, request, openStream, stream } = legacyClient(workspace)
  await begin()
  const uris = ['file:///a', 'file:///%62']
  for (const uri of uris) await request('resources/subscribe', { uri })
  const id = await idOf(await openStream())
  await workspace.put('/a', 'one')
  await writeApp(workspace, 'board', { 'index.html': 'page' })
  await approveApp(workspace, 'board')
  const name = workspace.base.slice(workspace.base.lastIndexOf('/') + 1)
  await evictDurableObject(env.WORKSPACE.get(env.WORKSPACE.idFromName(name)))
  const events = await stream({ 'last-event-id': id })
  const seen = [await events.next(), await events.next(), await events.next(), await events.next()]
  expect(seen).toMatchObject([...LISTS, ...uris.map(updated)])
  await workspace.put('/a', 'two')
  expect(await events.next()).toMatchObject(updated('file:///a'))
  await events.cancel()
})

it('sends nothing of files that the client may no longer read', async () => {
  const workspace = freshWorkspace()
  const { begin, request, openStream, stream } = legacyClient(workspace)
  await begin()
  for (const uri of ['file:///a', 'file:///b']) await request('resources/subscribe', { uri })
  const id = await idOf(await openStream())
  const body = JSON.stringify({ roots: [{ path: '/b' }] })
  await workspace.fetch('/config', { method: 'PUT', body })
  const events = await stream({ 'last-event-id': id })
  const seen = [await events.next(), await events.next(), await events.next()]
  expect(seen).toMatchObject([...LISTS, updated('file:///b')])
  await events.cancel()
})

it('sends nothing at first to a client that does not resume', async () => {
  const workspace = freshWorkspace()
  const { begin, request, stream } = legacyClient(workspace)
  await begin()
  await request('resources/subscribe', { uri: 'file:///a' })
  await workspace.put('/a', 'one')
  const events = await stream()
  await workspace.put('/a', 'two')
  expect(await events.next()).toMatchObject(updated('file:///a'))
  await events.cancel()
})

it('gives no id to a response, whose result is kept nowhere else', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/a', 'x\n')
  const { begin, post } = legacyClient(workspace)
  await begin()
  const search = { name: 'search_files', arguments: { pattern: 'x' }, _meta: { progressToken: 1 } }
  const requests = [
    { method: 'ping' },
    { method: 'tools/call', params: { name: 'read_file', arguments: { path: 'a' } } },
    { method: 'tools/call', params: search },
    { method: 'resources/list' },
  ]
  for (const [id, message] of requests.entries()) {
    const text = await (await post({ id, ...message })).text()
    expect(text).toContain('"result"')
    expect(text).not.toMatch(/^(?:id|retry):/m)
  }
})

it('gives no id to a stream of revision 2026-07-28, which has none', async () => {
  const response = await listen(freshWorkspace(), { toolsListChanged: true })
  expect(await beginningOf(response)).not.toMatch(/^(?:id|retry):/m)
})

it('does not resume a stream for another session', async () => {
  const workspace = freshWorkspace()
  const [one, other] = [legacyClient(workspace), legacyClient(workspace)]
  await one.begin()
  await other.begin()
  await one.request('resources/subscribe', { uri: 'file:///a' })
  const id = await idOf(await one.openStream())
  const events = readEvents(await other.openStream({ 'last-event-id': id }))
  expect([await events.next(), await events.next()]).toMatchObject(LISTS)
  await workspace.text('write_file', { path: 'b', content: '' })
  expect(await events.next()).toMatchObject(LISTS[1] ?? {})
  await events.cancel()
})
