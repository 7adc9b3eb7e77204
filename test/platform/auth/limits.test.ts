/** The limits of sign-in and of the OAuth endpoints: at the limit it works, and one beyond it is refused or cut. */

import { createAttempts } from '#worker/auth/attempts.ts'
import {
  MAX_ADDRESSES,
  MAX_CLIENT_NAME_LENGTH,
  MAX_CONSENT_BODY_BYTES,
  MAX_OAUTH_BODY_BYTES,
  MAX_ORIGINS,
  MAX_SECRET_LENGTH,
  MAX_SIGN_IN_BODY_BYTES,
  MAX_STORED_NAME_BYTES,
} from '#worker/auth/limits.ts'
import { isOwnerSecret } from '#worker/auth/owner.ts'
import type { Env } from '#worker/env.ts'
import front from '#worker/index.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { formOf, signedInOwner } from '../../support/worker/consent.ts'

const ORIGIN = 'https://edgewise.example'
const REDIRECT = 'http://127.0.0.1:9/callback'
const OWNED: Env = { ...env, EDGEWISE_OWNER_SECRET: 'correct horse battery staple' }

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const request = new Request(new URL(path, ORIGIN), { redirect: 'manual', ...init })
  return front.fetch(request, OWNED, createExecutionContext())
}

/** Signs in with a form of so many bytes. */
const signIn = (bytes: number) =>
  ask('/signin', {
    method: 'POST',
    headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'secret=correct+horse+battery+staple&more='.padEnd(bytes, 'x'),
  })

/** Registers a client with a body of so many bytes. */
const register = (client_name: string, bytes = 0) =>
  ask('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      client_name,
    }).padEnd(bytes),
  })

it('a form that signs in has at most MAX_SIGN_IN_BODY_BYTES', async () => {
  const edge = await signIn(MAX_SIGN_IN_BODY_BYTES)
  expect([edge.status, edge.headers.has('set-cookie')]).toEqual([303, true])
  const over = await signIn(MAX_SIGN_IN_BODY_BYTES + 1)
  expect([over.status, over.headers.has('set-cookie')]).toEqual([413, false])
  await over.text()
  // It was no attempt, so that none is missing later.
  for (let more = 0; more < 10; more++)
    expect((await signIn(MAX_SIGN_IN_BODY_BYTES + 1)).status).toBe(413)
  expect((await signIn(100)).status).toBe(303)
})

it('a form that answers the consent page has at most MAX_CONSENT_BODY_BYTES', async () => {
  const owner = await signedInOwner()
  const answer = async (bytes: number) => {
    const form = formOf(await owner.open(['read']), 'allow')
    form.append('more', '')
    const padded = form.toString().padEnd(bytes, 'x')
    const { status, body } = await owner.send(new URLSearchParams(padded))
    await body?.cancel()
    return status
  }
  expect(await answer(MAX_CONSENT_BODY_BYTES)).toBe(303)
  expect(await answer(MAX_CONSENT_BODY_BYTES + 1)).toBe(400)
})

it('a secret has at most MAX_SECRET_LENGTH', async () => {
  const opens = (length: number) => {
    const secret = 'x'.repeat(length)
    return isOwnerSecret(secret, { ...env, EDGEWISE_OWNER_SECRET: secret })
  }
  expect(await opens(MAX_SECRET_LENGTH)).toBe(true)
  expect(await opens(MAX_SECRET_LENGTH + 1)).toBe(false)
})

it('a registration has at most MAX_OAUTH_BODY_BYTES', async () => {
  const stored = async () => (await OWNED.OAUTH_KV?.list())?.keys.length
  const edge = await register('edge', MAX_OAUTH_BODY_BYTES)
  expect([edge.status, await edge.json()]).toMatchObject([201, { client_name: 'edge' }])
  const before = await stored()
  const over = await register('over', MAX_OAUTH_BODY_BYTES + 1)
  expect([over.status, await over.json()]).toMatchObject([413, { error: 'invalid_request' }])
  expect(await stored()).toBe(before)
})

it.each(['/signin', '/oauth/token', '/oauth/register'])(
  'a body of %s that ends early is no fault of the server',
  async (path) => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('secret=correct')),
      pull: (controller) => controller.error(new Error('The connection was closed')),
    })
    const headers = { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }
    const logged = vi.spyOn(console, 'error')
    onTestFinished(() => logged.mockRestore())
    const { status } = await ask(path, { method: 'POST', headers, body })
    expect(status).toBe(413)
    expect(logged).not.toHaveBeenCalled()
  },
)

