/** The outbox: its queue, the attempts of the webhook and its settings. Signatures are verified by `standardwebhooks`. */

import { refuseMisconfigured } from '#worker/front/deployed-config.ts'
import type { MaybePromise } from '#worker/maybe-promise.ts'
import {
  MAX_NOTICE_ATTEMPT_MS,
  MAX_NOTICE_ATTEMPTS,
  MAX_NOTICE_BATCH,
  MAX_NOTICES,
  NOTICE_DELAY_MS,
  NOTICE_RETRY_MS,
} from '#worker/outbox/limits.ts'
import { createOutbox, type Outbox } from '#worker/outbox/outbox.ts'
import type { Notice } from '#worker/outbox/queue.ts'
import { webhookSettings } from '#worker/outbox/webhook-settings.ts'
import { openWorkspace } from '#worker/open.ts'
import { createTables, tablesOf } from '#worker/database/table-groups.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { testEnv } from '../../support/worker/notifying-env.ts'
import { crash, holdAlarm, newStub, reconnect, storeOf } from '../../support/worker/object-life.ts'

const SECRET = `whsec_${btoa('a secret of more than 24 bytes')}`
const URL = 'https://receiver.example/hooks/edgewise'
const CONFIGURED = testEnv({ EDGEWISE_WEBHOOK: URL, EDGEWISE_WEBHOOK_SECRET: SECRET })

const DRAFT: Notice = {
  type: 'draft.waiting',
  workspace: 'default',
  draft: '1a2b',
  url: 'https://files.example.com/#/drafts/1a2b',
}

const draft = (id: number): Notice => ({ ...DRAFT, draft: String(id) })

/** A time at which every waiting notice is due. */
const later = (days = 2) => Date.now() + days * 24 * 60 * 60 * 1000

interface Received {
  readonly id: string
  readonly body: unknown
  readonly init: RequestInit
}

/** A receiver that verifies each request, keeps it, and answers as given. */
function createReceiver(answer: (init: RequestInit) => MaybePromise<Response>) {
  const received: Received[] = []
  const send: typeof fetch = async (input, init = {}) => {
    expect(input).toBe(URL)
    const headers = Object.fromEntries(new Headers(init.headers))
    const body: unknown = new Verifier(SECRET).verify(await new Response(init.body).text(), headers)
    received.push({ id: headers['webhook-id'] ?? '', body, init })
    return answer(init)
  }
  return { received, send }
}

const accepting = () => createReceiver(() => new Response(null, { status: 204 }))
const failing = (status = 500) => createReceiver(() => new Response('no', { status }))

interface Opened {
  readonly outbox: Outbox
  readonly sql: SqlStorage
  /** The times for which the alarm was set. */
  readonly wakes: number[]
  readonly count: () => number
}

function open({ storage }: DurableObjectState, send: typeof fetch, from = CONFIGURED): Opened {
  const { sql } = storage
  const settings = webhookSettings(from)
  if (!settings.ok) throw new Error(settings.error)
  const wakes: number[] = []
  const wakeAt = (time: number) => void wakes.push(time)
  const outbox = createOutbox(sql, { settings: settings.value, wakeAt, send })
  const count = () =>
    tablesOf(sql, 'notices').exec<{ count: number }>('SELECT count(*) AS count FROM notices').one()
      .count
  return { outbox, sql, wakes, count }
}

/** Runs a function with the outbox of a new workspace. */
async function withWebhook(
  send: typeof fetch,
  work: (opened: Opened) => MaybePromise<void>,
  from = CONFIGURED,
): Promise<void> {
  await runInDurableObject(newStub(), async (_, state) => {
    storeOf(state)
    await work(open(state, send, from))
  })
}

afterEach(() => void vi.restoreAllMocks())

/** Keeps what is written to the log. */
function watchLog() {
  const lines: string[] = []
  vi.spyOn(console, 'warn').mockImplementation((line: unknown) => void lines.push(String(line)))
  return lines
}

