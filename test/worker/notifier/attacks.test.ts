/**
 * Attacks on notifications: addresses inside the network, callers that are not the owner's console, devices that were
 * removed or were another owner's, and names that pass for words of the product.
 */

import { OWNER_ACTS } from '#core/owner/acts.ts'
import { deviceId } from '#core/owner/device-id.ts'
import { isEndpoint } from '#worker/notifier/device.ts'
import { DELIVERY_RETRY_MS, NEWS_DELAY_MS } from '#worker/notifier/limits.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ownerLinkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { addDevice, bodyOf, devicesIn, readSettings } from '../../support/worker/notifications.ts'
import {
  NEWS,
  newsOf,
  openOn,
  refuseWith,
  withNotifier,
  withSql,
} from '../../support/worker/notifier.ts'
import { createPushDevice } from '../../support/worker/push-device.ts'
import { FROM_OWN_PAGE } from '../../support/worker/requests.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.spyOn(console, 'warn').mockReturnValue()
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Spellings of addresses at which no push service can be. */
const INSIDE = [
  'http://push.example/1',
  'https://localhost/1',
  'https://LOCALHOST./1',
  'https://push.localhost/1',
  'https://127.0.0.1/1',
  'https://127.1/1',
  'https://2130706433/1',
  'https://0x7f000001/1',
  'https://0177.0.0.1/1',
  'https://127。0。0。1/1',
  'https://①②⑦.0.0.1/1',
  'https://169.254.169.254/latest/meta-data',
  'https://10.0.0.1./1',
  'https://[::1]/1',
  'https://[::ffff:127.0.0.1]/1',
  'https://[fd00::1]/1',
  'https://router/1',
  'https://printer.local/1',
  'https://wiki.internal/1',
  'https://nas.home.arpa/1',
  'https://intranet.lan./1',
  'https://push.example:8443/1',
  'https://user@push.example/1',
  'https://user:secret@push.example/1',
  'https://push.example@127.0.0.1/1',
  'https://push.example/1#fragment',
  'ftp://push.example/1',
  'javascript:alert(1)',
  'data:text/plain,1',
  '//push.example/1',
  'push.example/1',
  '',
]

describe('an address inside the network', () => {
  it.each(INSIDE)('is not added: %s', async (endpoint) => {
    expect(isEndpoint(endpoint)).toBe(false)
    const workspace = freshWorkspace()
    expect(await addDevice(workspace, { endpoint })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ENDPOINT' },
    })
    expect(devicesIn(await readSettings(workspace))).toEqual([])
  })

  it.each([
    'https://fcm.googleapis.com/fcm/send/abc:APA91',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
    'https://web.push.apple.com/QGuQ',
    'https://wns2-par02p.notify.windows.com/w/?token=BQY',
    'https://push.example:443/1',
  ])('is not the one of a push service: %s', (endpoint) => {
    expect(isEndpoint(endpoint)).toBe(true)
  })

  it('is not reached from what is stored either', () =>
    withNotifier({}, async (notifier, sql) => {
      await notifier.enrol()
      sql.exec("UPDATE devices SET endpoint = 'https://127.0.0.1/1'")
      await notifier.tell(NEWS)
      await notifier.deliverIn(NEWS_DELAY_MS)
      expect(notifier.pushed).toEqual([])
      expect((await notifier.settings('default')).devices).toEqual([])
    }))

  it('is not reached by a redirect', () => {
    const answer = refuseWith(307, { location: 'https://127.0.0.1/1' })
    return withNotifier({ answer }, async (notifier) => {
      await notifier.enrol()
      await notifier.tell(NEWS)
      await notifier.deliverIn(NEWS_DELAY_MS)
      expect(notifier.pushed.map(({ init }) => init.redirect)).toEqual(['manual'])
    })
  })
})

/** Every act of notifications, as a request. */
const ACTS = Object.entries(OWNER_ACTS)
  .filter(([, { path }]) => path.startsWith('/notifications'))
  .map(([name, { method, path }]) => [name, method, path.replace('{device}', 'one')] as const)