it('a client with a document costs as much in a header as in a form', async () => {
  const client = encodeURIComponent('https://localhost/client')
  const init = {
    method: 'POST',
    headers: {
      'cf-connecting-ip': '198.51.100.7',
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${btoa(`${client}:secret`)}`,
    },
    body: 'token=x',
  }
  const statuses: number[] = []
  while (statuses.length < 100 && statuses.at(-1) !== 429) {
    const answer = await ask('/oauth/token', init)
    await answer.text()
    statuses.push(answer.status)
  }
  expect(statuses.at(-1)).toBe(429)
})

describe('while others at one address use up its costly requests', () => {
  const address = { 'cf-connecting-ip': '198.51.100.8' }
  const statusOf = async (path: string, init: RequestInit) => {
    const { status, body } = await ask(path, init)
    await body?.cancel()
    return status
  }

  it('the document of a client is fetched for a browser that has signed in before', async () => {
    const [, device = ''] = (await signIn(0)).headers.getSetCookie()
    const path = `/authorize?client_id=${encodeURIComponent('https://localhost/client')}`
    const open = (cookie: string) => statusOf(path, { headers: { ...address, cookie } })
    for (let count = 0; (await open('')) !== 429; count++) expect(count).toBeLessThan(100)
    expect(await open(device.split(';')[0] ?? '')).toBe(400)
    expect(await open((device.split(';')[0] ?? '').replace('device=', 'device=0'))).toBe(429)
  })

  it('the client of a grant renews its tokens', async () => {
    const grant = 'grant:owner:limits'
    await OWNED.OAUTH_KV?.put(grant, '{}')
    onTestFinished(async () => OWNED.OAUTH_KV?.delete(grant))
    const renew = (refresh_token: string) => {
      const fields = {
        grant_type: 'refresh_token',
        refresh_token,
        client_id: 'https://localhost/c',
      }
      const body = new URLSearchParams(fields)
      return statusOf('/oauth/token', { method: 'POST', headers: address, body })
    }
    for (let count = 0; (await renew('owner:none:x')) !== 429; count++)
      expect(count).toBeLessThan(100)
    expect(await renew('owner:limits:x')).not.toBe(429)
    expect(await renew('owner:limits')).not.toBe(429)
    expect(await renew('')).toBe(429)
  })
})

it('the store has nothing under a name of more than MAX_STORED_NAME_BYTES', async () => {
  const { client_id } = await (await register('known')).json<{ client_id: string }>()
  const send = (fields: Record<string, string>) =>
    ask('/oauth/token', { method: 'POST', body: new URLSearchParams({ client_id, ...fields }) })
  const statuses = async (id: string) => {
    const token = `owner:${id}:secret`
    const answers = [
      ask('/mcp', { headers: { authorization: `Bearer owner:${id.replaceAll('é', 'e')}:secret` } }),
      ask(`/authorize?client_id=${encodeURIComponent(id)}`),
      send({ client_id: id }),
      send({ grant_type: 'authorization_code', code: token }),
      send({ grant_type: 'refresh_token', refresh_token: token }),
      send({ token }),
    ]
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  const unknown = [401, 400, 401, 400, 400, 200]
  const edges = ['client:', 'grant:owner:', `token:owner::${'0'.repeat(64)}`]
  for (const { length } of edges) {
    const most = 'x'.repeat(MAX_STORED_NAME_BYTES - length)
    expect(await statuses(most)).toEqual(unknown)
    expect(await statuses(`${most}x`)).toEqual(unknown)
  }
  // The length counts in bytes.
  expect(await statuses('é'.repeat(MAX_STORED_NAME_BYTES / 2))).toEqual(unknown)
})

it('the consent page shows MAX_CLIENT_NAME_LENGTH of a name', async () => {
  const signed = await signIn(0)
  const cookie = signed.headers.get('set-cookie')?.split(';')[0] ?? ''
  const shown = async (name: string) => {
    const { client_id } = await (await register(name)).json<{ client_id: string }>()
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: REDIRECT,
      state: 's',
      code_challenge: 'A'.repeat(43),
      code_challenge_method: 'S256',
    })
    const page = await ask(`/authorize?${asked.toString()}`, { headers: { cookie } })
    return /<bdi class="claimed">(.*?)<\/bdi>/.exec(await page.text())?.[1]
  }
  const most = 'n'.repeat(MAX_CLIENT_NAME_LENGTH)
  expect(await shown(most)).toBe(`“${most}”`)
  expect(await shown(`${most}n`)).toBe(`“${most}…”`)
})

it('more than MAX_ORIGINS are each served as themselves', async () => {
  const origins = Array.from({ length: MAX_ORIGINS + 1 }, (_, at) => `https://o${at}.example`)
  for (const issuer of [...origins, ...origins.slice(0, 1)]) {
    const metadata = await ask(`${issuer}/.well-known/oauth-authorization-server`)
    expect(await metadata.json()).toMatchObject({ issuer })
  }
})

it('attempts from MAX_ADDRESSES are counted one by one, and those of all together always', () => {
  const one = { burst: 1, seconds: 60 }
  const all = { burst: MAX_ADDRESSES + 1, seconds: 60 }
  const { count } = createAttempts(() => 0, { one, all })
  for (let at = 1; at < MAX_ADDRESSES; at++) expect(count(`address ${at}`)).toBe(0)
  expect(count('address 1')).toBe(60)
  expect(count('one more')).toBe(0)
  // Too many addresses are in memory, so each one is counted from the start.
  expect(count('address 1')).toBe(0)
  expect(count('address 2')).toBe(60)
})
