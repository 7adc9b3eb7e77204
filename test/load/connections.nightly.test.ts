/**
 * A thousand clients at once: each receives its subscriptions, once and nothing else; one above the limit
 * is refused without an effect on the others; and everything is released when they have left.
 */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MAX_STREAMS, MAX_SUBSCRIPTIONS } from '#worker/limits.ts'
import { removeFolder, temporaryFolder } from '../support/e2e/folder.ts'
import { ask } from '../support/e2e/raw-http.ts'
import type { Running } from '../support/e2e/running.ts'
import { startProduct } from '../support/e2e/server.ts'
import { createClient, type Era } from '../support/slow/load-client.ts'
import { listen, listening, type Listener } from '../support/slow/load-listener.ts'
import { descriptorsOf, mib, residentOf, steadyGrowth } from '../support/slow/process-memory.ts'
import { createStatistics } from '../support/slow/load-statistics.ts'

const CLIENTS = 1_000
const WORKSPACES = 5

/** Clients that come at the same time, as more would only wait for each other. */
const AT_ONCE = 50

const SOON = { timeout: 60_000, interval: 250 }

/** Times that all come and go. */
const ROUNDS = 4

/**
 * From one round to the next, if it grows in all after the first, in which caches are filling. A client takes some
 * 200 KiB while it is subscribed, so rounds without a release would grow by 200 MiB each.
 */
const MAX_STEADY_GROWTH = 64 * 1024 * 1024

const data = temporaryFolder()
let product: Running

beforeAll(async () => {
  product = await startProduct(data)
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  expect(product.complaints()).toBe('')
  removeFolder(data)
})

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)
const workspace = (name: string) => `${product.url}/w/${name}`

/** A test that runs again begins with workspaces that have no sessions. */
let attempt = 0
const spread = (at: number) => workspace(`spread${attempt}-${at % WORKSPACES}`)

/** Does something for each, a few at a time. */
async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))))
  return results
}

async function put(url: string, path: string, body: string): Promise<void> {
  const response = await ask(`${url}/files${path}`, { method: 'PUT', body })
  expect(response.ok, await response.text()).toBe(true)
}

/** One client among others, with its subscription. */
interface Subscriber {
  readonly url: string
  readonly era: Era
  readonly path: string
}

const ALL = '/all.txt'
const uriOf = (path: string) => `file://${path}`

const subscribers = (): Subscriber[] =>
  numbers(CLIENTS).map((at) => ({
    url: spread(at),
    era: at % 2 === 0 ? 'modern' : 'legacy',
    path: `/own/${at}.txt`,
  }))

/** All connect, receive and disconnect: every other one abruptly. Returns memory and descriptors in between. */
async function connectAndLeave(): Promise<{ resident: number; descriptors: number }> {
  const all = subscribers()
  const listeners = await each(all, ({ era, url, path }) =>
    listening(era, `${url}/mcp`, [uriOf(path), uriOf(ALL)]),
  )
  await each(all, ({ url, path }) => put(url, path, 'two'))
  await each(numbers(WORKSPACES), (at) => put(spread(at), ALL, 'two'))
  // Notifications come in order, so no earlier one can come after this.
  await Promise.all(listeners.map((listener) => listener.waitForUpdate(uriOf(ALL))))
  expect(listeners.map(({ heard }) => heard)).toEqual(
    all.map(({ path }) => [uriOf(path), uriOf(ALL)]),
  )
  const held = { resident: residentOf(data), descriptors: descriptorsOf(data) }
  await leave(listeners)
  return held
}

/** By twos, so that of each era some say goodbye and some do not. */
async function leave(listeners: readonly Listener[]): Promise<void> {
  await each([...listeners.entries()], async ([at, listener]) => {
    if (at % 4 < 2) listener.vanish()
    else await listener.leave()
  })
}

const inMib = ({ held, left }: { held: number; left: number }) => [mib(held), mib(left)]

describe(`${CLIENTS} streams in ${WORKSPACES} workspaces`, () => {
  it('receive only their own notifications, and release everything', async () => {
    attempt++
    for (const { url, path } of subscribers()) await put(url, path, 'one')
    for (const at of numbers(WORKSPACES)) await put(spread(at), ALL, 'one')
    const idle = { resident: residentOf(data), descriptors: descriptorsOf(data) }
    const rounds: { held: number; left: number }[] = []
    for (const _ of numbers(ROUNDS)) {
      const held = await connectAndLeave()
      expect(held.descriptors).toBeGreaterThanOrEqual(idle.descriptors + CLIENTS)
      await vi.waitFor(
        () => expect(descriptorsOf(data)).toBeLessThan(idle.descriptors + AT_ONCE),
        SOON,
      )
      rounds.push({ held: held.resident, left: residentOf(data) })
    }
    console.log('MiB idle, then with all and without', mib(idle.resident), rounds.map(inMib))
    expect(steadyGrowth(rounds.slice(1).map(({ left }) => left))).toBeLessThan(MAX_STEADY_GROWTH)
  })

  it('end the sessions that were deleted, and no others', async () => {
    let sessions = 0
    for (const at of numbers(WORKSPACES)) {
      const response = await ask(`${spread(at)}/sessions`)
      const { sessions: list }: { sessions: unknown[] } = JSON.parse(await response.text())
      sessions += list.length
    }
    expect(sessions).toBe((ROUNDS * CLIENTS) / 4)
  })
})

