/** The lane of the notifier: one row for a workspace, whose state is read when it is sent. */

import { MAX_NOTICE_ATTEMPT_MS, MAX_NOTICES } from '#worker/outbox/limits.ts'
import { createOutbox, type OutboxParts } from '#worker/outbox/outbox.ts'
import { tablesOf } from '#worker/database/table-groups.ts'
import { runInDurableObject } from 'cloudflare:test'
import { afterEach, expect, it, vi } from 'vitest'
import { newStub, storeOf } from '../../support/worker/object-life.ts'

afterEach(() => void vi.restoreAllMocks())

const later = (days = 2) => Date.now() + days * 24 * 60 * 60 * 1000

interface Opened {
  readonly outbox: ReturnType<typeof createOutbox>
  readonly wakes: number[]
  readonly rows: () => { type: string; attempts: number }[]
}

/** Runs a function with an outbox. */
const within = (parts: Partial<OutboxParts>, work: (opened: Opened) => Promise<void>) =>
  runInDurableObject(newStub(), async (_, state) => {
    storeOf(state)
    const { sql } = state.storage
    const wakes: number[] = []
    const wakeAt = (time: number) => void wakes.push(time)
    const outbox = createOutbox(sql, { settings: null, wakeAt, ...parts })
    const rows = () =>
      tablesOf(sql, 'notices')
        .exec<{ type: string; attempts: number }>(
          "SELECT type, attempts FROM notices WHERE receiver = 'notifier'",
        )
        .toArray()
    await work({ outbox, wakes, rows })
  })

it('a burst is one row, and news stay news', async () => {
  const tell = vi.fn().mockResolvedValue(undefined)
  await within({ tell }, async ({ outbox, rows, wakes }) => {
    for (const isNews of [false, false, true, false]) outbox.tell(isNews)
    expect(rows()).toEqual([{ type: 'news', attempts: 0 }])
    expect(wakes.length).toBeGreaterThan(0)
    await outbox.deliver(later())
    expect(tell.mock.calls).toEqual([[true]])
    expect(rows()).toEqual([])
    outbox.tell(false)
    await outbox.deliver(later())
    expect(tell.mock.calls).toEqual([[true], [false]])
  })
})

it('what fails is sent again, also after an event in between', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const tell = vi.fn().mockResolvedValue(undefined)
  tell.mockRejectedValueOnce(new Error('/secret is the reason'))
  await within({ tell }, async ({ outbox, rows }) => {
    outbox.tell(true)
    await outbox.deliver(later())
    expect(rows()).toEqual([{ type: 'news', attempts: 1 }])
    outbox.tell(false)
    expect(rows()).toEqual([{ type: 'news', attempts: 0 }])
    await outbox.deliver(later(4))
    expect(tell.mock.calls).toEqual([[true], [true]])
    expect(rows()).toEqual([])
  })
  expect(log.mock.calls).toEqual([['Notifier attempt failed']])
})

it('an event during an attempt is sent after it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const tell = vi.fn().mockReturnValueOnce(promise).mockResolvedValue(undefined)
  await within({ tell }, async ({ outbox, rows }) => {
    outbox.tell(true)
    const round = outbox.deliver(later())
    outbox.tell(false)
    resolve()
    await round
    expect(rows()).toHaveLength(1)
    await outbox.deliver(later(4))
    expect(tell).toHaveBeenCalledTimes(2)
    expect(rows()).toEqual([])
  })
})

it('an attempt that does not end counts as failed', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  await within({ tell: () => new Promise(() => {}) }, async ({ outbox, rows }) => {
    outbox.tell(true)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const round = outbox.deliver(later())
    await vi.advanceTimersByTimeAsync(MAX_NOTICE_ATTEMPT_MS)
    vi.useRealTimers()
    await round
    expect(rows()).toEqual([{ type: 'news', attempts: 1 }])
  })
})

it('a receiver of the webhook that does not answer delays nothing, and a full queue drops nothing', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const tell = vi.fn().mockResolvedValue(undefined)
  const settings = { url: 'https://receiver.example/', key: new Uint8Array(32) }
  const send = () => new Promise<never>(() => {})
  await within({ tell, settings, send }, async ({ outbox, rows }) => {
    outbox.tell(true)
    for (let id = 0; id < 2 * MAX_NOTICES; id++)
      outbox.notify({ type: 'draft.waiting', workspace: 'w', draft: String(id), url: '' })
    expect(rows()).toHaveLength(1)
    void outbox.deliver(later())
    await expect.poll(() => rows()).toEqual([])
    outbox.tell(true)
    void outbox.deliver(later())
    await expect.poll(() => tell.mock.calls.length).toBe(2)
  })
})

it('nothing is queued without a notifier', async () => {
  await within({}, async ({ outbox, rows, wakes }) => {
    outbox.tell(true)
    await outbox.deliver(later())
    expect([rows(), wakes]).toEqual([[], []])
  })
})
