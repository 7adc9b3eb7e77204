/** `subscriptions/listen`: the acknowledgement, which notifications arrive, and hibernation. */

import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { readEvents } from '../../support/worker/event-stream.ts'
import { appTools, approveApp, decideApp, viewOf, writeApp } from '../../support/worker/apps.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { COSTLY_NAMES, COSTLY_POLICY, costlyNames } from '../../support/worker/costly-patterns.ts'
import { listen } from '../../support/worker/listen.ts'
import { allowOnly } from '../../support/worker/requests.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const stubOf = ({ base }: Workspace) =>
  env.WORKSPACE.get(env.WORKSPACE.idFromName(base.slice(base.lastIndexOf('/') + 1)))

const SUBSCRIPTION = { _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } }

const UPDATED = 'notifications/resources/updated'

/** Makes a link with a policy. */
async function linkTo(workspace: Workspace, policy: unknown): Promise<Workspace> {
  const body = JSON.stringify({ label: 'guest', ttl_seconds: 600, policy })
  const made = await workspace.fetch('/sessions', { method: 'POST', body })
  return freshWorkspace((await made.json<{ url: string }>()).url)
}

type Events = ReturnType<typeof readEvents>

/** The messages before the update of a file that was written as a mark. */
async function untilMarked(events: Events) {
  const messages = []
  for (let message = await events.next(); message.method !== UPDATED; message = await events.next())
    messages.push(message)
  return messages
}

/** Changes by what they do. */
type Changes = Readonly<Record<string, () => Promise<unknown>>>

/** What a stream should tell of, how the end of its messages is marked, and its messages. */
interface Watched {
  readonly see: () => Promise<string | undefined>
  readonly mark: (name: string) => Promise<unknown>
  readonly events: Events
}

/** Makes changes one after another. Returns those that were notified, and those that changed what can be seen. */
async function makeAll(changes: Changes, { see, mark, events }: Watched) {
  const [notified, expected]: [string[], string[]] = [[], []]
  for (const [name, change] of Object.entries(changes)) {
    const before = await see()
    await change()
    if ((await see()) !== before) expected.push(name)
    await mark(name)
    for (const _message of await untilMarked(events)) notified.push(name)
  }
  return { notified, expected }
}

/** The URIs in a list of resources, as text. */
const uris = (list: string) => list.match(/"uri":"[^"]*"/g)?.join()

it('acknowledges first, then sends the requested notifications and no others', async () => {
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

it('sends each update with the spelling of the URI that the client subscribed to', async () => {
  const workspace = freshWorkspace()
  const file = [
    'file:///./d/%61@b+c',
    'file:///d/a%40b%2Bc',
    'file:///d/a%40b%2bc',
    'file:///d/a@b+c',
  ]
  const resourceSubscriptions = [...file, 'file:///d/', 'file:///d/a@b']
  const events = readEvents(await listen(workspace, { resourceSubscriptions }))
  expect(await events.next()).toMatchObject({
    params: { notifications: { resourceSubscriptions } },
  })
  const updates = async (count: number) => {
    const seen: string[] = []
    while (seen.length < count) seen.push(String((await events.next()).params?.['uri']))
    return seen.toSorted()
  }
  await workspace.put('/d/a@b+c', 'one')
  expect(await updates(4)).toEqual(file)
  await workspace.text('move_file', { from: 'd', to: 'e' })
  expect(await updates(5)).toEqual([...file, 'file:///d/'].toSorted())
  await events.cancel()
})

it('sends list_changed when files are created, deleted or moved, and not when they change', async () => {
  const workspace = freshWorkspace()
  const events = readEvents(await listen(workspace, { resourcesListChanged: true }, 'seven'))
  expect(await events.next()).toMatchObject({
    params: { notifications: { resourcesListChanged: true } },
  })
  await workspace.text('write_file', { path: 'a', content: 'one' })
  await workspace.text('write_file', { path: 'a', content: 'two' })
  await workspace.text('move_file', { from: 'a', to: 'b' })
  await workspace.text('delete_file', { path: 'b' })
  for (let notified = 0; notified < 3; notified++) {
    expect(await events.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/list_changed',
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 'seven' } },
    })
  }
  await events.cancel()
})

