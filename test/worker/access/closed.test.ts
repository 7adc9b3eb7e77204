/** Closed by default: without an owner, nothing is served except on localhost. */

import { isOwnerSecret } from '#worker/auth/owner.ts'
import { type Env, hasOwner } from '#worker/env.ts'
import front from '#worker/index.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createAttempts } from '#worker/auth/attempts.ts'

const PATHS = [
  '/',
  '/mcp',
  '/w/a/mcp',
  '/files/',
  '/config',
  '/sessions',
  '/export',
  '/authorize',
  '/s/a.b/mcp',
]

const THROUGH_CLOUDFLARE = { headers: { 'cf-ray': '8f5a3c2d1e0b4a69-AMS' } }

/** The front behind Cloudflare's headers, as in a deployment, with other variables. */
const ask = (path: string, variables: Partial<Env> = {}, init: RequestInit = THROUGH_CLOUDFLARE) =>
  front.fetch(
    new Request(`https://edgewise.example${path}`, init),
    { ...env, ...variables },
    createExecutionContext(),
  )

describe('a deployment without an owner', () => {
  it.each(PATHS)('refuses %s with the setting that is missing', async (path) => {
    const answer = await ask(path)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      code: 'NOT_CONFIGURED',
      message: expect.stringContaining('EDGEWISE_OWNER_SECRET'),
    })
  })

  it.each(PATHS)('refuses %s for a foreign host name that resolves to localhost', async (path) => {
    const answer = await ask(path, {}, {})
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('EDGEWISE_HOSTS')
  })

  it.each(PATHS)('refuses %s for a configured host name, too', async (path) => {
    const answer = await ask(path, { EDGEWISE_HOSTS: 'edgewise.example' })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ code: 'NOT_CONFIGURED' })
  })

  it.each(['https://edgewise.example', 'https://edgewise.example/', 'Edgewise.Example:443'])(
    'takes %s as a host name',
    async (name) => {
      const named = { EDGEWISE_HOSTS: `other.example, ${name}` }
      const answer = await ask('/', named, {})
      expect(await answer.json()).toMatchObject({ code: 'NOT_CONFIGURED' })
    },
  )

  it('treats an empty secret as no secret', async () => {
    const noOwner = { EDGEWISE_OWNER_SECRET: '', EDGEWISE_ACCESS: '' }
    expect(hasOwner({ ...env, ...noOwner })).toBe(false)
    expect(await isOwnerSecret('', { ...env, ...noOwner })).toBe(false)
    const named = { ...noOwner, EDGEWISE_HOSTS: 'edgewise.example' }
    expect((await ask('/signin', named)).status).toBe(503)
  })

  it.each(['/healthz', '/webmcp.js', '/mcp-view.js'])('serves %s', async (path) => {
    const answer = await ask(path)
    expect(answer.status).toBe(200)
    await answer.body?.cancel()
  })
})

