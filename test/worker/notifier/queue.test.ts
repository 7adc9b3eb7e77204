/** When a notification is sent, to whom, and how often it is attempted. */

import type { Channel, Delivery } from '#worker/notifier/delivery.ts'
import {
  DELIVERY_RETRY_MS,
  MAX_DELIVERY_ATTEMPTS,
  MAX_RETRY_AFTER_SECONDS,
  NEWS_DELAY_MS,
  NEWS_PAUSE_MS,
} from '#worker/notifier/limits.ts'
import type { Summary } from '#worker/notifier/summary.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  accept,
  NEWS,
  newsOf,
  NOTHING,
  openOn,
  refuseWith,
  withNotifier,
  withSql,
} from '../../support/worker/notifier.ts'

const NOON = Date.UTC(2026, 10, 30, 12)
const HOUR_MS = 60 * 60 * 1000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(NOON)
  vi.spyOn(console, 'warn').mockReturnValue()
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Longest pause before the attempt that follows one, with its jitter. */
const retryAfter = (attempts: number) => DELIVERY_RETRY_MS * 4 ** (attempts - 1) * 1.2

describe('news', () => {
  it('are one notification after a burst, with the newest counts', () =>
    withNotifier({}, async (notifier) => {
      const phone = await notifier.enrol()
      for (const changes of [1, 2, 3]) await notifier.tell({ ...NEWS, changes })
      await notifier.deliverIn(NEWS_DELAY_MS - 1)
      expect(notifier.pushed).toEqual([])
      await notifier.deliverIn(1)
      expect(await notifier.sentTo(phone)).toMatchObject([{ waiting: 3, badge: 3 }])
    }))

  it('set the alarm for their time', () =>
    withNotifier({}, async (notifier) => {
      await notifier.enrol()
      await notifier.tell(NEWS)
      expect(notifier.wakes).toEqual([NOON + NEWS_DELAY_MS])
    }))

  it('are one notification a minute of each workspace', () =>
    withNotifier({}, async (notifier) => {
      const phone = await notifier.enrol()
      await notifier.tell(NEWS)
      await notifier.deliverIn(NEWS_DELAY_MS)
      await notifier.tell({ ...NEWS, changes: 4 })
      await notifier.tell(newsOf('notes'))
      await notifier.deliverIn(NEWS_DELAY_MS)
      const tags = async () => (await notifier.sentTo(phone)).map(({ tag }) => tag)
      expect(await tags()).toEqual(['default', 'notes'])
      await notifier.deliverIn(NEWS_PAUSE_MS - NEWS_DELAY_MS - 1)
      expect(await tags()).toEqual(['default', 'notes'])
      await notifier.deliverIn(1)
      expect(await tags()).toEqual(['default', 'notes', 'default'])
    }))

  it('are dropped once nothing waits', () =>
    withNotifier({}, async (notifier) => {
      await notifier.enrol()
      await notifier.tell(NEWS)
      await notifier.tell(NOTHING)
      await notifier.deliverIn(HOUR_MS)
      expect(notifier.pushed).toEqual([])
    }))

  it('are sent while an applied change was not seen', () =>
    withNotifier({}, async (notifier) => {
      const phone = await notifier.enrol()
      await notifier.tell({ ...NEWS, changes: 0, applied: 1 })
      await notifier.deliverIn(NEWS_DELAY_MS)
      expect(await notifier.sentTo(phone)).toMatchObject([{ waiting: 0, badge: 0 }])
    }))

  it('reach every device and every channel', async () => {
    const { channel, sent } = createChannel()
    await withNotifier({ channels: [channel] }, async (notifier) => {
      const [phone, laptop] = [await notifier.enrol('Phone'), await notifier.enrol('Laptop')]
      await notifier.tell(NEWS)
      await notifier.deliverIn(NEWS_DELAY_MS)
      expect(await notifier.sentTo(phone)).toHaveLength(1)
      expect(await notifier.sentTo(laptop)).toHaveLength(1)
      expect(sent).toEqual([NEWS])
    })
  })
})

