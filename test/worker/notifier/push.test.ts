/** What a push service receives: RFC 8030, 8291 and 8292. A device decrypts, and `jose` verifies whose it is. */

import { readPushMessage } from '#core/owner/push-message.ts'
import { fromAnyBase64 } from '#worker/encoding/base64.ts'
import { MAX_PUSH_BYTES, NEWS_DELAY_MS, PUSH_TTL_SECONDS } from '#worker/notifier/limits.ts'
import { messageOf, writeMessage } from '#worker/notifier/message.ts'
import { contactAt } from '#worker/notifier/push.ts'
import { jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPushDevice } from '../../support/worker/push-device.ts'
import {
  NEWS,
  newsOf,
  withNotifier,
  type Pushed,
  type TestNotifier,
} from '../../support/worker/notifier.ts'

afterEach(() => void vi.useRealTimers())
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})

async function pushNews(notifier: TestNotifier, summary = NEWS): Promise<Pushed> {
  await notifier.tell(summary)
  await notifier.deliverIn(NEWS_DELAY_MS)
  const last = notifier.pushed.at(-1)
  if (!last) throw new Error('Nothing was pushed')
  return last
}

describe('a message', () => {
  it('says how much waits, from whom and where, and nothing else', () =>
    withNotifier({}, async (notifier) => {
      const phone = await notifier.enrol()
      await notifier.tell(newsOf('notes', { isNews: false, changes: 0, requests: 2 }))
      await pushNews(notifier)
      expect(await notifier.sentTo(phone)).toEqual([
        {
          tag: 'default',
          title: '3 changes wait for you',
          body: 'From "helper".',
          url: '/#/waiting',
          waiting: 3,
          badge: 5,
        },
      ])
    }))

  it('is one that the service worker of the console reads', () => {
    const message = messageOf(
      newsOf('notes', { url: 'http://localhost:8787/?at=/w/notes/mcp#/waiting' }),
      3,
    )
    expect(readPushMessage(writeMessage(message))).toEqual(message)
    expect(message).toMatchObject({ tag: 'notes', url: '/?at=/w/notes/mcp#/waiting' })
  })

  it.each([
    ['/#/waiting', '/#/waiting'],
    ['https://files.example/#/waiting', '/#/waiting'],
    ['https://files.example//evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['https://files.example/files/a.html', '/'],
    ['', '/'],
  ])('leads from %j to %j', (url, path) => {
    expect(messageOf({ ...NEWS, url }, 1).url).toBe(path)
  })

  it(`has at most ${MAX_PUSH_BYTES} bytes`, () => {
    const bytesOf = (text: string) => new TextEncoder().encode(text).length
    const from = Array.from({ length: 3 }, () => '\u{1F642}'.repeat(60))
    const real = messageOf(newsOf('w'.repeat(63), { from, others: 1_000_000 }), 1)
    expect(bytesOf(writeMessage(real))).toBeLessThan(MAX_PUSH_BYTES)
    expect(readPushMessage(writeMessage(real))).toEqual(real)
    const message = { ...real, body: 'x'.repeat(MAX_PUSH_BYTES) }
    expect(readPushMessage(writeMessage(message))).toEqual({ ...real, body: '', url: '/' })
  })
})

describe('a request', () => {
  it('has a time to live, an urgency and a topic', () =>
    withNotifier({}, async (notifier) => {
      const { endpoint } = await notifier.enrol()
      const { headers, init, url } = await pushNews(notifier)
      expect(url).toBe(endpoint)
      expect(init).toMatchObject({ method: 'POST', redirect: 'manual' })
      expect(Object.fromEntries(headers)).toEqual({
        authorization: expect.stringMatching(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=[\w-]{87}$/),
        'content-encoding': 'aes128gcm',
        'content-length': expect.stringMatching(/^\d+$/),
        'content-type': 'application/octet-stream',
        topic: expect.stringMatching(/^[\w-]{32}$/),
        ttl: String(PUSH_TTL_SECONDS),
        urgency: 'high',
      })
    }))

  it('has one topic for a workspace, which does not tell its name to a service', async () => {
    const topicOf = (notifier: TestNotifier, workspace: string) =>
      pushNews(notifier, newsOf(workspace)).then(({ headers }) => headers.get('topic'))
    const first = await withNotifier({}, async (notifier) => {
      await notifier.enrol()
      const topic = await topicOf(notifier, 'default')
      expect(await topicOf(notifier, 'notes')).not.toBe(topic)
      vi.setSystemTime(Date.now() + 60_000)
      expect(await topicOf(notifier, 'default')).toBe(topic)
      return topic
    })
    const second = await withNotifier({}, async (notifier) => {
      await notifier.enrol()
      return topicOf(notifier, 'default')
    })
    expect(second).not.toBe(first)
  })

  it('has one length, whatever it says', () =>
    withNotifier({}, async (notifier) => {
      await notifier.enrol()
      const short = await pushNews(notifier)
      const long = await pushNews(notifier, newsOf('notes', { from: ['x'.repeat(60)] }))
      expect(long.body.byteLength).toBe(short.body.byteLength)
      expect(short.body.byteLength).toBeLessThanOrEqual(4_096)
    }))

  it('can be read by no other device', () =>
    withNotifier({}, async (notifier) => {
      await notifier.enrol()
      const { body } = await pushNews(notifier)
      await expect((await createPushDevice()).read(body)).rejects.toThrow()
    }))

  it('says whose it is, to this service alone and for at most a day', () =>
    withNotifier({}, async (notifier) => {
      await notifier.enrol()
      const { key } = await notifier.settings('default')
      const { headers } = await pushNews(notifier)
      const [, token = '', k = ''] =
        /t=(\S+), k=(\S+)/.exec(headers.get('authorization') ?? '') ?? []
      expect(k).toBe(key)
      const point = fromAnyBase64(k) ?? new Uint8Array()
      const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
      const verifier = await crypto.subtle.importKey('raw', point, algorithm, false, ['verify'])
      const { payload, protectedHeader } = await jwtVerify(token, verifier)
      expect(protectedHeader).toEqual({ typ: 'JWT', alg: 'ES256' })
      expect(payload).toMatchObject({ aud: 'https://push.example', sub: 'https://files.example' })
      expect(payload.exp).toBeLessThanOrEqual(Date.now() / 1000 + 24 * 60 * 60)
    }))
})

it.each([
  ['https://files.example', 'https://files.example'],
  ['http://localhost:8787', 'mailto:owner@edgewise.invalid'],
  ['https://localhost:8787', 'mailto:owner@edgewise.invalid'],
  [null, 'mailto:owner@edgewise.invalid'],
])('the contact of a console at %j is %s', (origin, contact) => {
  expect(contactAt(origin)).toBe(contact)
})
