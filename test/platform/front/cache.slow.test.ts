/**
 * Cache poisoning: a response that depends on the caller is never cached, and a cacheable response is the same for
 * all callers, whatever the request's headers.
 */

import front from '#worker/index.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { signInCookie } from '#worker/auth/owner.ts'
import { everythingOf, linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'

const OWNED = { ...env, EDGEWISE_OWNER_SECRET: 'a secret of the owner' }
const HOME = 'http://localhost'

const ask = (variables: typeof env, path: string, init: RequestInit = {}) =>
  everythingOf(front.fetch(new Request(HOME + path, init), variables, createExecutionContext()))

let cookie = ''
let link = ''
let workspace = ''

beforeAll(async () => {
  cookie = (await signInCookie(new Request(HOME), OWNED)).split(';')[0] ?? ''
  const giver = freshWorkspace()
  await giver.put('/a.txt', 'one')
  workspace = new URL(giver.base).pathname
  link = new URL((await linkOf(giver)).url).pathname
})

/** Responses that are the same for all callers, and may be cached with revalidation. */
const SCRIPTS = [
  '/webmcp.js',
  '/webmcp-core.js',
  '/webmcp.mjs',
  '/webmcp-core.mjs',
  '/webmcp-dialog.mjs',
  '/webmcp-forms.mjs',
  '/webmcp-frames.mjs',
  '/webmcp-remote.mjs',
  '/webmcp-approvals.mjs',
  '/mcp-view.js',
  '/mcp-view.mjs',
  '/bridge.mjs',
  '/webmcp.d.ts',
  '/webmcp-core.d.ts',
  '/mcp-view.d.ts',
  '/bridge.d.ts',
]
const CONSOLE = ['/console.js', '/console.css']

/** What installs the console, which a device asks for with the cookie or without. */
const INSTALLED = [
  '/console.webmanifest',
  '/push.js',
  '/icons/icon.svg',
  '/icons/192.png',
  '/icons/512.png',
  '/icons/maskable.png',
  '/icons/apple.png',
  '/icons/badge.png',
]

/** Everything else; `~` is a workspace with a file, and `@` a link to it. */
const PAGES = [
  '/',
  '/mcp',
  '/healthz',
  '/status',
  '/config',
  '/sessions',
  '/audit',
  '/audit/check',
  '/files/',
  '/files/none',
  '/export',
  '/signin',
  '/authorize',
  '/signout',
  '/nowhere',
  '/w/UPPER/mcp',
  '~/mcp',
  '~/status',
  '~/config',
  '~/sessions',
  '~/audit?limit=1',
  '~/files/',
  '~/files/a.txt',
  '~/export',
  '@',
  '/s/x/mcp',
  '/.well-known/mcp-config',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/oauth/token',
  '/oauth/register',
]

const pathOf = (page: string) => page.replace('~', workspace).replace('@', link)

const LISTED = { ...env, EDGEWISE_ORIGINS: 'http://localhost:5173' }

const WAYS: [string, typeof env, () => Record<string, string>][] = [
  ['without an owner', env, () => ({})],
  ['without an owner, from another page', LISTED, () => ({ origin: 'http://localhost:5173' })],
  ['without credentials', OWNED, () => ({})],
  ['without credentials that accepts HTML', OWNED, () => ({ accept: 'text/html' })],
  ['by the owner', OWNED, () => ({ cookie })],
  ['with an invalid token', OWNED, () => ({ authorization: 'Bearer a:b:c' })],
  ['by a page of a foreign origin', env, () => ({ origin: 'http://evil.example' })],
]

describe.each(WAYS)('a request %s', (_, variables, headersOf) => {
  it.each(PAGES)('gets %s without permission to share it from a cache', async (page) => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const init = { method, headers: headersOf(), ...(method === 'PUT' && { body: '{' }) }
      const { headers, status } = await ask(variables, pathOf(page), init)
      const where = `${method} ${page} ${status}`
      expect(headers['cache-control'], where).toMatch(/no-store|no-cache/)
      expect(headers['cache-control'], where).not.toContain('public')
      expect(headers['referrer-policy'], where).toMatch(/^(no-referrer|same-origin)$/)
      expect(headers['x-content-type-options'], where).toBe('nosniff')
      const allowed = headers['access-control-allow-origin']
      if (allowed !== undefined && allowed !== '*')
        expect(headers['vary'], where).toContain('Origin')
    }
  })

  it('gets no cacheable response to a POST', async () => {
    for (const page of PAGES) {
      const init = { method: 'POST', headers: headersOf(), body: '{}' }
      const { headers } = await ask(variables, pathOf(page), init)
      expect(headers['cache-control'] ?? 'no-store', page).toMatch(/no-store|no-cache/)
      expect(headers).not.toHaveProperty('expires')
    }
  })
})