describe('this machine without an owner', () => {
  const askHere = (headers: Record<string, string>, variables: Partial<Env> = {}) =>
    front.fetch(
      new Request('http://localhost/files/', { headers: { host: 'localhost', ...headers } }),
      { ...env, ...variables },
      createExecutionContext(),
    )

  it.each([
    { forwarded: 'for=203.0.113.7' },
    { via: '1.1 proxy' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-host': 'localhost' },
    { 'x-forwarded-proto': 'https' },
    { 'X-Real-IP': '127.0.0.1' },
    { 'x-original-host': 'a.example' },
    { 'true-client-ip': '::1' },
    { 'x-forwarded': 'for=203.0.113.7' },
    ...['x-forwardedfor', 'forwarded-for', 'x_forwarded_for', 'x-originating-ip', 'x-user-ip'].map(
      (name) => ({ [name]: '203.0.113.7' }),
    ),
    ...['x-bluecoat-via', 'x-varnish', 'x-scheme', 'front-end-https', 'x-nginx-proxy'].map(
      (name) => ({ [name]: '1' }),
    ),
    ...['x-goog-a', 'x-kong-a', 'x-railway-a', 'x-render-a', 'l5d-a', 'x-ms-client-principal'].map(
      (name) => ({ [name]: 'x' }),
    ),
    { 'x-original-url': '/' },
    { 'x-remote-addr': '203.0.113.7' },
    { 'client-ip': '203.0.113.7' },
    { 'x-client-ip': '203.0.113.7' },
    { 'x-cluster-client-ip': '203.0.113.7' },
    { 'wl-proxy-client-ip': '203.0.113.7' },
    { 'fastly-client-ip': '203.0.113.7' },
    { 'x-sucuri-clientip': '203.0.113.7' },
    { 'do-connecting-ip': '203.0.113.7' },
    { 'cf-connecting-ipv6': '2001:db8::1' },
    { 'cf-ray': '8f5a3c2d1e0b4a69-AMS' },
    { 'cf-visitor': '{"scheme":"https"}' },
    { 'cf-ipcountry': 'NL' },
    { 'cf-warp-tag-id': 'x' },
    { 'cf-pseudo-ipv4': '240.0.0.1' },
    { 'cf-access-authenticated-user-email': 'a@a.example' },
    { 'cdn-loop': 'cloudflare' },
    { 'x-amz-cf-id': 'x' },
    { 'x-amzn-trace-id': 'x' },
    { 'x-appengine-country': 'NL' },
    { 'x-arr-ssl': 'x' },
    { 'x-azure-clientip': '203.0.113.7' },
    { 'x-cloud-trace-context': 'x' },
    { 'x-envoy-external-address': '203.0.113.7' },
    { 'x-nf-request-id': 'x' },
    { 'x-vercel-id': 'x' },
    { 'akamai-origin-hop': '2' },
    { 'fastly-ff': 'x' },
    { 'fly-request-id': 'x' },
    { 'ngrok-skip-browser-warning': '1' },
    { 'tailscale-user-login': 'a@a.example' },
    { 'cf-connecting-ip': '203.0.113.7' },
    { 'cf-connecting-ip': '127.0.0.1, 203.0.113.7' },
    { 'cf-connecting-ip': '127.0.0.1.example' },
    { 'cf-connecting-ip': '' },
  ])('refuses a request that was forwarded: %o', async (headers) => {
    const answer = await askHere(headers)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      code: 'NOT_CONFIGURED',
      message: expect.stringContaining(`${Object.keys(headers)[0]?.toLowerCase()} shows that`),
    })
  })

  it.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])(
    'serves one to which the local runtime has added the address %s',
    async (address) => {
      const answer = await askHere({ 'cf-connecting-ip': address })
      expect(answer.status).toBe(200)
      await answer.body?.cancel()
    },
  )

  it.each([
    ...['user-agent', 'x-request-id', 'mcp-param-clip', 'x-zip', 'cfx', 'x-amazing', 'viable'],
    ...['cf-worker', 'x-mcp-proxy-auth', 'mcp-param-ip-list'],
  ])('serves one with the header %s, which no proxy adds', async (name) => {
    const answer = await askHere({ [name]: 'x' })
    expect(answer.status).toBe(200)
    await answer.body?.cancel()
  })

  it('asks a forwarded one to sign in where there is an owner', async () => {
    const owner = { EDGEWISE_OWNER_SECRET: 'a secret of the owner' }
    const answer = await askHere({ 'x-forwarded-for': '203.0.113.7' }, owner)
    expect(answer.status).toBe(401)
    await answer.body?.cancel()
  })
})

it('an owner exists with a secret or with Cloudflare Access', () => {
  expect(hasOwner(env)).toBe(false)
  expect(hasOwner({ ...env, EDGEWISE_OWNER_SECRET: 'x' })).toBe(true)
  expect(hasOwner({ ...env, EDGEWISE_ACCESS: 'team audience' })).toBe(true)
})

describe('sign-in attempts', () => {
  it('allow five at once from one address, then one every 30 seconds', () => {
    let time = 0
    const { count: attempt } = createAttempts(() => time)
    expect(Array.from({ length: 6 }, () => attempt('a'))).toEqual([0, 0, 0, 0, 0, 30])
    expect(attempt('b')).toBe(0)
    time += 29_000
    expect(attempt('a')).toBeGreaterThan(0)
    time += 1_000
    expect(attempt('a')).toBe(0)
    expect(attempt('a')).toBe(30)
  })

  it('are limited over all addresses together', () => {
    const { count: attempt } = createAttempts(() => 0)
    const waits = Array.from({ length: 60 }, (_, index) => attempt(`address ${index}`))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(50)
  })

  it.each([
    ['are limited on a machine of one’s own, whatever address they name', true],
    ['are counted by the address that Cloudflare reports', false],
  ])('%s', async (_, isMachine) => {
    const owner = { EDGEWISE_OWNER_SECRET: 'a secret of the owner' }
    const DISK: Pick<Fetcher, 'fetch'> = { fetch: async () => new Response('1000000000') }
    const machine = isMachine ? { DISK: DISK as Fetcher } : {}
    const guess = async (address: string) => {
      const body = new URLSearchParams({ secret: 'wrong' }).toString()
      const headers = {
        ...{ host: 'localhost', origin: 'http://localhost', 'cf-connecting-ip': address },
        'content-type': 'application/x-www-form-urlencoded',
      }
      const request = new Request('http://localhost/signin', { method: 'POST', headers, body })
      const answer = await front.fetch(
        request,
        { ...env, ...owner, ...machine },
        createExecutionContext(),
      )
      await answer.body?.cancel()
      return answer.status
    }
    const statuses = []
    for (let count = 0; count < 7; count++) statuses.push(await guess(`203.0.113.${count}`))
    expect(statuses.filter((status) => status === 429)).toHaveLength(isMachine ? 2 : 0)
  })

  it('of the owner are not counted if they succeed', () => {
    const { count, forget } = createAttempts(() => 0)
    const waits = Array.from({ length: 20 }, () => {
      const wait = count('a')
      forget('a')
      return wait
    })
    expect(waits.every((wait) => wait === 0)).toBe(true)
  })
})
