/** A subscription that the browser has replaced: the server gets the new one in place of the old one. */

import { renewSubscription, type RenewalScope } from '#host/push-worker/renewal.ts'
import { expect, it, vi } from 'vitest'

const subscriptionAt = (name: string, key: ArrayBuffer | null = new ArrayBuffer(65)) => ({
  endpoint: `https://push.example/${name}`,
  options: { applicationServerKey: key },
  toJSON: () => ({ keys: { p256dh: `p-${name}`, auth: `a-${name}` } }),
})

const SETTINGS = {
  ...{ key: 'BKey', devices: [], quiet: null, elsewhere: 0 },
  ...{ webhook: false, chat: null, email: null },
}

const isRead = (init?: RequestInit) => init?.method === undefined

function scopeWith(answer: () => Response = () => Response.json(SETTINGS)) {
  return {
    userAgent: 'Mozilla/5.0 (Android 16; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0',
    subscribe: vi.fn<RenewalScope['subscribe']>(async () => subscriptionAt('made')),
    fetch: vi.fn<typeof fetch>(async (_, init) =>
      isRead(init) ? answer() : Response.json(SETTINGS),
    ),
  }
}

const readJson = (body: unknown): unknown => (typeof body === 'string' ? JSON.parse(body) : body)

const sentBy = ({ fetch }: ReturnType<typeof scopeWith>) =>
  fetch.mock.calls
    .filter(([, init]) => !isRead(init))
    .map(([url, init]) => [url, init?.method, init?.headers, readJson(init?.body)])

it('sends what the browser has made', async () => {
  const scope = scopeWith()
  const change = { oldSubscription: subscriptionAt('old'), newSubscription: subscriptionAt('new') }
  await renewSubscription(scope, change)
  expect(scope.subscribe).not.toHaveBeenCalled()
  expect(sentBy(scope)).toEqual([
    [
      '/notifications/devices',
      'POST',
      { 'x-edgewise-console': '1', 'content-type': 'application/json' },
      {
        endpoint: 'https://push.example/new',
        keys: { p256dh: 'p-new', auth: 'a-new' },
        label: 'Firefox on Android',
        replaces: 'https://push.example/old',
      },
    ],
  ])
})

it('subscribes again with the same key', async () => {
  const scope = scopeWith()
  const key = new ArrayBuffer(65)
  const change = { oldSubscription: subscriptionAt('old', key), newSubscription: null }
  await renewSubscription(scope, change)
  expect(scope.subscribe.mock.calls).toEqual([[key]])
  expect(sentBy(scope)).toMatchObject([
    ['/notifications/devices', 'POST', {}, { endpoint: 'https://push.example/made' }],
  ])
})

it('asks the server for the key where the browser does not know the old one', async () => {
  const scope = scopeWith()
  await renewSubscription(scope, { oldSubscription: null, newSubscription: null })
  expect(scope.subscribe.mock.calls).toEqual([['BKey']])
  expect(sentBy(scope)[0]?.[3]).not.toHaveProperty('replaces')
})

it.each([
  ['a refusal', () => Response.json({ code: 'UNAUTHORIZED' }, { status: 401 })],
  ['a page', () => new Response('<!doctype html>')],
])('makes no subscription after %s', async (_, answer) => {
  const scope = scopeWith(answer)
  await renewSubscription(scope, { oldSubscription: null, newSubscription: null })
  expect(scope.subscribe).not.toHaveBeenCalled()
  expect(sentBy(scope)).toEqual([])
})
