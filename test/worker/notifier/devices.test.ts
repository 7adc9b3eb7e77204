/** Devices: their keys, their places, and what a page learns of them. */

import { deviceId } from '#core/owner/device-id.ts'
import { toBase64Url } from '#worker/encoding/base64.ts'
import { readAuth, readPoint } from '#worker/notifier/device.ts'
import { DELIVERY_RETRY_MS, NEWS_DELAY_MS } from '#worker/notifier/limits.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPushDevice } from '../../support/worker/push-device.ts'
import { NEWS, openOn, withNotifier, withSql } from '../../support/worker/notifier.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const ORIGIN = 'https://files.example'

const bytes = (length: number, first = 4) =>
  toBase64Url(new Uint8Array(length).fill(7).with(0, first))

describe('the keys of the notifier', () => {
  it('are made once, and kept', () =>
    withSql(async (sql) => {
      const { key } = await (await openOn(sql)).settings('default')
      expect(await readPoint(key)).toBe(key)
      expect((await (await openOn(sql)).settings('other')).key).toBe(key)
    }))

  it('differ between deployments', async () => {
    const keyOf = () => withNotifier({}, async ({ settings }) => (await settings('default')).key)
    expect(await keyOf()).not.toBe(await keyOf())
  })
})

describe('the keys of a device', () => {
  it('are read in base64 and base64url, with padding or without', async () => {
    const { keys } = await createPushDevice()
    const usual = keys.p256dh.replaceAll('-', '+').replaceAll('_', '/')
    expect(await readPoint(`${usual}=`)).toBe(keys.p256dh)
    expect(readAuth(`${keys.auth}==`)).toBe(keys.auth)
  })

  it.each([
    ['', 'empty'],
    ['###', 'no base64'],
    [bytes(65), 'no point of the curve'],
    [bytes(33, 2), 'compressed'],
    [bytes(64), 'too short'],
    [bytes(65, 5), 'of another form'],
  ])('cannot be the point %j, which is %s', async (text) => {
    expect(await readPoint(text)).toBeNull()
  })

  it.each(['', bytes(15), bytes(17), '####'])('cannot be the secret %j', (text) => {
    expect(readAuth(text)).toBeNull()
  })
})

describe('a list of devices', () => {
  it('has names and times, and neither addresses nor keys', () =>
    withNotifier({}, async (notifier) => {
      const { endpoint } = await notifier.enrol('Phone')
      const { devices } = await notifier.settings('default')
      expect(devices).toEqual([
        {
          id: await deviceId(endpoint),
          label: 'Phone',
          added: Date.now(),
          delivered: null,
          failing: false,
        },
      ])
    }))

  it('has the oldest first, and a device once', () =>
    withNotifier({}, async (notifier) => {
      const first = await notifier.enrol('Phone')
      vi.setSystemTime(Date.now() + 1)
      await notifier.enrol('Laptop')
      vi.setSystemTime(Date.now() + 1)
      await notifier.enrol('New name', first)
      const { devices } = await notifier.settings('default')
      expect(devices.map(({ label }) => label)).toEqual(['New name', 'Laptop'])
    }))
})

describe('a device that replaces another', () => {
  it('takes its place, and what waits for it', () => {
    const bad = 'https://push.example/old'
    const answer = ({ url }: { readonly url: string }) =>
      new Response(null, { status: url === bad ? 503 : 201 })
    return withNotifier({ answer }, async (notifier) => {
      const old = await notifier.enrol('Phone', await createPushDevice(bad))
      const { devices: before } = await notifier.settings('default')
      await notifier.tell(NEWS)
      await notifier.deliverIn(NEWS_DELAY_MS)
      const next = await createPushDevice()
      const { endpoint, keys } = next
      const device = { endpoint, ...keys, label: 'Phone', replaces: bad }
      expect((await notifier.addDevice(device, ORIGIN)).ok).toBe(true)
      const { devices: after } = await notifier.settings('default')
      expect(after).toEqual([{ ...before[0], id: await deviceId(endpoint) }])
      await notifier.deliverIn(DELIVERY_RETRY_MS * 1.2)
      expect(await notifier.sentTo(old)).toHaveLength(1)
      expect(await notifier.sentTo(next)).toHaveLength(1)
    })
  })

  it('is a new one where the other is not known', () =>
    withNotifier({}, async (notifier) => {
      const { endpoint, keys } = await createPushDevice()
      const device = { endpoint, ...keys, label: 'Phone', replaces: 'https://push.example/gone' }
      expect((await notifier.addDevice(device, ORIGIN)).ok).toBe(true)
      expect((await notifier.settings('default')).devices).toHaveLength(1)
    }))
})

describe('a test of a device', () => {
  it('is sent at once, and says how it ended', () =>
    withNotifier({}, async (notifier) => {
      const phone = await notifier.enrol()
      await notifier.tell({ ...NEWS, isNews: false, changes: 2 })
      const id = await deviceId(phone.endpoint)
      expect(await notifier.testDevice(id, '/?at=/w/notes/mcp')).toEqual({
        ok: true,
        value: { outcome: 'delivered', status: 201 },
      })
      expect(await notifier.sentTo(phone)).toEqual([
        {
          tag: 'test',
          title: 'Edgewise',
          body: 'Notifications work on this device.',
          url: '/?at=/w/notes/mcp',
          waiting: 0,
          badge: 2,
        },
      ])
      const { devices } = await notifier.settings('default')
      expect(devices).toMatchObject([{ delivered: Date.now(), failing: false }])
    }))

  it('of an unknown one fails', () =>
    withNotifier({}, async ({ testDevice }) => {
      expect(await testDevice('0'.repeat(32), '/')).toEqual({ ok: false, error: 'unknown' })
    }))

  it('whose subscription has ended removes it', () =>
    withNotifier({ answer: () => new Response(null, { status: 410 }) }, async (notifier) => {
      const { endpoint } = await notifier.enrol()
      const tested = await notifier.testDevice(await deviceId(endpoint), '/')
      expect(tested).toEqual({ ok: true, value: { outcome: 'gone', status: 410 } })
      expect((await notifier.settings('default')).devices).toEqual([])
    }))
})