describe('a workspace at its limit of streams', () => {
  const path = '/watched.txt'
  const open = () => listen('modern', `${workspace('full')}/mcp`, [uriOf(path), uriOf(ALL)])

  it('closes its oldest stream for a new one, and accepts more when some have closed', async () => {
    const url = workspace('full')
    const come = async () => {
      const opened = await open()
      if (!('heard' in opened)) throw new Error(`Refused by ${opened.status}: ${opened.body}`)
      return opened
    }
    const first = await each(numbers(MAX_STREAMS), come)
    const more = await each(numbers(5), come)
    await put(url, path, 'one')
    await put(url, ALL, 'one')
    const listening = () => [...first, ...more].filter(({ heard }) => heard.includes(uriOf(ALL)))
    await vi.waitFor(() => expect(listening()).toHaveLength(MAX_STREAMS), SOON)
    expect(listening()).toEqual(expect.arrayContaining(more))
    const listeners = listening()
    for (const { heard } of listeners) expect(heard).toEqual([uriOf(path), uriOf(ALL)])

    const [going, staying] = [listeners.slice(0, 500), listeners.slice(500)]
    const held = descriptorsOf(data)
    await leave(going)
    await vi.waitFor(
      () => expect(descriptorsOf(data)).toBeLessThan(held - going.length + AT_ONCE),
      SOON,
    )
    // A client that left counts until the server has noticed it, so that there is room for fewer than left.
    const coming = await each(going.slice(2 * AT_ONCE), () => vi.waitFor(come, SOON))
    await put(url, path, 'two')
    await Promise.all(coming.map((listener) => listener.waitForUpdate(uriOf(path))))
    for (const { heard } of coming) expect(heard).toEqual([uriOf(path)])
    await put(url, '/other.txt', 'no subscription')
    await vi.waitFor(() => {
      for (const { heard } of staying) expect(heard).toEqual([uriOf(path), uriOf(ALL), uriOf(path)])
    }, SOON)
    await leave([...staying, ...coming])
  })
})

it('a client that does not read loses its stream, and delays no other', async () => {
  const url = workspace('stalled')
  const long = 'long'.repeat(40)
  const uris = numbers(MAX_SUBSCRIPTIONS).map((at) => uriOf(`/from/${long}${at}`))
  await each(numbers(MAX_SUBSCRIPTIONS), (at) => put(url, `/from/${long}${at}`, 'one'))
  const [stalled, reading] = [
    await listening('modern', `${url}/mcp`, uris),
    await listening('modern', `${url}/mcp`, [uriOf(ALL)]),
  ]
  const goOn = stalled.stall()
  const { port } = new URL(url)
  const endpoint = { port: Number(port), mcp: '/w/stalled/mcp', files: '/w/stalled/files' } as const
  const client = await createClient({ ...endpoint, era: 'modern' }, createStatistics())
  // Each move notifies of all subscriptions, and the system buffers some megabytes by itself.
  const moves = 120
  for (const at of numbers(moves)) {
    const [from, to] = at % 2 === 0 ? ['/from', '/to'] : ['/to', '/from']
    expect(await client.call('move_file', { from, to })).toMatchObject({ ok: true })
  }
  client.close()
  await put(url, ALL, 'one')
  await reading.waitForUpdate(uriOf(ALL))
  expect(reading.heard).toEqual([uriOf(ALL)])

  await goOn()
  const heard = stalled.heard.length
  expect(heard).toBeLessThan(moves * uris.length)
  expect(stalled.heard.slice(0, uris.length).toSorted()).toEqual(uris.toSorted())
  await reading.leave()
})

// Workerd closes a connection that is idle for five seconds, which a busy machine can exceed: a client
// that finds it closed connects again, as every client does.
it(`${CLIENTS} connections that stay open call at the same time`, async () => {
  const port = Number(new URL(product.url).port)
  const tally = createStatistics()
  const clients = await Promise.all(
    numbers(CLIENTS).map(async (at) => {
      const base = `/w/calls${at % WORKSPACES}`
      const era = at % 19 === 0 ? 'legacy' : 'modern'
      const endpoint = { port, mcp: `${base}/mcp`, files: `${base}/files`, era } as const
      const client = await vi.waitFor(() => createClient(endpoint, tally), SOON)
      const path = `/of/${at}.txt`
      for (const content of ['one', 'two', 'three']) {
        const write = () => client.call('write_file', { path, content })
        expect(await vi.waitFor(write, SOON)).toMatchObject({ ok: true })
        const { body } = await vi.waitFor(() => client.get(path), SOON)
        expect(body.toString()).toBe(content)
      }
      return client
    }),
  )
  for (const client of clients) client.close()
  for (const at of numbers(WORKSPACES)) {
    const status = await (await ask(`${workspace(`calls${at}`)}/status`)).json()
    const files = CLIENTS / WORKSPACES
    expect(status).toMatchObject({ files, bytes: files * 'three'.length })
  }
})