it('sends list_changed to a caller exactly when the list changes that it gets', async () => {
  const workspace = freshWorkspace()
  const files = 'own/x own/hidden own/only/hidden own/all/hidden/x own/all/y beside/x'.split(' ')
  for (const path of [...files.map((path) => `a/${path}`), 'b/x', 'c/own/x', 'd/x', 'mark'])
    await workspace.put(`/${path}`, 'text')
  const deny = ['**/hidden', '**/hidden/**']
  const policy = { roots: [{ path: '/a/own', deny }, { path: '/mark' }] }
  const guest = await linkTo(workspace, policy)
  const listed = async () =>
    JSON.stringify((await guest.send('resources/list')).result?.['resources'])
  const asked = { resourcesListChanged: true, resourceSubscriptions: ['file:///mark'] }
  const events = readEvents(await listen(guest, asked))
  await events.next()

  const remove = (path: string) => workspace.text('delete_file', { path })
  const move = (from: string, to: string) => workspace.text('move_file', { from, to })
  const write = (path: string) => workspace.text('write_file', { path, content: `${path} new` })
  const changes: Changes = {
    'what is beside its folder is deleted': () => remove('a/beside'),
    'another folder is deleted': () => remove('b'),
    'a hidden file is deleted': () => remove('a/own/hidden'),
    'a folder with a hidden file only is deleted': () => remove('a/own/only'),
    'a hidden folder in it is moved': () => move('a/own/all/hidden', 'a/own/hidden'),
    'a folder above it is moved away': () => move('a', 'e'),
    'a folder above it without it is moved': () => move('d', 'a'),
    'and deleted': () => remove('a'),
    'a folder above it is moved there': () => move('e', 'a'),
    'a folder above it is deleted': () => remove('a'),
    'another one with it is moved there': () => move('c', 'a'),
    'a hidden file is written': () => write('a/own/hidden'),
    'a file is written': () => write('a/own/y'),
    'it is written again': () => write('a/own/y'),
  }
  const see = async () => uris(await listed())
  const mark = () => write('mark')
  const { notified, expected } = await makeAll(changes, { see, mark, events })
  expect(notified).toEqual(expected)
  expect(expected.length).toBeGreaterThan(4)
  await events.cancel()
})

