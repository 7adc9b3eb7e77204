/**
 * The life cycle of an OAuth grant: codes and refresh tokens that are used twice, one after the other
 * or at the same time, and revoked tokens. Everything that was made from a grant ends with it.
 */

import { settle } from '#worker/auth/single-use.ts'
import type { Env } from '#worker/env.ts'
import front from '#worker/index.ts'
import { MAX_REFRESH_RETRY_SECONDS, MAX_REFRESH_USES } from '#worker/limits.ts'
import { Workspace } from '#worker/workspace.ts'
import { createExecutionContext, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readConsent } from '../../support/core/consent-page.ts'
import { formOf } from '../../support/worker/consent.ts'
import { newStub } from '../../support/worker/object-life.ts'

const ORIGIN = 'https://edgewise.example'
const SECRET = 'correct horse battery staple'
const REDIRECT = 'http://127.0.0.1:9/callback'
const OWNED: Env = { ...env, EDGEWISE_OWNER_SECRET: SECRET }

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const request = new Request(new URL(path, ORIGIN), { redirect: 'manual', ...init })
  return front.fetch(request, OWNED, createExecutionContext())
}

const form = (
  fields: Record<string, string> | URLSearchParams,
  headers: Record<string, string> = {},
) => ({
  method: 'POST',
  headers,
  body: new URLSearchParams(fields),
})

let owner = ''
let client = ''

beforeAll(async () => {
  const signed = await ask('/signin', form({ secret: SECRET, to: '/' }, { origin: ORIGIN }))
  owner = signed.headers.get('set-cookie')?.split(';')[0] ?? ''
  client = await newClient()
})

afterEach(() => vi.useRealTimers())

async function newClient(): Promise<string> {
  const made = await ask('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': crypto.randomUUID() },
    body: JSON.stringify({ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }),
  })
  return (await made.json<{ client_id: string }>()).client_id
}

const base64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** The form that the owner is shown, as it is sent to allow the request, and the verifier of its code. */
async function newConsent() {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)).buffer)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: REDIRECT,
    state: 's',
    resource: `${ORIGIN}/w/grants/mcp`,
    code_challenge: base64url(digest),
    code_challenge_method: 'S256',
  })
  const page = await ask(`/authorize?${asked.toString()}`, {
    headers: { cookie: owner, accept: 'text/html' },
  })
  const cookies = page.headers.getSetCookie().map((line) => line.split(';')[0])
  const answer = formOf(readConsent(await page.text()), 'allow')
  const headers = { cookie: [owner, ...cookies].join('; '), origin: ORIGIN }
  return { verifier, allow: () => ask('/authorize', form(answer, headers)) }
}

/** A code that the owner consented to, with the parameters that redeem it. */
async function newCode(): Promise<Record<string, string>> {
  const { verifier, allow } = await newConsent()
  const back = await allow()
  const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? ''
  return {
    grant_type: 'authorization_code',
    client_id: client,
    redirect_uri: REDIRECT,
    code,
    code_verifier: verifier,
  }
}

const askToken = (fields: Record<string, string>) => ask('/oauth/token', form(fields))

const renewal = (refresh_token: string) =>
  form({ grant_type: 'refresh_token', client_id: client, refresh_token })

const renew = (refresh_token: string) => ask('/oauth/token', renewal(refresh_token))