/** A channel that keeps what it is given, and answers in turn; the last answer is that to all others. */
function createChannel(...answers: readonly Delivery[]) {
  const sent: Summary[] = []
  const delivered: Delivery = { outcome: 'delivered', status: 204 }
  const channel: Channel = {
    name: 'chat',
    send: async (summary) => {
      sent.push(summary)
      return answers[Math.min(sent.length, answers.length) - 1] ?? delivered
    },
  }
  return { channel, sent }
}

describe('counts', () => {
  it('without news lead to no notification', () =>
    withNotifier({}, async (notifier) => {
      await notifier.enrol()
      await notifier.tell({ ...NEWS, isNews: false })
      expect(notifier.wakes).toEqual([])
      await notifier.deliverIn(HOUR_MS)
      expect(notifier.pushed).toEqual([])
    }))

  it('are kept without a device and without a channel', () =>
    withNotifier({}, async (notifier) => {
      await notifier.tell(newsOf('notes', { changes: 2, requests: 1, apps: 1 }))
      expect(notifier.wakes).toEqual([])
      expect((await notifier.settings('default')).elsewhere).toBe(4)
      expect((await notifier.settings('notes')).elsewhere).toBe(0)
    }))

  it('replace those of a notification that waits', () =>
    withNotifier({}, async (notifier) => {
      const phone = await notifier.enrol()
      await notifier.tell(NEWS)
      await notifier.tell({ ...NEWS, isNews: false, changes: 1 })
      await notifier.deliverIn(NEWS_DELAY_MS)
      expect(await notifier.sentTo(phone)).toMatchObject([{ waiting: 1 }])
    }))
})