describe('a notice', () => {
  it('is a signed POST with type, workspace, id, link and time, and nothing else', async () => {
    const { received, send } = accepting()
    await withWebhook(send, async ({ outbox, count }) => {
      const more = { intent: 'Write salaries', label: 'agent', paths: ['/private/salary.txt'] }
      const at = Date.now()
      outbox.notify({ ...DRAFT, ...more })
      outbox.notify({ type: 'access.requested', workspace: 'team', url: 'https://a.example/' })
      await outbox.deliver(later())
      expect(received.map(({ body }) => body)).toEqual([
        {
          type: 'draft.waiting',
          timestamp: expect.any(String),
          data: { workspace: 'default', draft: '1a2b', url: DRAFT.url },
        },
        {
          type: 'access.requested',
          timestamp: expect.any(String),
          data: { workspace: 'team', url: 'https://a.example/' },
        },
      ])
      const sent = received[0]?.body
      const { timestamp } = z.object({ timestamp: z.iso.datetime() }).parse(sent)
      expect(Math.abs(Date.parse(timestamp) - at)).toBeLessThan(5_000)
      expect(count()).toBe(0)
    })
  })

  it('is not sent along a redirect, and is JSON', async () => {
    const headers = { location: 'https://elsewhere.example/' }
    const { received, send } = createReceiver(() => new Response(null, { status: 307, headers }))
    watchLog()
    await withWebhook(send, async ({ outbox, count }) => {
      outbox.notify(DRAFT)
      await outbox.deliver(later())
      expect(received).toHaveLength(1)
      expect(received[0]?.init).toMatchObject({ method: 'POST', redirect: 'manual' })
      expect(new Headers(received[0]?.init.headers).get('content-type')).toBe('application/json')
      expect(count()).toBe(1)
    })
  })

  it('has an answer whose body is not read', async () => {
    let pulled = 0
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          pulled++
          controller.enqueue(new Uint8Array(65_536))
        },
      })
    const { send } = createReceiver(() => new Response(endless()))
    await withWebhook(send, async ({ outbox, count }) => {
      outbox.notify(DRAFT)
      await outbox.deliver(later())
      expect(count()).toBe(0)
      expect(pulled).toBeLessThan(3)
    })
  })

  it('wakes the object after a short delay, and waits until it is due', async () => {
    const { received, send } = accepting()
    await withWebhook(send, async ({ outbox, wakes }) => {
      const now = Date.now()
      outbox.notify(DRAFT)
      const due = wakes[0] ?? 0
      expect(due - now).toBeGreaterThanOrEqual(NOTICE_DELAY_MS)
      expect(due - now).toBeLessThan(NOTICE_DELAY_MS + 1_000)
      await outbox.deliver(due - 1)
      expect(received).toEqual([])
      expect(wakes.at(-1)).toBe(due)
      await outbox.deliver(due)
      expect(received).toHaveLength(1)
    })
  })
})

describe('waiting notices of the same type and draft', () => {
  it('are one', async () => {
    const { received, send } = accepting()
    await withWebhook(send, async ({ outbox }) => {
      for (const id of [1, 2, 1, 1, 2]) outbox.notify(draft(id))
      outbox.notify({ ...draft(1), type: 'change.applied' })
      const asked = { type: 'access.requested', workspace: 'default' } as const
      outbox.notify({ ...asked, url: 'https://a.example/old' })
      outbox.notify({ ...asked, url: 'https://a.example/new' })
      await outbox.deliver(later())
      expect(received.map(({ body }) => body)).toMatchObject([
        { type: 'draft.waiting', data: { draft: '1' } },
        { type: 'draft.waiting', data: { draft: '2' } },
        { type: 'change.applied', data: { draft: '1' } },
        { type: 'access.requested', data: { url: 'https://a.example/new' } },
      ])
    })
  })

  it('are one after a failed attempt, with a new id and all its attempts', async () => {
    const { received, send } = failing()
    watchLog()
    await withWebhook(send, async ({ outbox, count, sql }) => {
      outbox.notify(DRAFT)
      await outbox.deliver(later())
      outbox.notify(DRAFT)
      expect(count()).toBe(1)
      const due = sql.exec<{ due: number }>('SELECT due FROM notices').one().due
      expect(due).toBeGreaterThan(later(1))
      await outbox.deliver(later(3))
      expect(new Set(received.map(({ id }) => id)).size).toBe(2)
      expect(sql.exec('SELECT attempts FROM notices').one()).toEqual({ attempts: 1 })
    })
  })

  it('do not end with the delivery of one that was on its way', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const { received, send } = createReceiver(() => promise)
    await withWebhook(send, async ({ outbox, count }) => {
      outbox.notify(DRAFT)
      const round = outbox.deliver(later())
      await expect.poll(() => received.length).toBe(1)
      outbox.notify(DRAFT)
      resolve(new Response(null, { status: 204 }))
      await round
      expect(count()).toBe(1)
    })
  })
})