it('drops the subscriptions of a disconnected client', async () => {
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

it('changes files while a stream is being closed', async () => {
  const workspace = freshWorkspace()
  const object = stubOf(workspace)
  const { webSocket } = await object.fetch('https://workspace/stream', {
    headers: { upgrade: 'websocket' },
  })
  if (!webSocket) throw new Error('no socket')
  webSocket.accept()
  webSocket.send(JSON.stringify({ id: 7, list: true, uris: ['file:///a'] }))
  const heard = Promise.withResolvers<unknown>()
  webSocket.addEventListener('message', ({ data }) => heard.resolve(data))
  await heard.promise
  const params = { name: 'write_file', arguments: { path: 'a', content: 'one' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const written = await runInDurableObject(object, async (instance, context) => {
    for (const socket of context.getWebSockets()) socket.close(1000, 'replaced')
    // The client has not answered the closing yet.
    const response = await instance.fetch(
      new Request('https://workspace/mcp', { method: 'POST', headers, body }),
    )
    return response.text()
  })
  expect(written).toContain('Created a')
})

it.each([
  [undefined, -32602],
  [{ resourceSubscriptions: 5 }, -32602],
])('refuses the filter %j', async (notifications, code) => {
  const response = await listen(freshWorkspace(), notifications)
  expect(await response.json()).toMatchObject({ error: { code } })
})

it('ends at once if the filter is empty', async () => {
  const events = readEvents(await listen(freshWorkspace(), { promptsListChanged: true }))
  expect(await events.next()).toMatchObject({ params: { notifications: {} } })
  expect(await events.next()).toMatchObject({ id: 7, result: { resultType: 'complete' } })
  expect(await events.ended()).toBe(true)
})

it('sends list_changed for tools when an app is approved and when its files change', async () => {
  const workspace = freshWorkspace()
  await writeApp(workspace, 'board', { 'index.html': 'page' })
  const events = readEvents(await listen(workspace, { toolsListChanged: true }))
  expect(await events.next()).toMatchObject({
    params: { notifications: { toolsListChanged: true } },
  })
  const changed = { method: 'notifications/tools/list_changed', params: SUBSCRIPTION }
  await approveApp(workspace, 'board')
  expect(await events.next()).toMatchObject(changed)
  await workspace.text('write_file', { path: 'other', content: '' })
  await writeApp(workspace, 'board', { 'index.html': 'changed' })
  expect(await events.next()).toMatchObject(changed)
  await events.cancel()
})

it('sends list_changed for tools when the app of a tool is approved, changes, comes back and is taken back', async () => {
  const workspace = freshWorkspace()
  const manifest = { for: 'search_files' }
  await writeApp(workspace, 'results', { 'index.html': 'page', 'app.json': manifest })
  const events = readEvents(await listen(workspace, { toolsListChanged: true }))
  await events.next()
  const own = 'ui://edgewise/files'
  const view = () => viewOf(workspace, 'search_files')
  const acts: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['the app', () => approveApp(workspace, 'results')],
    ['the own view', () => writeApp(workspace, 'results', { 'index.html': 'other' })],
    ['the app', () => writeApp(workspace, 'results', { 'index.html': 'page' })],
    ['the own view', () => decideApp(workspace, 'results/withdraw', {})],
  ]
  for (const [shown, act] of acts) {
    await act()
    expect(await events.next()).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect((await view()) === own ? 'the own view' : 'the app').toBe(shown)
  }
  await events.cancel()
})

it('tells of apps only those who may read them, and not while they wait', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/mark', 'text')
  const guest = await linkTo(workspace, { roots: [{ path: '/mark' }] })
  const asked = {
    ...{ toolsListChanged: true, resourcesListChanged: true },
    resourceSubscriptions: ['file:///mark'],
  }
  const streams = [
    readEvents(await listen(guest, asked)),
    readEvents(await listen(workspace, asked)),
  ]
  for (const events of streams) await events.next()
  const untilMark = async () => {
    await workspace.put('/mark', crypto.randomUUID())
    const counts = streams.map(async (events) => {
      const messages = await untilMarked(events)
      return messages.filter(({ method }) => method === 'notifications/tools/list_changed').length
    })
    return Promise.all(counts)
  }
  await writeApp(workspace, 'board', { 'index.html': 'page' })
  await writeApp(workspace, 'other', { 'index.html': 'page' })
  expect(await untilMark()).toEqual([0, 0])
  await approveApp(workspace, 'board')
  expect(await untilMark()).toEqual([0, 1])
  await writeApp(workspace, 'other', { 'index.html': 'new page' })
  expect(await untilMark()).toEqual([0, 0])
  await workspace.text('delete_file', { path: '.apps' })
  expect(await untilMark()).toEqual([0, 1])
  for (const events of streams) await events.cancel()
})

it('tells readers of an app only what begins or ceases to be served', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/mark', 'text')
  const deny = ['**/hidden']
  const guest = await linkTo(workspace, { roots: [{ path: '/mark' }, { path: '/.apps', deny }] })
  const files = { 'index.html': 'page', 'b/hidden': 'one' }
  await writeApp(workspace, 'board', files)
  await approveApp(workspace, 'board')
  const asked = { toolsListChanged: true, resourceSubscriptions: ['file:///mark'] }
  const events = readEvents(await listen(guest, asked))
  await events.next()
  const hide = (content: string) => writeApp(workspace, 'board', { 'b/hidden': content })
  const changes: Changes = {
    'a file is written as it was': () => hide('one'),
    'an empty folder is made': () =>
      workspace.text('create_folder', { path: '.apps/board/new/hidden' }),
    'a hidden file is changed': () => hide('two'),
    'and again': () => hide('three'),
    'a file of another name is added': () => writeApp(workspace, 'board', { 'b/c': 'one' }),
    'and deleted': () => workspace.text('delete_file', { path: '.apps/board/b/c' }),
    'the hidden file is as it was': () => hide('one'),
    'a hidden file is moved': () =>
      workspace.text('move_file', { from: '.apps/board/b', to: '.apps/board/c' }),
    'and back': () => workspace.text('move_file', { from: '.apps/board/c', to: '.apps/board/b' }),
    'the app is moved away': () => workspace.text('move_file', { from: '.apps', to: 'away' }),
    'the app comes back': () => workspace.text('move_file', { from: 'away', to: '.apps' }),
    'the app is deleted': () => workspace.text('delete_file', { path: '.apps/board' }),
  }
  const offered = async () => (await appTools(guest)).join()
  const mark = (name: string) => workspace.put('/mark', name)
  const { notified, expected } = await makeAll(changes, { see: offered, mark, events })
  expect(notified).toEqual(expected)
  expect(expected).toHaveLength(7)
  await events.cancel()
})

it('sends list_changed to a session that is allowed more or less, and to no other', async () => {
  const workspace = freshWorkspace()
  for (const path of ['/docs/a', '/other/a']) await workspace.put(path, 'text')
  const body = JSON.stringify({ roots: [{ path: '/docs' }] })
  await workspace.fetch('/config', { method: 'PUT', body })
  const { client: guest, session } = await linkOf(workspace)
  const { client: other } = await linkOf(workspace)
  const asked = {
    ...{ toolsListChanged: true, resourcesListChanged: true },
    resourceSubscriptions: ['file:///docs/a'],
  }
  const streams = [readEvents(await listen(guest, asked)), readEvents(await listen(other, asked))]
  for (const events of streams) await events.next()
  await guest.code('read_file', { path: '/other/a' })
  await allowOnly(workspace, 'session')
  const before = await guest.send('resources/list')
  expect(uris(JSON.stringify(before))).toContain('/other/a')
  await workspace.fetch(`/sessions/${session}/allowed`, { method: 'DELETE' })
  const after = await guest.send('resources/list')
  expect(uris(JSON.stringify(after))).not.toContain('/other/a')
  await workspace.put('/docs/a', 'mark')
  const notified: unknown[][] = []
  for (const events of streams)
    notified.push((await untilMarked(events)).map(({ method }) => method))
  const both = ['tools', 'resources'].map((list) => `notifications/${list}/list_changed`)
  expect(notified).toEqual([[...both, ...both], []])
  for (const events of streams) await events.cancel()
})

it('sends list_changed when new rules may alter the lists, and not for other rules', async () => {
  const workspace = freshWorkspace()
  const configure = async (rules: object) => {
    const init = { method: 'PUT', body: JSON.stringify(rules) }
    expect((await workspace.fetch('/config', init)).status).toBe(200)
  }
  const asked = { toolsListChanged: true, resourcesListChanged: true }
  const events = readEvents(await listen(workspace, asked))
  await events.next()
  await configure({ find_limit: 100 })
  await configure({ find_limit: 100, approval: 'notify' })
  const roots = [{ path: '/docs', deny: ['hidden'] }]
  await configure({ roots })
  await configure({ roots, find_limit: 100 })
  await configure({ roots: [{ path: '/docs' }] })
  await configure({ roots: [{ path: '/docs' }], read_only: true })
  await workspace.put('/docs/last', 'text')
  const methods: unknown[] = []
  for (let message = 0; message < 7; message++) methods.push((await events.next())['method'])
  const [tools, resources] = ['tools', 'resources'].map(
    (list) => `notifications/${list}/list_changed`,
  )
  expect(methods).toEqual([tools, resources, tools, resources, tools, resources, resources])
  await events.cancel()
})

it('tells a stream nothing whose policy takes too many steps, and the others what changed', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const log = vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => {
    vi.useRealTimers()
    log.mockRestore()
  })
  const workspace = freshWorkspace()
  const { client, session } = await linkOf(workspace, { policy: COSTLY_POLICY })
  const listened = { resourcesListChanged: true, resourceSubscriptions: ['file:///seen'] }
  const events = readEvents(await listen(client, listened))
  const others = readEvents(await listen(workspace, listened))
  for (const each of [events, others]) await each.next()
  for (const name of costlyNames(COSTLY_NAMES)) await workspace.put(`/${name}.hidden`, '')
  await workspace.put('/seen', 'text')
  await untilMarked(others)
  // Its calls have steps of their own.
  expect(await client.text('read_file', { path: '/seen' })).toBe('1: text')
  await workspace.fetch(`/sessions/${session}`, { method: 'DELETE' })
  expect(await events.ended()).toBe(true)
  await others.cancel()
})