describe('a failed attempt', () => {
  it.each([refuseWith(500), refuseWith(503), refuseWith(429), unreachable])(
    'is repeated, with what waits then',
    async (answer) => {
      let isFirst = true
      const answers: typeof answer = (pushed) => {
        const chosen = isFirst ? answer : accept
        isFirst = false
        return chosen(pushed)
      }
      await withNotifier({ answer: answers }, async (notifier) => {
        const phone = await notifier.enrol()
        await notifier.tell(NEWS)
        await notifier.deliverIn(NEWS_DELAY_MS)
        expect((await notifier.settings('default')).devices).toMatchObject([{ failing: true }])
        await notifier.tell({ ...NEWS, isNews: false, changes: 7 })
        await notifier.deliverIn(DELIVERY_RETRY_MS * 0.7)
        expect(notifier.pushed).toHaveLength(1)
        await notifier.deliverIn(DELIVERY_RETRY_MS * 0.5)
        expect(await notifier.sentTo(phone)).toMatchObject([{ waiting: 3 }, { waiting: 7 }])
        expect((await notifier.settings('default')).devices).toMatchObject([{ failing: false }])
        await notifier.deliverIn(24 * HOUR_MS)
        expect(notifier.pushed).toHaveLength(2)
      })
    },
  )

  it('is repeated five times in all, over about an hour', () =>
    withNotifier({ answer: refuseWith(500) }, async (notifier) => {
      await notifier.enrol()
      await notifier.tell(NEWS)
      await notifier.deliverIn(NEWS_DELAY_MS)
      for (let attempts = 1; attempts < MAX_DELIVERY_ATTEMPTS; attempts++) {
        expect(notifier.pushed).toHaveLength(attempts)
        await notifier.deliverIn(retryAfter(attempts))
      }
      expect(notifier.pushed).toHaveLength(MAX_DELIVERY_ATTEMPTS)
      expect(Date.now() - NOON).toBeLessThan(1.5 * HOUR_MS)
      await notifier.deliverIn(24 * HOUR_MS)
      expect(notifier.pushed).toHaveLength(MAX_DELIVERY_ATTEMPTS)
      expect(console.warn).toHaveBeenCalledWith('Notification dropped: failed')
    }))

  it('is not hurried by further news', () =>
    withNotifier({ answer: refuseWith(500) }, async (notifier) => {
      await notifier.enrol()
      await notifier.tell(NEWS)
      await notifier.deliverIn(NEWS_DELAY_MS)
      await notifier.deliverIn(retryAfter(1))
      expect(notifier.pushed).toHaveLength(2)
      await notifier.tell({ ...NEWS, changes: 9 })
      await notifier.deliverIn(NEWS_PAUSE_MS)
      expect(notifier.pushed).toHaveLength(2)
    }))

  it('is not repeated before the time that the service asks for', () =>
    withNotifier({ answer: refuseWith(429, { 'retry-after': '600' }) }, async (notifier) => {
      await notifier.enrol()
      await notifier.tell(NEWS)
      await notifier.deliverIn(NEWS_DELAY_MS)
      await notifier.deliverIn(599_000)
      expect(notifier.pushed).toHaveLength(1)
      await notifier.deliverIn(1_000)
      expect(notifier.pushed).toHaveLength(2)
    }))

  it('is repeated within an hour, whatever the service asks for', () => {
    const later = new Date(NOON + 48 * HOUR_MS).toUTCString()
    return withNotifier({ answer: refuseWith(503, { 'retry-after': later }) }, async (notifier) => {
      await notifier.enrol()
      await notifier.tell(NEWS)
      await notifier.deliverIn(NEWS_DELAY_MS)
      await notifier.deliverIn(MAX_RETRY_AFTER_SECONDS * 1000)
      expect(notifier.pushed).toHaveLength(2)
    })
  })

  it.each([400, 401, 403, 413, 301, 307])('with status %i is not repeated', (status) =>
    withNotifier(
      { answer: refuseWith(status, { location: 'https://evil.example/' }) },
      async (notifier) => {
        await notifier.enrol()
        await notifier.tell(NEWS)
        await notifier.deliverIn(NEWS_DELAY_MS)
        await notifier.deliverIn(24 * HOUR_MS)
        expect(notifier.pushed).toHaveLength(1)
        expect((await notifier.settings('default')).devices).toMatchObject([{ failing: true }])
      },
    ),
  )

  it.each([404, 410])('with status %i removes the device', (status) =>
    withNotifier({ answer: refuseWith(status) }, async (notifier) => {
      await notifier.enrol()
      await notifier.tell(NEWS)
      await notifier.tell(newsOf('notes'))
      await notifier.deliverIn(NEWS_DELAY_MS)
      expect(notifier.pushed).toHaveLength(1)
      expect((await notifier.settings('default')).devices).toEqual([])
    }),
  )

  it('of a channel is repeated as well', async () => {
    const { channel, sent } = createChannel(
      { outcome: 'failed', status: null },
      { outcome: 'delivered', status: 200 },
    )
    await withNotifier({ channels: [channel] }, async (notifier) => {
      await notifier.tell(NEWS)
      await notifier.deliverIn(NEWS_DELAY_MS)
      await notifier.deliverIn(retryAfter(1))
      await notifier.deliverIn(24 * HOUR_MS)
      expect(sent).toHaveLength(2)
    })
  })

  it('does not end the attempts on other devices', () =>
    withNotifier(
      { answer: ({ url }) => (url.endsWith('/bad') ? unreachable() : accept1()) },
      async (notifier) => {
        const phone = await notifier.enrol('Phone')
        await notifier.tell(NEWS)
        await notifier.deliverIn(NEWS_DELAY_MS)
        expect(await notifier.sentTo(phone)).toHaveLength(1)
      },
    ))
})

function unreachable(): never {
  throw new TypeError('fetch failed')
}

const accept1 = () => new Response(null, { status: 201 })

describe('a push service that does not answer', () => {
  it('delays only what is for its own device', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    let slow = ''
    const answer = ({ url }: { readonly url: string }) => (url === slow ? promise : accept1())
    await withNotifier({ answer }, async (notifier) => {
      const [bad, good] = [await notifier.enrol('Bad'), await notifier.enrol('Good')]
      slow = bad.endpoint
      for (const name of ['a', 'b', 'c']) await notifier.tell(newsOf(name))
      const round = notifier.deliverIn(NEWS_DELAY_MS)
      await vi.waitFor(async () => expect(await notifier.sentTo(good)).toHaveLength(3))
      expect(await notifier.sentTo(bad)).toHaveLength(1)
      resolve(new Response(null, { status: 201 }))
      await round
      expect(await notifier.sentTo(bad)).toHaveLength(3)
    })
  })

  it('gets what came meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    await withNotifier({ answer: () => promise }, async (notifier) => {
      const phone = await notifier.enrol()
      await notifier.tell(NEWS)
      const round = notifier.deliverIn(NEWS_DELAY_MS)
      await vi.waitFor(() => expect(notifier.pushed).toHaveLength(1))
      await notifier.tell({ ...NEWS, changes: 5 })
      await notifier.deliverIn(NEWS_PAUSE_MS)
      expect(notifier.pushed).toHaveLength(1)
      resolve(new Response(null, { status: 201 }))
      await round
      expect(await notifier.sentTo(phone)).toMatchObject([{ waiting: 3 }, { waiting: 5 }])
    })
  })
})

