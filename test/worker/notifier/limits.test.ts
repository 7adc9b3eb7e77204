/** The limits of the notifier, each at its edge. */

import { isEndpoint } from '#worker/notifier/device.ts'
import {
  DELIVERY_RETRY_MS,
  DEVICE_TEST_PAUSE_MS,
  MAX_COUNTED_WORKSPACES,
  MAX_DELIVERIES_AT_ONCE,
  MAX_DEVICES,
  MAX_ENDPOINT_LENGTH,
  MAX_NEWS_BATCH,
  NEWS_DELAY_MS,
} from '#worker/notifier/limits.ts'
import { MAX_NOTICE_ATTEMPT_MS } from '#worker/outbox/limits.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPushDevice } from '../../support/worker/push-device.ts'
import { NEWS, newsOf, withNotifier } from '../../support/worker/notifier.ts'

const NOON = Date.UTC(2026, 10, 30, 12)

afterEach(() => void vi.useRealTimers())
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(NOON)
})

it('MAX_DEVICES: one more is refused, and one in place of another is not', () =>
  withNotifier({}, async (notifier) => {
    const first = await notifier.enrol()
    for (let count = 1; count < MAX_DEVICES; count++) await notifier.enrol(`Device ${count}`)
    await expect(notifier.enrol('One more')).rejects.toThrow('full')
    await notifier.enrol('Renewed', first)
    const { endpoint, keys } = await createPushDevice()
    const device = { endpoint, ...keys, label: 'Other', replaces: first.endpoint }
    expect((await notifier.addDevice(device, 'https://files.example')).ok).toBe(true)
    expect((await notifier.settings('default')).devices).toHaveLength(MAX_DEVICES)
  }))

it('MAX_ENDPOINT_LENGTH: a longer address is none of a push service', () => {
  const start = 'https://push.example/'
  expect(isEndpoint(start.padEnd(MAX_ENDPOINT_LENGTH, 'x'))).toBe(true)
  expect(isEndpoint(start.padEnd(MAX_ENDPOINT_LENGTH + 1, 'x'))).toBe(false)
})

it('MAX_COUNTED_WORKSPACES: the oldest counts are dropped, first those of nothing', () =>
  withNotifier({}, async (notifier, sql) => {
    await notifier.tell(newsOf('kept', { changes: 1 }))
    vi.setSystemTime(NOON + 1)
    await notifier.tell(newsOf('empty', { changes: 0 }))
    for (let count = 2; count < MAX_COUNTED_WORKSPACES; count++) {
      vi.setSystemTime(NOON + count)
      await notifier.tell(newsOf(`w${count}`, { changes: 1 }))
    }
    const names = () =>
      sql
        .exec<{ workspace: string }>('SELECT workspace FROM summaries')
        .toArray()
        .map(({ workspace }) => workspace)
    expect(names()).toHaveLength(MAX_COUNTED_WORKSPACES)
    expect(names()).toContain('empty')
    vi.setSystemTime(NOON + MAX_COUNTED_WORKSPACES)
    await notifier.tell(newsOf('more', { changes: 1 }))
    expect(names()).toHaveLength(MAX_COUNTED_WORKSPACES)
    expect(names()).not.toContain('empty')
    await notifier.tell(newsOf('most', { changes: 1 }))
    expect(names()).not.toContain('kept')
    expect((await notifier.settings('default')).elsewhere).toBe(MAX_COUNTED_WORKSPACES)
  }))

it('MAX_NEWS_BATCH: more notifications follow at once', () =>
  withNotifier({}, async (notifier) => {
    await notifier.enrol()
    for (let count = 0; count <= MAX_NEWS_BATCH; count++) await notifier.tell(newsOf(`w${count}`))
    await notifier.deliverIn(NEWS_DELAY_MS)
    expect(notifier.pushed).toHaveLength(MAX_NEWS_BATCH)
    expect(notifier.wakes.at(-1)).toBe(Date.now())
    await notifier.deliverIn(0)
    expect(notifier.pushed).toHaveLength(MAX_NEWS_BATCH + 1)
  }))

it('MAX_DELIVERIES_AT_ONCE: further attempts wait for one to end', async () => {
  const open: ((response: Response) => void)[] = []
  const answer = () => new Promise<Response>((resolve) => void open.push(resolve))
  await withNotifier({ answer }, async (notifier) => {
    for (let count = 0; count <= MAX_DELIVERIES_AT_ONCE; count++)
      await notifier.enrol(`Device ${count}`)
    await notifier.tell(NEWS)
    const round = notifier.deliverIn(NEWS_DELAY_MS)
    await vi.waitFor(() => expect(open).toHaveLength(MAX_DELIVERIES_AT_ONCE))
    // Another round adds none.
    await notifier.deliverIn(0)
    expect(open).toHaveLength(MAX_DELIVERIES_AT_ONCE)
    open[0]?.(new Response(null, { status: 201 }))
    await vi.waitFor(() => expect(open).toHaveLength(MAX_DELIVERIES_AT_ONCE + 1))
    for (const resolve of open) resolve(new Response(null, { status: 201 }))
    await round
    await notifier.deliverIn(DELIVERY_RETRY_MS * 2)
    expect(open).toHaveLength(MAX_DELIVERIES_AT_ONCE + 1)
  })
})

it('MAX_NOTICE_ATTEMPT_MS: an attempt ends, and is repeated later', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  const answer = ({ init }: { readonly init: RequestInit }) => {
    init.signal?.throwIfAborted()
    return new Response(null, { status: 201 })
  }
  await withNotifier({ answer }, async (notifier) => {
    await notifier.enrol()
    await notifier.tell(NEWS)
    await notifier.deliverIn(NEWS_DELAY_MS)
    expect(timeout).toHaveBeenCalledWith(MAX_NOTICE_ATTEMPT_MS)
    timeout.mockRestore()
    await notifier.deliverIn(DELIVERY_RETRY_MS * 1.2)
    expect(notifier.pushed).toHaveLength(2)
    expect((await notifier.settings('default')).devices).toMatchObject([{ failing: false }])
  })
})

it('DEVICE_TEST_PAUSE_MS: a second test has to wait', () =>
  withNotifier({}, async (notifier) => {
    await notifier.enrol()
    const id = (await notifier.settings('default')).devices[0]?.id ?? ''
    expect(await notifier.testDevice(id, '/')).toMatchObject({ ok: true })
    vi.setSystemTime(Date.now() + DEVICE_TEST_PAUSE_MS - 1)
    expect(await notifier.testDevice(id, '/')).toEqual({ ok: false, error: 'too_soon' })
    vi.setSystemTime(Date.now() + 1)
    expect(await notifier.testDevice(id, '/')).toMatchObject({ ok: true })
    expect(notifier.pushed).toHaveLength(2)
  }))