describe('a failed attempt', () => {
  it('is repeated with the same id, and no more once the receiver has accepted', async () => {
    let answers = 0
    const { received, send } = createReceiver(
      () => new Response(null, { status: answers++ === 0 ? 500 : 204 }),
    )
    const log = watchLog()
    await withWebhook(send, async ({ outbox, count }) => {
      outbox.notify(DRAFT)
      for (const days of [2, 4, 6]) await outbox.deliver(later(days))
      expect(received).toHaveLength(2)
      expect(received[0]?.id).toMatch(/^msg_/)
      expect(received[1]?.id).toBe(received[0]?.id)
      expect(received[1]?.body).toEqual(received[0]?.body)
      expect(count()).toBe(0)
    })
    expect(log).toEqual(['Webhook attempt failed'])
  })

  it(`is repeated up to ${MAX_NOTICE_ATTEMPTS} times in all over about a day`, async () => {
    const { received, send } = failing(503)
    const log = watchLog()
    await withWebhook(send, async ({ outbox, sql, count }) => {
      const start = Date.now()
      outbox.notify(DRAFT)
      const dues: number[] = []
      for (let due = start + NOTICE_DELAY_MS + 100; count() > 0;) {
        dues.push(due)
        await outbox.deliver(due)
        due = sql.exec<{ due: number | null }>('SELECT min(due) AS due FROM notices').one().due ?? 0
      }
      expect(received).toHaveLength(MAX_NOTICE_ATTEMPTS)
      const pauses = dues.slice(1).map((due, at) => due - (dues[at] ?? 0))
      for (const [at, pause] of pauses.entries()) {
        expect(pause).toBeGreaterThanOrEqual(NOTICE_RETRY_MS * 4 ** at * 0.8)
        expect(pause).toBeLessThanOrEqual(NOTICE_RETRY_MS * 4 ** at * 1.2)
      }
      const hours = ((dues.at(-1) ?? 0) - start) / 3_600_000
      expect(hours).toBeGreaterThan(18)
      expect(hours).toBeLessThan(28)
    })
    expect(log.at(-1)).toBe('Webhook notice dropped: failed')
  })

  it('is the last when the receiver is gone', async () => {
    const { received, send } = failing(410)
    const log = watchLog()
    await withWebhook(send, async ({ outbox, count }) => {
      outbox.notify(DRAFT)
      await outbox.deliver(later())
      expect(received).toHaveLength(1)
      expect(count()).toBe(0)
    })
    expect(log).toEqual(['Webhook notice dropped: gone'])
  })

  it('is one without a connection, too', async () => {
    watchLog()
    const unreachable = () => Promise.reject(new TypeError('connection refused'))
    await withWebhook(unreachable, async ({ outbox, count }) => {
      outbox.notify(DRAFT)
      await outbox.deliver(later())
      expect(count()).toBe(1)
    })
  })

  it(`ends after ${MAX_NOTICE_ATTEMPT_MS} ms`, async () => {
    watchLog()
    const { send } = createReceiver(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('aborted')))
        }),
    )
    await withWebhook(send, async ({ outbox, count }) => {
      outbox.notify(DRAFT)
      const start = performance.now()
      await outbox.deliver(later())
      const took = performance.now() - start
      expect(took).toBeGreaterThan(MAX_NOTICE_ATTEMPT_MS - 500)
      expect(took).toBeLessThan(MAX_NOTICE_ATTEMPT_MS + 5_000)
      expect(count()).toBe(1)
    })
  })
})

