/** No error of the routes beside MCP, of sign-in or of OAuth repeats long input: in a path, a query, a body or a header. */

import { beforeAll, describe, expect, it } from 'vitest'
import { OWNER_ROUTES, ROUTES_WITH_BODY } from '../../support/e2e/owner-routes.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import {
  ask,
  ORIGIN,
  REDIRECT,
  registerClient,
  signedInOwner,
} from '../../support/worker/consent.ts'
import { expectShort, lengthened, LONG_TEXTS, shortly } from '../../support/worker/long-input.ts'

let workspace: ReturnType<typeof freshWorkspace>
beforeAll(async () => {
  workspace = freshWorkspace()
  await workspace.put('/docs/plan.md', '# Plan\n')
})

/** Longer addresses are refused before they are read. */
const LONG_ADDRESS = 'x'.repeat(12_000)

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']

const QUERY =
  'to from folder path side change of digest revision offset limit before outcome since until principal session scope after'

/** The bodies of the routes; each is sent to every route that takes one. */
const BODIES: readonly unknown[] = [
  {
    find_limit: 7,
    approval: 'none',
    roots: [{ path: '/a', deny: ['x'], allow: ['y'], approval: 'none' }],
  },
  { revision: 'r', groups: [1], changes: ['c'], digest: 'd', unseen: ['/a'], note: 'n' },
  { for: 'rules', roots: [{ path: '/a', immutable: ['**'] }] },
  { for: 'session' },
  { label: 'l', response: { id: 'i', rawId: 'r', type: 'public-key', response: { a: 'b' } } },
  { secret: 's' },
  { manifest: '{}' },
  { name: 'n' },
  { folder: '/docs' },
  { tool: 't', intent: 'i', scopes: ['read'] },
  { versions: [1], dropped: 0 },
  {
    label: 'l',
    scopes: ['read:file:/a'],
    ttl_seconds: 60,
    policy: { roots: [{ path: '/a' }] },
    session: 's',
  },
]

const send = async (path: string, init: RequestInit, what: () => string) =>
  expectShort(await workspace.fetch(path, init), what)

describe('a route does not repeat', () => {
  it.each(OWNER_ROUTES)('a long path: %s', async (route) => {
    for (const method of METHODS) {
      await send(`${route}/${LONG_ADDRESS}`, { method }, () => `${method} below ${route}`)
      const steps = route.split('/')
      for (const at of steps.keys()) {
        const path = steps.with(at, at === 0 ? '' : LONG_ADDRESS).join('/')
        await send(path, { method }, () => `${method} ${shortly(path)}`)
      }
    }
  })

  it.each(OWNER_ROUTES)('a long query: %s', async (route) => {
    for (const name of QUERY.split(' '))
      for (const method of ['GET', 'DELETE', 'POST'])
        await send(
          `${route}?${name}=${LONG_ADDRESS}`,
          { method },
          () => `${method} ${route}?${name}`,
        )
  })

  // All others refuse the method, whatever the body is.
  it.each(['/status', ...ROUTES_WITH_BODY])('a long body: %s', async (route) => {
    const method = route === '/config' ? 'PUT' : 'POST'
    for (const long of LONG_TEXTS)
      for (const given of BODIES)
        for (const sent of lengthened(given, long.slice(0, 60_000)))
          await send(
            route,
            { method, body: JSON.stringify(sent) },
            () => `${route} ${shortly(sent)}`,
          )
    await send(route, { method, body: LONG_TEXTS[0] ?? '' }, () => `${route} without JSON`)
  })

  it.each([
    'if-match',
    'if-none-match',
    'range',
    'content-encoding',
    'content-type',
    'accept',
    'origin',
  ])('a long header: %s', async (name) => {
    for (const route of OWNER_ROUTES)
      for (const method of ['GET', 'PUT', 'POST']) {
        const body = method === 'GET' ? null : '{}'
        const headers = { [name]: LONG_ADDRESS }
        await send(route, { method, body, headers }, () => `${method} ${route} with ${name}`)
      }
  })

  it('what was too long for the configuration', async () => {
    const body = JSON.stringify({ ['x'.repeat(3_000_000)]: 1 })
    const answer = await workspace.fetch('/config', { method: 'PUT', body })
    expect(answer.status).toBe(400)
    expect((await answer.text()).length).toBeLessThan(1_500)
  })
})

describe('sign-in does not repeat', () => {
  it.each([
    '/',
    '/signin',
    '/authorize',
    '/oauth/token',
    '/oauth/register',
    '/s/',
    '/.well-known/',
    '/w/',
  ])('a long address below %s', async (start) => {
    for (const method of METHODS)
      for (const path of [
        `${start}${LONG_ADDRESS}`,
        `${start}${LONG_ADDRESS}/mcp`,
        `${start}?a=${LONG_ADDRESS}`,
      ])
        await expectShort(await ask(path, { method }), () => `${method} ${shortly(path)}`)
  })

  it('a long field of an authorization request', async () => {
    const owner = await signedInOwner()
    const client_id = await registerClient()
    const names =
      'client_id redirect_uri response_type state code_challenge code_challenge_method scope resource'
    for (const name of names.split(' ')) {
      for (const start of ['', 'https://a.example/', 'read:file:/', 'javascript:', `${ORIGIN}/`]) {
        const asked = { client_id, [name]: `${start}${LONG_ADDRESS}` }
        await expectShort(await owner.request([], asked), () => `/authorize with ${name}`)
      }
    }
    const form = new URLSearchParams({
      request: LONG_ADDRESS,
      action: LONG_ADDRESS,
      'folder-read': LONG_ADDRESS,
    })
    await expectShort(await owner.send(form), () => 'the form of consent')
  })

  it('a long field of a token request or of a registration', async () => {
    const client_id = await registerClient()
    const fields = {
      grant_type: 'authorization_code',
      ...{ code: 'c', code_verifier: 'v', redirect_uri: REDIRECT, client_id, client_secret: 's' },
      ...{ refresh_token: 'r', resource: ORIGIN, scope: 'read', token: 't', token_type_hint: 'x' },
    }
    const headers = { 'cf-connecting-ip': 'size' }
    for (const grant_type of ['authorization_code', 'refresh_token'])
      for (const path of ['/oauth/token', '/oauth/revoke'])
        for (const name of Object.keys(fields)) {
          const body = new URLSearchParams({ ...fields, grant_type, [name]: LONG_ADDRESS })
          const answer = await ask(path, { method: 'POST', body, headers })
          await expectShort(answer, () => `${path} with ${name}`)
        }
    const metadata = {
      client_name: 'n',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      scope: 'x',
    }
    for (const sent of lengthened(metadata, LONG_ADDRESS)) {
      const init = { method: 'POST', body: JSON.stringify(sent) }
      const typed = { ...init, headers: { ...headers, 'content-type': 'application/json' } }
      await expectShort(await ask('/oauth/register', typed), () => shortly(sent))
    }
  })

  it.each(['authorization', 'cookie', 'host', 'x-forwarded-for', 'forwarded', 'cf-connecting-ip'])(
    'a long header %s',
    async (name) => {
      for (const path of ['/mcp', '/files/a', '/authorize', '/signin', '/oauth/token'])
        for (const value of [LONG_ADDRESS, `Bearer ${LONG_ADDRESS}`, `Basic ${btoa(LONG_ADDRESS)}`])
          for (const method of ['GET', 'POST'])
            await expectShort(
              await ask(path, { method, headers: { [name]: value } }),
              () => `${path} with ${name}`,
            )
    },
  )
})
