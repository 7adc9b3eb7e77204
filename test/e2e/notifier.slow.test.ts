/**
 * Notifications from the product to a push service on this machine, which speaks RFC 8030, verifies RFC 8292 and decrypts
 * RFC 8291 with code of its own: from a proposed change to a device, and what ends it.
 */

import { recordOf } from '#core/json.ts'
import { deviceId } from '#core/owner/device-id.ts'
import { afterAll, describe, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../support/e2e/folder.ts'
import { Person, SECRET } from '../support/e2e/person.ts'
import { startHere } from '../support/e2e/product.ts'
import { createPushService, type Subscription } from '../support/e2e/push-service.ts'
import type { Running } from '../support/e2e/running.ts'

const cleanups: (() => unknown)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const folder = () => {
  const data = temporaryFolder()
  cleanups.push(() => removeFolder(data))
  return data
}

let starting: Promise<unknown> = Promise.resolve()

/** Starts one product after the other: two that look for a free port at once can find the same. */
function startAlone(...given: Parameters<typeof startHere>): Promise<Running> {
  const product = starting.then(() => startHere(...given))
  starting = product.catch(() => undefined)
  return product
}

/** A product whose internet is a push service, and its owner at the console. */
async function start(service = createPushService(), data = folder(), secret = '') {
  const variables = { EDGEWISE_CONFIG: '{"approval":"review"}', EDGEWISE_OWNER_SECRET: secret }
  const product = await startAlone(data, variables, service.serve)
  let isRunning = true
  const stop = async () => {
    if (isRunning) await product.stop()
    isRunning = false
  }
  cleanups.push(stop)
  return { service, data, product, stop, owner: await openConsole(product, secret) }
}

/** Requests of the console. */
async function openConsole({ url }: Running, secret: string) {
  const person = new Person(secret)
  if (secret !== '') await person.signIn(url)
  const page = {
    'content-type': 'application/json',
    'x-edgewise-console': '1',
    'sec-fetch-site': 'same-origin',
    origin: url,
    // On a busy machine, the server can close a connection that waits for the next request.
    connection: 'close',
  }
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(new URL(path, url), {
      method,
      headers: { ...page, cookie: person.cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: recordOf(text === '' ? null : JSON.parse(text)) }
  }
  const settings = () => ask('GET', '/notifications')
  const add = ({ endpoint, keys }: Subscription, label = 'Phone') =>
    ask('POST', '/notifications/devices', { endpoint, keys, label })
  return {
    ask,
    settings,
    add,
    keyOf: async () => String((await settings()).body['key']),
    test: async ({ endpoint }: Subscription) =>
      ask('POST', `/notifications/devices/${await deviceId(endpoint)}/test`, {}),
    remove: async ({ endpoint }: Subscription) =>
      ask('DELETE', `/notifications/devices/${await deviceId(endpoint)}`),
  }
}

type Console = Awaited<ReturnType<typeof openConsole>>

/** Subscribes a new device of the service, and adds it. */
async function enrol({ subscribe }: ReturnType<typeof createPushService>, owner: Console) {
  const device = subscribe(await owner.keyOf())
  const { status, body } = await owner.add(device)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return device
}

describe.concurrent('a push service', () => {
  it('takes a test, which only the device can read', async ({ expect }) => {
    const { service, owner, product } = await start()
    const device = await enrol(service, owner)
    expect(await owner.test(device)).toMatchObject({ body: { outcome: 'delivered', status: 201 } })
    const [message] = device.received
    expect(JSON.parse(message?.text ?? '')).toEqual({
      tag: 'test',
      title: 'Edgewise',
      body: 'Notifications work on this device.',
      url: '/',
      waiting: 0,
      badge: 0,
    })
    expect(message).toMatchObject({
      urgency: 'high',
      claims: { sub: 'mailto:owner@edgewise.invalid', aud: 'https://push.example' },
    })
    expect(product.complaints()).toBe('')
  })

  it('that ends a subscription ends the device', async ({ expect }) => {
    const { service, owner } = await start()
    const device = await enrol(service, owner)
    device.end()
    expect(await owner.test(device)).toMatchObject({ body: { outcome: 'gone', status: 410 } })
    expect((await owner.settings()).body).toMatchObject({ devices: [] })
  })

  it('refuses a subscription of another sender', async ({ expect }) => {
    const { service, owner } = await start()
    const { owner: other } = await start(service)
    const device = service.subscribe(await other.keyOf())
    await owner.add(device)
    expect(await owner.test(device)).toMatchObject({ body: { outcome: 'failed', status: 403 } })
    expect(device.received).toEqual([])
    expect((await owner.settings()).body).toMatchObject({ devices: [{ failing: true }] })
  })

  it('sends this server nowhere else by a redirect', async ({ expect }) => {
    const { service, owner } = await start()
    const device = await enrol(service, owner)
    device.fail(1, 307, { location: 'https://internal.example/secret' })
    expect(await owner.test(device)).toMatchObject({ body: { outcome: 'failed', status: 307 } })
    expect(service.strays).toEqual([])
  })
})

describe.concurrent('a device', () => {
  it('is the same after a restart, with the same key', async ({ expect }) => {
    const { service, owner, data, stop } = await start()
    const device = await enrol(service, owner)
    await stop()
    const { owner: later } = await start(service, data)
    expect((await later.settings()).body).toMatchObject({ devices: [{ label: 'Phone' }] })
    expect(await later.test(device)).toMatchObject({ body: { outcome: 'delivered' } })
  })

  it('ends with the secret of its owner', async ({ expect }) => {
    const { service, owner, data, stop } = await start(createPushService(), folder(), SECRET)
    const device = await enrol(service, owner)
    await stop()
    const { owner: later, stop: stopLater } = await start(service, data, `${SECRET} 2`)
    expect((await later.settings()).body).toMatchObject({ devices: [] })
    expect(await later.test(device)).toMatchObject({ status: 404 })
    await stopLater()
    const { owner: again } = await start(service, data, SECRET)
    expect((await again.settings()).body).toMatchObject({ devices: [] })
    expect(device.received).toEqual([])
  })

  it('cannot be added or listed without signing in', async ({ expect }) => {
    const { service, product, owner } = await start(createPushService(), folder(), SECRET)
    const { endpoint, keys } = service.subscribe(await owner.keyOf())
    const body = JSON.stringify({ endpoint, keys, label: 'Thief' })
    const headers = {
      'content-type': 'application/json',
      'x-edgewise-console': '1',
      'sec-fetch-site': 'same-origin',
      origin: product.url,
    }
    const url = new URL('/notifications/devices', product.url)
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(401)
    expect((await fetch(new URL('/notifications', product.url))).status).toBe(401)
    expect((await owner.settings()).body).toMatchObject({ devices: [] })
  })
})

/** Calls a tool as an agent does. Its changes wait for the owner. */
async function call({ url }: Running, name: string, path: string): Promise<void> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'helper', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name, arguments: { path, content: 'secret words' }, _meta: meta }
  const answer = await fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
}