describe('the queue', () => {
  it(`keeps ${MAX_NOTICES} notices, and drops the oldest beyond that`, async () => {
    const log = watchLog()
    await withWebhook(accepting().send, ({ outbox, sql, count }) => {
      for (let id = 1; id <= MAX_NOTICES; id++) outbox.notify(draft(id))
      expect(log).toEqual([])
      expect(count()).toBe(MAX_NOTICES)
      outbox.notify(draft(MAX_NOTICES + 1))
      expect(count()).toBe(MAX_NOTICES)
      expect(sql.exec('SELECT min(CAST(draft AS INTEGER)) AS draft FROM notices').one()).toEqual({
        draft: 2,
      })
    })
    expect(log).toEqual(['Webhook notice dropped: queue full'])
  })

  it(`sends ${MAX_NOTICE_BATCH} at a time, in order, and wakes the object for the rest`, async () => {
    const { received, send } = accepting()
    await withWebhook(send, async ({ outbox, wakes, count }) => {
      for (let id = 0; id <= MAX_NOTICE_BATCH; id++) outbox.notify(draft(id))
      const now = later()
      await Promise.all([outbox.deliver(now), outbox.deliver(now)])
      expect(received).toHaveLength(MAX_NOTICE_BATCH)
      expect(wakes.at(-1)).toBeLessThan(now)
      await outbox.deliver(now)
      expect(received.map(({ body }) => body)).toMatchObject(
        Array.from({ length: MAX_NOTICE_BATCH + 1 }, (_, id) => ({ data: { draft: String(id) } })),
      )
      expect(count()).toBe(0)
    })
  })

  it('survives an eviction before an attempt and a crash during one, and sets the alarm again', async () => {
    const stub = newStub()
    const receiver = accepting()
    await runInDurableObject(stub, (_, state) => {
      storeOf(state)
      open(state, receiver.send).outbox.notify(DRAFT)
    })
    await evictDurableObject(stub)
    await runInDurableObject(stub, (_, state) => {
      const { outbox, wakes } = open(state, () => new Promise(() => {}))
      expect(wakes).toHaveLength(1)
      void outbox.deliver(later())
    })
    await crash(stub)
    await runInDurableObject(reconnect(stub), async (_, state) => {
      const { outbox, wakes, count } = open(state, receiver.send)
      expect(wakes[0]).toBeGreaterThan(later(1))
      await outbox.deliver(later(3))
      expect(receiver.received).toHaveLength(1)
      expect(count()).toBe(0)
    })
  })

  it('is woken again after an alarm that rings during a round', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const { received, send } = createReceiver(() => promise)
    await withWebhook(send, async ({ outbox, wakes }) => {
      for (let id = 0; id <= MAX_NOTICE_BATCH; id++) outbox.notify(draft(id))
      const now = later()
      const round = outbox.deliver(now)
      await expect.poll(() => received.length).toBe(MAX_NOTICE_BATCH)
      const before = wakes.length
      await outbox.deliver(now)
      expect(received).toHaveLength(MAX_NOTICE_BATCH)
      expect(wakes.slice(before)).toEqual([expect.any(Number)])
      expect(wakes.at(-1)).toBeGreaterThan(now + MAX_NOTICE_ATTEMPT_MS)
      resolve(new Response(null, { status: 204 }))
      await round
      expect(wakes.at(-1)).toBeLessThan(now)
    })
  })

  it('drops a notice whose last attempt ended with the object', async () => {
    const { received, send } = accepting()
    const log = watchLog()
    await withWebhook(send, async ({ outbox, sql, count }) => {
      outbox.notify(DRAFT)
      sql.exec('UPDATE notices SET attempts = ?', MAX_NOTICE_ATTEMPTS)
      await outbox.deliver(later())
      expect(received).toEqual([])
      expect(count()).toBe(0)
    })
    expect(log).toEqual(['Webhook notice dropped: failed'])
  })

  it('is empty without a webhook', async () => {
    const { received, send } = accepting()
    const work = async ({ outbox, wakes, count }: Opened) => {
      outbox.notify(DRAFT)
      await outbox.deliver(later())
      expect([received, wakes, count()]).toEqual([[], [], 0])
    }
    await withWebhook(send, work, env)
  })

  it('fails no call when it cannot be written', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    await withWebhook(accepting().send, async ({ outbox, sql }) => {
      createTables(sql, 'notices')
      sql.exec('DROP TABLE notices')
      expect(() => outbox.notify(DRAFT)).not.toThrow()
      await outbox.deliver(later())
    })
    expect(error).toHaveBeenCalledTimes(2)
  })
})

it('an open workspace queues notices and sets its alarm', async () => {
  const stub = newStub()
  await holdAlarm(stub)
  await runInDurableObject(stub, async (_, state) => {
    const now = Date.now()
    openWorkspace(state, CONFIGURED).outbox.notify(DRAFT)
    const rows = state.storage.sql.exec('SELECT type, draft FROM notices').toArray()
    expect(rows).toEqual([{ type: 'draft.waiting', draft: '1a2b' }])
    await expect.poll(() => state.storage.getAlarm()).toBeGreaterThanOrEqual(now + NOTICE_DELAY_MS)
  })
})