/** A store of grants that accepts no row. */
function withoutPut({ OAUTH_KV: kv }: Env): KVNamespace {
  if (!kv) throw new Error('The test has no store of grants')
  const put = async () => Promise.reject(new Error('The store is full'))
  return new Proxy(kv, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (key === 'put') return put
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
}

const tokensIn = async (answer: Response) => {
  expect(answer.status).toBe(200)
  return answer.json<Tokens>()
}

const newGrant = async () => tokensIn(await askToken(await newCode()))

async function expectInvalidGrant(answer: Response): Promise<void> {
  expect(await answer.json()).toMatchObject({ error: 'invalid_grant' })
  expect(answer.status).toBe(400)
}

const JSON_RPC = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

const call = (url: string, name: string, args: object, headers: Record<string, string> = {}) =>
  ask(url, {
    method: 'POST',
    headers: { ...JSON_RPC, ...headers },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const statusOf = async (token: string) => {
  const answer = await call('/w/grants/mcp', 'list_roots', {}, bearer(token))
  await answer.text()
  return answer.status
}

async function linkFrom(token: string): Promise<string> {
  const made = await call('/w/grants/mcp', 'delegate', { label: 'below' }, bearer(token))
  return /https:[^"\\ ]+\/mcp/.exec(await made.text())?.[0] ?? ''
}

async function sessions(): Promise<string[]> {
  const listed = await ask('/w/grants/sessions', { headers: { cookie: owner } })
  const { sessions: all } = await listed.json<{ sessions: { id: string }[] }>()
  return all.map(({ id }) => id)
}

/** A stream of a legacy session, which ends with its session. */
async function openStream(token: string): Promise<Promise<string>> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  }
  const begun = await ask('/w/grants/mcp', {
    method: 'POST',
    headers: { ...JSON_RPC, ...bearer(token) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
  await begun.text()
  const headers = {
    accept: 'text/event-stream',
    'mcp-session-id': begun.headers.get('mcp-session-id') ?? '',
    ...bearer(token),
  }
  const stream = await ask('/w/grants/mcp', { headers })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  return stream.text()
}

it('a consent that is sent several times concurrently gives one session and one code', async () => {
  const before = await sessions()
  const { allow } = await newConsent()
  const answers = await Promise.all([allow(), allow(), allow()])
  const codes = answers.filter(({ headers }) => headers.get('location')?.includes('code='))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400, 400])
  expect(codes).toHaveLength(1)
  expect(await sessions()).toHaveLength(before.length + 1)
})

describe('an authorization code', () => {
  it('that is used several times concurrently gives no valid token', async () => {
    const before = await sessions()
    const code = await newCode()
    const answers = await Promise.all(Array.from({ length: 6 }, () => askToken(code)))
    const given = answers.filter(({ status }) => status === 200)
    expect(given.length).toBeLessThanOrEqual(1)
    for (const answer of answers) {
      const { access_token, refresh_token, error } = await answer.json<
        Partial<Tokens> & { error?: string }
      >()
      if (answer.status !== 200) expect(error).toBe('invalid_grant')
      if (access_token !== undefined) expect(await statusOf(access_token)).toBe(401)
      if (refresh_token !== undefined) await expectInvalidGrant(await renew(refresh_token))
    }
    expect(await sessions()).toEqual(before)
  })

  it('cannot be used several times as if it were a refresh token', async () => {
    const code = await newCode()
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((refresh_token) => askToken({ ...code, refresh_token })),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    for (const answer of answers) {
      const { access_token } = await answer.json<Partial<Tokens>>()
      if (access_token !== undefined) expect(await statusOf(access_token)).toBe(401)
    }
  })

  it('that is used again revokes its tokens and everything made with them', async () => {
    const before = await sessions()
    const code = await newCode()
    const tokens = await tokensIn(await askToken(code))
    const link = await linkFrom(tokens.access_token)
    await expectInvalidGrant(await askToken(code))
    expect(await statusOf(tokens.access_token)).toBe(401)
    expect((await call(link, 'list_roots', {})).status).toBe(401)
    await expectInvalidGrant(await renew(tokens.refresh_token))
    expect(await sessions()).toEqual(before)
  })

  it('that another client presents without success revokes nothing', async () => {
    const code = await newCode()
    const tokens = await tokensIn(await askToken(code))
    const wrong = { ...code, code: `${code['code']}x` }
    await expectInvalidGrant(await askToken(wrong))
    await expectInvalidGrant(await askToken({ ...code, client_id: await newClient() }))
    expect(await statusOf(tokens.access_token)).toBe(200)
  })
})

describe('a refresh token', () => {
  const later = (seconds: number) =>
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })

  it('can be repeated while its response may have been lost', async () => {
    const tokens = await newGrant()
    const now = Date.now()
    await tokensIn(await renew(tokens.refresh_token))
    vi.useFakeTimers({ toFake: ['Date'], now: now + MAX_REFRESH_RETRY_SECONDS * 1000 })
    const again = await tokensIn(await renew(tokens.refresh_token))
    expect(await statusOf(again.access_token)).toBe(200)
  })

  it('is refused after the grace period, and ends the grant', async () => {
    const before = await sessions()
    const tokens = await newGrant()
    const next = await tokensIn(await renew(tokens.refresh_token))
    const link = await linkFrom(next.access_token)
    later(MAX_REFRESH_RETRY_SECONDS + 1)
    await expectInvalidGrant(await renew(tokens.refresh_token))
    expect(await statusOf(next.access_token)).toBe(401)
    expect((await call(link, 'list_roots', {})).status).toBe(401)
    await expectInvalidGrant(await renew(next.refresh_token))
    expect(await sessions()).toEqual(before)
  })

  it('is refused as soon as its successor is used, and ends the grant', async () => {
    const before = await sessions()
    const tokens = await newGrant()
    const next = await tokensIn(await renew(tokens.refresh_token))
    const third = await tokensIn(await renew(next.refresh_token))
    await expectInvalidGrant(await renew(tokens.refresh_token))
    expect(await statusOf(third.access_token)).toBe(401)
    await expectInvalidGrant(await renew(third.refresh_token))
    expect(await sessions()).toEqual(before)
  })

  it('that was never given ends no grant', async () => {
    const { access_token, refresh_token } = await newGrant()
    const [own = '', number, secret = ''] = refresh_token.split('.')
    await expectInvalidGrant(await renew(`${own}x`))
    await expectInvalidGrant(await renew(`${own}x.${number}.${secret}`))
    await expectInvalidGrant(await renew(access_token))
    await expectInvalidGrant(await renew(`${access_token}.0.x`))
    expect(await statusOf(access_token)).toBe(200)
  })

  it('of an older release, without a mark, is exchanged for one with a mark', async () => {
    const { refresh_token } = await newGrant()
    const [own = ''] = refresh_token.split('.')
    const next = await tokensIn(await renew(own))
    expect(next.refresh_token).toMatch(/^[^.]+[.][0-9]+[.][0-9a-f-]{36}$/)
    const third = await tokensIn(await renew(next.refresh_token))
    await expectInvalidGrant(await renew(refresh_token))
    expect(await statusOf(third.access_token)).toBe(401)
  })

  it('is recognized as used however often the grant was renewed since, and ends the grant', async () => {
    const before = await sessions()
    const first = await newGrant()
    const [own = '', number, secret] = first.refresh_token.split('.')
    let last = first
    for (let at = 0; at < MAX_REFRESH_USES + 5; at++)
      last = await tokensIn(await renew(last.refresh_token))
    // Who had no refresh token of the grant does not know its secret.
    for (const mark of [
      '',
      '.1',
      '.1.',
      '.0.x',
      `.${number}.${secret}0`,
      '.1.undefined',
      '.1.null',
    ])
      await expectInvalidGrant(await renew(`${own}x${mark}`))
    await expectInvalidGrant(await renew(`${first.access_token}.${number}.x`))
    expect(await statusOf(last.access_token)).toBe(200)
    await expectInvalidGrant(await renew(first.refresh_token))
    expect(await statusOf(last.access_token)).toBe(401)
    await expectInvalidGrant(await renew(last.refresh_token))
    expect(await sessions()).toEqual(before)
  })

  it('gives every repeat the answer of its first use, however long ago it was', async () => {
    const tokens = await newGrant()
    const now = Date.now()
    const first = await tokensIn(await renew(tokens.refresh_token))
    vi.useFakeTimers({ toFake: ['Date'], now: now + 30_000 })
    const again = await tokensIn(await renew(tokens.refresh_token))
    expect(again).toMatchObject({ ...first, expires_in: expect.any(Number) })
    expect(first.expires_in - again.expires_in).toBeGreaterThanOrEqual(29)
    const { access_token } = await tokensIn(await renew(first.refresh_token))
    expect(await statusOf(access_token)).toBe(200)
  })

  it('that several processes use at the same moment has one successor', async () => {
    const tokens = await newGrant()
    const raced = await Promise.all([1, 2, 3, 4].map(() => renew(tokens.refresh_token)))
    const [first, ...others] = await Promise.all(raced.map(tokensIn))
    for (const other of others)
      expect(other).toMatchObject({ ...first, expires_in: expect.any(Number) })
    expect(await statusOf(first?.access_token ?? '')).toBe(200)
    const { access_token } = await tokensIn(await renew(first?.refresh_token ?? ''))
    expect(await statusOf(access_token)).toBe(200)
  })

  it('gives a repeat no answer unless its client is the one of the first use', async () => {
    const tokens = await newGrant()
    await tokensIn(await renew(tokens.refresh_token))
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    await expectInvalidGrant(await askToken({ ...fields, client_id: await newClient() }))
    expect((await askToken(fields)).status).toBe(401)
  })

  it('can be repeated when the first use got no answer', async () => {
    const tokens = await newGrant()
    const broken: Env = { ...OWNED, OAUTH_KV: withoutPut(OWNED) }
    const request = new Request(new URL('/oauth/token', ORIGIN), renewal(tokens.refresh_token))
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const failed = await front.fetch(request, broken, createExecutionContext())
    vi.restoreAllMocks()
    expect(failed.status).toBe(500)
    const raced = await Promise.all([1, 2].map(() => renew(tokens.refresh_token)))
    const [first, second] = await Promise.all(raced.map(tokensIn))
    expect(second).toMatchObject({ ...first, expires_in: expect.any(Number) })
    expect(await statusOf(first?.access_token ?? '')).toBe(200)
    const { access_token } = await tokensIn(await renew(first?.refresh_token ?? ''))
    expect(await statusOf(access_token)).toBe(200)
  })

  it('is recognized as used while any store still lists it', async () => {
    await runInDurableObject(newStub(), (_, { storage: { kv } }) => {
      const session = 's'
      const settleMarked = (refresh: string | null, now: number, isRefused: boolean, mark = '') =>
        settle(kv, { session, refresh, mark, isRefused }, now)?.mark ?? null
      const use = (refresh: string | null, now = 0, isRefused = false, mark = '') =>
        settleMarked(refresh, now, isRefused, mark) !== null
      const first = settleMarked(null, 0, false) ?? ''
      expect(use('a', 0, true)).toBe(true)
      expect(use('a')).toBe(true)
      expect(use('a', MAX_REFRESH_RETRY_SECONDS * 1000)).toBe(true)
      expect(use('a', MAX_REFRESH_RETRY_SECONDS * 1000 + 1)).toBe(false)
      expect(use('b')).toBe(true)
      expect(use('a')).toBe(false)
      expect(use('a', 0, true)).toBe(false)
      expect(use('b', 0, true)).toBe(true)
      const sibling = settleMarked('b', 0, false) ?? ''
      for (let at = 0; at < MAX_REFRESH_USES - 2; at++) expect(use(String(at))).toBe(true)
      expect(use('a')).toBe(false)
      expect(use('one more')).toBe(true)
      // Older used tokens are neither known here nor in the store, and recognized by their mark.
      expect(use('a', 0, true)).toBe(true)
      expect(use('a', 0, true, first)).toBe(false)
      expect(use('a', 0, true, `${first}0`)).toBe(true)
      // One that was given in a race and never used is no replay while uses of its time are known.
      expect(use('sibling', 0, true, sibling)).toBe(true)
      expect(use(null)).toBe(false)
      const code = { refresh: null, mark: null, isRefused: false }
      expect(settle(kv, { session: 'other', ...code }, 0)).not.toBeNull()
      const months = 61 * 24 * 60 * 60 * 1000
      expect(settle(kv, { session: 'new', ...code }, months)).not.toBeNull()
      expect([...kv.list({ prefix: 'uses:' })].map(([key]) => key)).toEqual(['uses:new'])
    })
  })
})

const UNAVAILABLE = new Response(null, { status: 503 })

describe.each(['access_token', 'refresh_token'] as const)('revoking the %s', (kind) => {
  it.each([{}, { token_type_hint: kind }])('ends the whole grant (%j)', async (hint) => {
    const before = await sessions()
    const tokens = await newGrant()
    const link = await linkFrom(tokens.access_token)
    expect((await call(link, 'list_roots', {})).status).toBe(200)
    const stream = openStream(tokens.access_token)
    await expect.poll(() => sessions()).toHaveLength(before.length + 3)
    const revoked = await askToken({ client_id: client, token: tokens[kind], ...hint })
    expect(revoked.status).toBe(200)
    expect(await statusOf(tokens.access_token)).toBe(401)
    expect((await call(link, 'list_roots', {})).status).toBe(401)
    await expectInvalidGrant(await renew(tokens.refresh_token))
    await stream
    expect(await sessions()).toEqual(before)
    const audit = await ask('/w/grants/audit', { headers: { cookie: owner } })
    expect(await audit.text()).toContain('"tool":"end_grant"')
  })

  it('is refused, and can be repeated, while the workspace does not end its session', async () => {
    const tokens = await newGrant()
    const link = await linkFrom(tokens.access_token)
    const fields = { client_id: client, token: tokens[kind] }
    const spies = [
      vi.spyOn(Workspace.prototype, 'fetch').mockImplementation(async () => UNAVAILABLE.clone()),
      vi.spyOn(console, 'error').mockImplementation(() => {}),
    ]
    const refused = await askToken(fields)
    for (const spy of spies) spy.mockRestore()
    expect(refused.status).toBe(500)
    expect((await call(link, 'list_roots', {})).status).toBe(200)
    expect((await askToken(fields)).status).toBe(200)
    expect((await call(link, 'list_roots', {})).status).toBe(401)
  })

  it('by another client has no effect', async () => {
    const tokens = await newGrant()
    const fields = { client_id: await newClient(), token: tokens[kind] }
    expect((await askToken(fields)).status).toBe(200)
    expect(await statusOf(tokens.access_token)).toBe(200)
  })
})

it('a session that the owner ends revokes its grant at once', async () => {
  const before = await sessions()
  const tokens = await newGrant()
  const id = (await sessions()).find((one) => !before.includes(one)) ?? ''
  const headers = { cookie: owner, 'x-edgewise-console': '1' }
  const { status } = await ask(`/w/grants/sessions/${id}`, { method: 'DELETE', headers })
  expect(status).toBe(204)
  expect(await statusOf(tokens.access_token)).toBe(401)
  await expectInvalidGrant(await renew(tokens.refresh_token))
})