describe('quiet hours', () => {
  const quiet = { from: '11:00', to: '14:00', time_zone: 'UTC' }

  it('hold news back until they end', () =>
    withNotifier({}, async (notifier) => {
      const phone = await notifier.enrol()
      await notifier.setQuietHours(quiet)
      await notifier.tell(NEWS)
      await notifier.tell(newsOf('notes'))
      expect(notifier.wakes.at(-1)).toBe(NOON + 2 * HOUR_MS)
      await notifier.deliverIn(HOUR_MS)
      expect(notifier.pushed).toEqual([])
      await notifier.deliverIn(HOUR_MS)
      expect(await notifier.sentTo(phone)).toHaveLength(2)
    }))

  it('hold further attempts back as well', () =>
    withNotifier({ answer: refuseWith(500) }, async (notifier) => {
      await notifier.enrol()
      await notifier.tell(NEWS)
      await notifier.deliverIn(NEWS_DELAY_MS)
      await notifier.setQuietHours(quiet)
      await notifier.deliverIn(HOUR_MS)
      expect(notifier.pushed).toHaveLength(1)
      expect(notifier.wakes.at(-1)).toBe(NOON + 2 * HOUR_MS)
    }))

  it('that are ended hold nothing back', () =>
    withNotifier({}, async (notifier) => {
      await notifier.enrol()
      await notifier.setQuietHours(quiet)
      await notifier.tell(NEWS)
      await notifier.setQuietHours(null)
      expect(notifier.wakes.at(-1)).toBe(NOON + NEWS_DELAY_MS)
      expect((await notifier.settings('default')).quiet).toBeNull()
      await notifier.deliverIn(NEWS_DELAY_MS)
      expect(notifier.pushed).toHaveLength(1)
    }))

  it('are kept', () =>
    withSql(async (sql) => {
      await (await openOn(sql)).setQuietHours(quiet)
      expect((await (await openOn(sql)).settings('default')).quiet).toEqual(quiet)
    }))

  it('do not hold a test back', () =>
    withNotifier({}, async (notifier) => {
      await notifier.enrol()
      await notifier.setQuietHours(quiet)
      const [device] = (await notifier.settings('default')).devices
      expect(await notifier.testDevice(device?.id ?? '', '/')).toMatchObject({ ok: true })
      expect(notifier.pushed).toHaveLength(1)
    }))
})

describe('an object that ends', () => {
  it('sends what waits when it starts again', () =>
    withSql(async (sql) => {
      const first = await openOn(sql)
      const phone = await first.enrol()
      await first.tell(NEWS)
      const second = await openOn(sql)
      expect(second.wakes).toEqual([NOON + NEWS_DELAY_MS])
      await second.deliverIn(NEWS_DELAY_MS)
      expect(await second.sentTo(phone)).toHaveLength(1)
    }))

  it('in the middle of an attempt repeats it', () =>
    withSql(async (sql) => {
      const first = await openOn(sql, { answer: () => new Promise(() => {}) })
      const phone = await first.enrol()
      await first.tell(NEWS)
      void first.deliverIn(NEWS_DELAY_MS)
      await vi.waitFor(() => expect(first.pushed).toHaveLength(1))
      const second = await openOn(sql)
      await second.deliverIn(retryAfter(1))
      expect(await second.sentTo(phone)).toHaveLength(1)
    }))
})

it('a notifier whose database fails tries again, and rejects nothing', () =>
  withNotifier({}, async (notifier, sql) => {
    const error = vi.spyOn(console, 'error').mockReturnValue()
    sql.exec('DROP TABLE summaries')
    await notifier.deliver(Date.now())
    expect(error).toHaveBeenCalledOnce()
    expect(notifier.wakes).toEqual([NOON + 60_000])
  }))