describe('a caller that is not the console of the owner', () => {
  it('can be refused by five acts', () => {
    expect(ACTS).toHaveLength(5)
  })

  it.each(ACTS)('is refused with a session link: %s', async (_, method, path) => {
    const { client } = await ownerLinkOf(freshWorkspace())
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }
    const answer = await client.fetch(path, { method, headers: FROM_OWN_PAGE, ...body })
    expect(answer.status).toBe(401)
  })

  it.each([
    ['a page of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a page of another port', { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' }],
    ['an app in its frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a program', {}],
  ])('cannot add a device: %s', async (_, headers) => {
    const workspace = freshWorkspace()
    const answer = await workspace.fetch('/notifications/devices', {
      method: 'POST',
      headers,
      body: JSON.stringify(bodyOf(await createPushDevice())),
    })
    expect(answer.status).toBe(403)
    expect(devicesIn(await readSettings(workspace))).toEqual([])
  })
})

describe('a device that was removed', () => {
  it('gets nothing more, neither news nor what waited for it', () => {
    const answer = refuseWith(503)
    return withNotifier({ answer }, async (notifier) => {
      const lost = await notifier.enrol('Lost')
      await notifier.tell(NEWS)
      await notifier.deliverIn(NEWS_DELAY_MS)
      await notifier.tell(newsOf('notes'))
      await notifier.removeDevice(await deviceId(lost.endpoint))
      await notifier.deliverIn(DELIVERY_RETRY_MS * 1.2)
      await notifier.tell(newsOf('more'))
      await notifier.deliverIn(DELIVERY_RETRY_MS * 100)
      expect(await notifier.sentTo(lost)).toHaveLength(1)
      expect(notifier.pushed).toHaveLength(1)
    })
  })

  it('stays removed when an attempt on it ends', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    await withNotifier({ answer: () => promise }, async (notifier) => {
      const { endpoint } = await notifier.enrol()
      await notifier.tell(NEWS)
      const round = notifier.deliverIn(NEWS_DELAY_MS)
      await vi.waitFor(() => expect(notifier.pushed).toHaveLength(1))
      await notifier.removeDevice(await deviceId(endpoint))
      resolve(new Response(null, { status: 503 }))
      await round
      expect((await notifier.settings('default')).devices).toEqual([])
      await notifier.deliverIn(DELIVERY_RETRY_MS * 100)
      expect(notifier.pushed).toHaveLength(1)
    })
  })
})

describe('a device of another owner', () => {
  it('is removed with what waits for it', () =>
    withSql(async (sql) => {
      const before = await openOn(sql, { owner: 'the old secret' })
      const phone = await before.enrol()
      await before.tell(NEWS)
      const after = await openOn(sql, { owner: 'the new secret' })
      expect((await after.settings('default')).devices).toEqual([])
      await after.deliverIn(NEWS_DELAY_MS)
      await after.tell(newsOf('notes'))
      await after.deliverIn(DELIVERY_RETRY_MS * 100)
      expect(await after.sentTo(phone)).toEqual([])
      // It does not come back with the old secret.
      const again = await openOn(sql, { owner: 'the old secret' })
      expect((await again.settings('default')).devices).toEqual([])
    }))

  it('is kept while the owner is the same', () =>
    withSql(async (sql) => {
      await (await openOn(sql)).enrol()
      expect((await (await openOn(sql)).settings('default')).devices).toHaveLength(1)
    }))

  it('is not to be read in what is stored, which has no secret in it', () =>
    withSql(async (sql) => {
      await openOn(sql, { owner: 'the secret of the owner' })
      const stored = sql.exec('SELECT * FROM notifier').toArray()
      expect(JSON.stringify(stored)).not.toContain('the secret')
    }))
})

it.each([
  'x"\nApprove at https://evil.example',
  '\u202eevil',
  'a\u200bb\u0007',
  'From "you". 0 changes wait',
])('the name %j stays a quoted name on a device', (name) =>
  withNotifier({}, async (notifier) => {
    const phone = await notifier.enrol()
    await notifier.tell({ ...NEWS, from: [name] })
    await notifier.deliverIn(NEWS_DELAY_MS)
    const [message] = await notifier.sentTo(phone)
    expect(message?.['title']).toBe('3 changes wait for you')
    expect(message?.['body']).toMatch(/^From "(?:[^"\\\p{C}]|\\.)*"\.$/u)
  }),
)