it('the owner is notified of a change, of a draft and of an access request', async () => {
  await runInDurableObject(newStub(), async (_, state) => {
    const workspace = openWorkspace(state, CONFIGURED)
    const send = async (path: string, method: string, body: unknown) => {
      const headers = {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      }
      const init = { method, headers, body: JSON.stringify(body) }
      return (await workspace.fetch(new Request(`http://localhost${path}`, init))).text()
    }
    const call = (name: string, args: object) =>
      send('/mcp', 'POST', {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name, arguments: args },
      })
    const newTypes = () =>
      tablesOf(state.storage.sql, 'notices')
        .exec<{ type: string }>('DELETE FROM notices RETURNING type')
        .toArray()
        .map(({ type }) => type)
    const root = { path: '/docs' }
    await send('/config', 'PUT', { roots: [root], approval: 'notify' })
    await call('write_file', { path: '/docs/a', content: 'x' })
    expect(newTypes()).toEqual(['change.applied'])
    await send('/config', 'PUT', { roots: [root], approval: 'review' })
    await call('write_file', { path: '/docs/a', content: 'y' })
    expect(newTypes()).toEqual(['draft.waiting'])
    await call('write_file', { path: '/docs/b', content: 'y' })
    expect(newTypes()).toEqual([])
    await call('read_file', { path: '/private' })
    expect(newTypes()).toEqual(['access.requested'])
  })
})

describe('the settings', () => {
  const read = (url: string | undefined, secret?: string) =>
    webhookSettings({
      ...env,
      ...(url !== undefined && { EDGEWISE_WEBHOOK: url }),
      ...(secret !== undefined && { EDGEWISE_WEBHOOK_SECRET: secret }),
    })
  const secretOf = (bytes: number) => `whsec_${btoa('x'.repeat(bytes))}`

  it.each([
    URL,
    'http://localhost:8080/x',
    'http://127.0.0.1/',
    'http://[::1]:1/',
    'https://10.0.0.1/',
  ])('accept %s', (url) => expect(read(url, SECRET)).toMatchObject({ ok: true, value: { url } }))

  it.each([undefined, ''])('have no webhook with %j', (url) => {
    expect(read(url)).toEqual({ ok: true, value: null })
    expect(read(url, SECRET)).toEqual({ ok: true, value: null })
  })

  const readRefusal = async (refused: Response | null) => {
    expect(refused?.status).toBe(503)
    return (await refused?.json<{ code: string; message: string }>()) ?? { code: '', message: '' }
  }

  it.each([
    'receiver.example',
    'http://receiver.example/',
    'http://localhost.example/',
    'http://127.0.0.1.example/',
    'http://127.0.0.2/',
    'https://name:password@receiver.example/',
    'https://name@receiver.example/',
    'ftp://localhost/',
    'javascript:alert(1)',
    'https://',
  ])('refuse all requests with the address %s, and do not repeat it', async (url) => {
    const refused = refuseMisconfigured({ ...CONFIGURED, EDGEWISE_WEBHOOK: url })
    const { code, message } = await readRefusal(refused)
    expect(code).toBe('INVALID_CONFIG')
    expect(message).toContain('Cannot use EDGEWISE_WEBHOOK:')
    expect(message).not.toContain(url)
  })

  it.each([
    '',
    'whsec_',
    SECRET.slice('whsec_'.length),
    'whsec_not base64 at all, whatever its length',
    secretOf(23),
    secretOf(65),
  ])('refuse all requests with the secret %j, and do not repeat it', async (secret) => {
    const refused = refuseMisconfigured({ ...CONFIGURED, EDGEWISE_WEBHOOK_SECRET: secret })
    const { message } = await readRefusal(refused)
    expect(message).toContain('Cannot use EDGEWISE_WEBHOOK_SECRET:')
    if (secret.length > 'whsec_'.length) expect(message).not.toContain(secret)
  })

  it.each([24, 64])('accept a secret of %d bytes', (bytes) => {
    expect(read(URL, secretOf(bytes)).ok).toBe(true)
  })
})