/** Headers that are not part of a cache key. */
const UNKEYED: Record<string, string>[] = [
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' },
  { forwarded: 'host=evil.example;proto=gopher', via: '1.1 evil.example' },
  { 'x-original-url': '/evil.example', 'x-rewrite-url': '/evil.example' },
  { accept: 'evil/example', 'accept-language': 'evil', 'user-agent': 'evil.example' },
  { cookie: 'edgewise=evil.example', authorization: 'Bearer evil.example' },
  { origin: 'http://evil.example', referer: 'http://evil.example/' },
  { 'cf-connecting-ip': 'evil.example', 'x-http-method-override': 'DELETE' },
  { range: 'bytes=0-1', 'if-range': '"evil.example"' },
]

describe('a cacheable response', () => {
  it.each(SCRIPTS)('of %s is the same for all callers', async (path) => {
    const plain = await ask(env, path)
    expect(plain.status).toBe(200)
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=0, must-revalidate',
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"\w+"$/),
    })
    for (const headers of UNKEYED)
      for (const variables of [env, OWNED])
        expect(await ask(variables, path, { headers })).toEqual(plain)
    const known = { 'if-none-match': plain.headers['etag'] ?? '' }
    expect((await ask(env, path, { headers: known })).status).toBe(304)
  })

  it.each(CONSOLE)('of %s is the same for all callers that are allowed to see it', async (path) => {
    const plain = await ask(env, path)
    expect(plain.headers['cache-control']).toBe('public, max-age=0, must-revalidate')
    const owner = await ask(OWNED, path, { headers: { cookie } })
    expect(owner).toEqual(plain)
    expect((await ask(OWNED, path)).status).toBe(401)
  })

  it.each(INSTALLED)('of %s is the same for all callers, and asked for each time', async (path) => {
    const plain = await ask(env, path)
    expect(plain.status).toBe(200)
    expect(plain.headers).toMatchObject({ 'cache-control': 'no-cache', etag: expect.any(String) })
    expect(plain.headers).not.toHaveProperty('access-control-allow-origin')
    for (const headers of UNKEYED.filter((one) => !('origin' in one)))
      for (const variables of [env, OWNED])
        expect(await ask(variables, path, { headers })).toEqual(plain)
    expect(await ask(OWNED, path, { headers: { cookie } })).toEqual(plain)
  })

  it.each(['/', '/sandbox', '/healthz', '/status', '/nowhere', '/.well-known/mcp-config'])(
    'of %s does not depend on unkeyed headers',
    async (path) => {
      const plain = await ask(env, path)
      for (const headers of UNKEYED.filter((one) => !('origin' in one))) {
        const { status, body, headers: answered } = await ask(env, path, { headers })
        // A request that was forwarded is not served without an owner, and that is not kept.
        if (status === 503) expect(answered['cache-control']).toBe('no-store')
        else expect(body).toBe(plain.body)
        expect(JSON.stringify(answered)).not.toMatch(/evil|gopher/)
      }
    },
  )
})
