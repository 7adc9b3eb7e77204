/** A browser that has signed in before: it has attempts of its own, and is not signed in by that. */

import { createAttempts } from '#worker/auth/attempts.ts'
import { MAX_SECRET_LENGTH } from '#worker/auth/limits.ts'
import type { Env } from '#worker/env.ts'
import front from '#worker/index.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const SECRET = 'a secret of the owner'
const ROOM: Pick<Fetcher, 'fetch'> = { fetch: async () => new Response('1000000000') }
const MACHINE = { DISK: ROOM as Fetcher }

/** A default workspace that no other test has counted in. */
function newServer(variables: Partial<Env>): Env {
  const id = env.WORKSPACE.newUniqueId()
  const WORKSPACE = new Proxy(env.WORKSPACE, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (name === 'idFromName') return () => id
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { ...env, EDGEWISE_OWNER_SECRET: SECRET, WORKSPACE, ...variables }
}

const ORIGIN = 'http://localhost'

const ask = (server: Env, path: string, init: RequestInit = {}, origin = ORIGIN) =>
  front.fetch(
    new Request(origin + path, { redirect: 'manual', ...init }),
    server,
    createExecutionContext(),
  )

async function enter(
  server: Env,
  secret: string,
  { cookie = '', address = '203.0.113.1', origin = ORIGIN } = {},
) {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'cf-connecting-ip': address,
    origin,
    cookie,
  }
  const body = new URLSearchParams({ secret, to: '/' }).toString()
  const answer = await ask(server, '/signin', { method: 'POST', headers, body }, origin)
  await answer.body?.cancel()
  return { status: answer.status, cookies: answer.headers.getSetCookie() }
}

/** An attempt like any other, but refused before the slow hash. */
const TOO_LONG = 'x'.repeat(MAX_SECRET_LENGTH + 1)

/** Guesses until guesses are refused, from many addresses. */
async function attack(server: Env, secret = TOO_LONG): Promise<number> {
  for (let count = 1; ; count++)
    if ((await enter(server, secret, { address: `198.51.100.${count}` })).status === 429)
      return count
}

const DEVICE = /^(?:__Host-)?edgewise-device=/
const pairOf = (cookie: string) => cookie.split(';')[0] ?? ''
const deviceIn = (cookies: readonly string[]) =>
  pairOf(cookies.find((cookie) => DEVICE.test(cookie)) ?? '')

describe.each([
  ['on a machine of one’s own', MACHINE, 6],
  ['in a deployment', {}, 51],
])('%s', (_, variables, most) => {
  let server: Env
  let device: string

  // No attempt comes back while a slow machine checks the secrets.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  beforeEach(async () => {
    server = newServer(variables)
    device = deviceIn((await enter(server, SECRET)).cookies)
  })

  it('the owner signs in while others use up all attempts', async () => {
    expect(await attack(server, 'wrong')).toBe(most)
    expect((await enter(server, SECRET, { address: '192.0.2.1' })).status).toBe(429)
    expect((await enter(server, SECRET, { cookie: device })).status).toBe(303)
    expect((await enter(server, 'wrong', { cookie: device })).status).toBe(401)
  })

  it('a browser that is known has five attempts at once, and takes none from others', async () => {
    const other = deviceIn((await enter(server, SECRET)).cookies)
    const statuses: number[] = []
    for (let count = 0; count < 6; count++)
      statuses.push((await enter(server, 'wrong', { cookie: device })).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expect((await enter(server, SECRET, { cookie: device })).status).toBe(429)
    expect((await enter(server, SECRET, { cookie: other })).status).toBe(303)
    expect(await attack(server)).toBe(most)
  })

  it('a browser is not known by another secret, a changed cookie, or the cookie of sign-in', async () => {
    const signedIn = pairOf((await enter(server, SECRET)).cookies[0] ?? '')
    await attack(server)
    const renamed = signedIn.replace('edgewise=', 'edgewise-device=')
    const changed = device.replace(/=(.)/, (_whole, first) => (first === 'a' ? '=b' : '=a'))
    for (const cookie of [
      `${device}x`,
      changed,
      renamed,
      'edgewise-device=a.b',
      'edgewise-device=',
    ])
      expect((await enter(server, SECRET, { cookie })).status).toBe(429)
    const later = { ...server, EDGEWISE_OWNER_SECRET: 'another secret' }
    expect((await enter(later, 'another secret', { cookie: device })).status).toBe(429)
  })
})

describe('the cookie of a browser that is known', () => {
  const server = newServer({})

  it('is kept by the browser alone, and renewed with the same name', async () => {
    const { cookies } = await enter(server, SECRET)
    expect(cookies).toHaveLength(2)
    expect(cookies[1]).toMatch(
      /^edgewise-device=[0-9a-f-]{36}\.\S+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/,
    )
    const again = await enter(server, SECRET, { cookie: deviceIn(cookies) })
    expect(deviceIn(again.cookies)).toBe(deviceIn(cookies))
  })

  it('is secure and of one host where the address is https', async () => {
    const { cookies } = await enter(server, SECRET, { origin: 'https://edgewise.example' })
    expect(cookies[1]).toMatch(/^__Host-edgewise-device=.*; Path=\/; .*; Secure; /)
  })

  it('gives no access, under its name or that of sign-in', async () => {
    const device = deviceIn((await enter(server, SECRET)).cookies)
    for (const cookie of [device, device.replace('edgewise-device', 'edgewise')]) {
      const { status, body } = await ask(server, '/status', { headers: { cookie } })
      expect(status).toBe(401)
      await body?.cancel()
    }
  })

  it('signs in beside others of the same name, which a page on another port can set for a path', async () => {
    const server = newServer(MACHINE)
    const { cookies } = await enter(server, SECRET)
    const own = cookies.map(pairOf).join('; ')
    const planted = `edgewise=x; edgewise-device=x; ${own}`
    const answer = await ask(server, '/status', { headers: { cookie: planted } })
    expect(answer.status).toBe(200)
    await answer.body?.cancel()
    await attack(server)
    expect((await enter(server, SECRET, { cookie: planted })).status).toBe(303)
  })

  it('stays after signing out, so that the owner can sign in again', async () => {
    const answer = await ask(server, '/signout', { method: 'POST', headers: { origin: ORIGIN } })
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^edgewise=; /)])
  })
})

it('counts of what is known leave those of others alone', () => {
  const one = { burst: 1, seconds: 60 }
  const { count, forget } = createAttempts(() => 0, { one, all: one })
  expect(count('device', true)).toBe(0)
  expect(count('device', true)).toBe(60)
  expect(count('stranger')).toBe(0)
  forget('device', true)
  expect(count('other stranger')).toBe(60)
  expect(count('device', true)).toBe(0)
})