const soon = { timeout: 60_000, interval: 50 }

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Longer than it takes until news are sent. */
const NEWS_MS = 10_000

describe.concurrent('a change that an agent proposes', () => {
  it('reaches the device, with its draft and without content', async ({ expect }) => {
    const { service, owner, product } = await start()
    const device = await enrol(service, owner)
    for (const path of ['/private/a.md', '/private/b.md', '/private/c.md'])
      await call(product, 'write_file', path)
    await expect.poll(() => device.received.length, soon).toBe(1)
    const { body } = await owner.ask('GET', '/drafts')
    const [draft] = Array.isArray(body['drafts']) ? body['drafts'].map(recordOf) : []
    const text = device.received[0]?.text ?? ''
    expect(JSON.parse(text)).toEqual({
      tag: 'default',
      title: '3 changes wait for you',
      body: 'From "helper".',
      url: `/#/waiting/${String(draft?.['id'])}`,
      waiting: 3,
      badge: 3,
    })
    expect(text).not.toMatch(/private|secret/)
    await pause(NEWS_MS)
    expect(device.received).toHaveLength(1)
    expect(product.complaints()).toBe('')
  })

  it('reaches it again after a service that could not take it', async ({ expect }) => {
    const { service, owner, product } = await start()
    const device = await enrol(service, owner)
    device.fail(1, 429, { 'retry-after': '1' })
    await call(product, 'write_file', '/a.md')
    await expect.poll(() => device.statuses, soon).toEqual([429])
    expect((await owner.settings()).body).toMatchObject({ devices: [{ failing: true }] })
    await expect.poll(() => device.statuses, { ...soon, timeout: 90_000 }).toEqual([429, 201])
    expect(device.received).toHaveLength(1)
  })

  it('reaches no device that was removed meanwhile', async ({ expect }) => {
    const { service, owner, product } = await start()
    const [kept, removed] = [await enrol(service, owner), await enrol(service, owner)]
    await call(product, 'write_file', '/a.md')
    expect(await owner.remove(removed)).toMatchObject({ status: 200 })
    await expect.poll(() => kept.received.length, soon).toBe(1)
    await pause(NEWS_MS)
    expect(removed.statuses).toEqual([])
  })

  it('reaches no device of another owner after a restart', async ({ expect }) => {
    const { service, owner, product, data, stop } = await start()
    const device = await enrol(service, owner)
    await call(product, 'write_file', '/a.md')
    await stop()
    const { owner: later } = await start(service, data, SECRET)
    expect((await later.settings()).body).toMatchObject({ devices: [], elsewhere: 0 })
    await pause(NEWS_MS)
    expect(device.statuses).toEqual([])
  })
})
