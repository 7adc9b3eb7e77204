/**
 * DNS rebinding: no route serves a request with a foreign host name that resolves to this machine, from
 * any page; and no other header replaces Host.
 */

import { beforeAll, describe, expect, it } from 'vitest'
import { head, sendBytes, sendInTwo, type Answered } from '../../support/e2e/attack-socket.ts'
import { OF_THE_RUNTIME, useAttacked } from '../../support/e2e/attack-server.ts'

const product = useAttacked(OF_THE_RUNTIME)

beforeAll(async () => {
  await fetch(`${product.url}/files/secret`, { method: 'PUT', body: 'KEEP-THIS' })
})

async function ask(start: string, ...lines: string[]): Promise<Answered> {
  const length = start.startsWith('GET') ? [] : ['Content-Length: 0']
  const request = head(`${start} HTTP/1.1`, ...lines, ...length, 'Connection: close')
  const [answer, more] = await sendBytes(product.url, request)
  if (!answer || more) throw new Error(`${start} has not one answer`)
  return answer
}

/** Every route except the public ones. */
const ROUTES = [
  'GET /',
  'GET /console.js',
  'GET /console.css',
  'GET /mcp',
  'POST /mcp',
  'DELETE /mcp',
  'GET /w/default/mcp',
  'POST /w/default/mcp',
  'GET /s/x/mcp',
  'POST /s/x/mcp',
  'GET /files/',
  'GET /files/secret',
  'HEAD /files/secret',
  'PUT /files/secret',
  'DELETE /files/secret',
  'POST /import',
  'GET /export',
  'GET /status',
  'GET /config',
  'PUT /config',
  'GET /sessions',
  'POST /sessions',
  'DELETE /sessions/x',
  'GET /audit',
  'GET /audit/check',
  'GET /.well-known/mcp-config',
  'GET /signin',
  'POST /signin',
  'GET /authorize',
  'OPTIONS /mcp',
  'OPTIONS /files/secret',
  'GET /nowhere',
]

/** Host names that an attacker can own or make a browser send. */
const FOREIGN_HOSTS = [
  'evil.example',
  'localhost.evil.com',
  '127.0.0.1.nip.io',
  'localhost.',
  'localhost.:8787',
  'LOCALHOST.',
  'localhost.localdomain',
  'A.LOCALHOST',
  'evil-localhost',
  '0.0.0.0',
  '[::]',
  '[::ffff:127.0.0.1]',
  '192.168.0.1',
  '128.0.0.1',
  'xn--lcalhost-9ve',
]

describe.each(FOREIGN_HOSTS)('DNS rebinding by the host %s', (host) => {
  it('is refused on every route', async () => {
    for (const route of ROUTES) {
      const { status, headers, body } = await ask(route, `Host: ${host}`)
      expect(status, route).toBe(403)
      expect(body, route).not.toContain('KEEP-THIS')
      expect(headers.has('access-control-allow-origin'), route).toBe(false)
    }
  })

  it('is refused even if other headers name another host', async () => {
    for (const line of [
      'X-Forwarded-Host: localhost',
      'Forwarded: for=127.0.0.1;host=localhost;proto=http',
      'X-Original-Host: localhost',
      'X-Host: localhost',
      'X-Original-URL: http://localhost/status',
      'X-Forwarded-For: 127.0.0.1',
      'Origin: http://localhost',
      'CF-Connecting-IP: 127.0.0.1',
    ])
      expect((await ask('GET /status', `Host: ${host}`, line)).status, line).toBe(403)
  })
})

/** What is no host. The runtime or the guard refuses it. */
const MALFORMED = [
  'evil.example@localhost',
  'localhost@evil.example',
  'evil.example#@localhost',
  'localhost/../evil.example',
  'localhost/healthz?',
  'evil.example?',
  'localhost\\@evil.example',
  'localhost, evil.example',
  'evil.example localhost',
  'localhost%00.evil.com',
  '%6cocalhost',
  'localhost:99999',
  'localhost:80:80',
  '[::1',
  '',
]

describe('DNS rebinding by a malformed host', () => {
  it.each(MALFORMED)('%j is refused', async (host) => {
    for (const route of ['GET /status', 'GET /files/secret', 'POST /mcp']) {
      const { status, body } = await ask(route, `Host: ${host}`)
      expect([400, 403, 500]).toContain(status)
      expect(body).not.toMatch(/KEEP-THIS|version/)
    }
  })

  it.each([
    ['two hosts', ['Host: localhost', 'Host: evil.example']],
    ['two hosts, the other way round', ['Host: evil.example', 'Host: localhost']],
    ['the same host twice', ['Host: localhost', 'Host: localhost']],
    ['no host', []],
    ['a host that is folded', ['Host:', ' localhost']],
    ['a host with a space before the colon', ['Host : localhost']],
  ])('%s', async (_, lines) => {
    const { status, body } = await ask('GET /status', ...lines)
    expect([400, 403, 500]).toContain(status)
    expect(body).not.toContain('version')
  })

  it.each(['localhost/status', '*'])('the target %s', async (target) => {
    for (const host of ['localhost', 'evil.example']) {
      const { status, body } = await ask(`GET ${target}`, `Host: ${host}`)
      expect([400, 403, 500]).toContain(status)
      expect(body).not.toContain('version')
    }
  })

  /** A runtime may refuse an absolute target, or drop its authority, so that `Host` alone decides (RFC 9112, 3.2.2). */
  it.each([
    'http://localhost/status',
    'http://evil.example/status',
    'https://localhost/status',
    'http://localhost@evil.example/status',
  ])('the target %s', async (target) => {
    const { status, body } = await ask(`GET ${target}`, 'Host: evil.example')
    expect([400, 403, 500]).toContain(status)
    expect(body).not.toContain('version')
    expect((await ask(`GET ${target}`, 'Host: localhost')).body).not.toContain('evil')
  })
})

describe('names of this machine', () => {
  it.each([
    'localhost',
    'LOCALHOST:1',
    'LocalHost:',
    '127.0.0.1:65535',
    '[::1]',
    '[0:0:0:0:0:0:0:1]:9',
  ])('%s is one', async (host) => {
    expect((await ask('GET /status', `Host: ${host}`)).body).toContain('version')
  })

  it('below localhost only the sandbox is served', async () => {
    for (const host of ['app.localhost', 'app.localhost:8787'])
      for (const route of ROUTES) {
        const { status, body } = await ask(route, `Host: ${host}`)
        expect(status, route).toBe(404)
        expect(body, route).toBe('')
      }
  })

  it('a forwarded name is in no response', async () => {
    for (const route of ['GET /', 'GET /status', 'POST /sessions', 'GET /nowhere']) {
      const { status, headers, body } = await ask(
        route,
        'Host: localhost',
        'X-Forwarded-Host: evil.example',
        'X-Forwarded-Proto: gopher',
        'X-Forwarded-Port: 666',
        'Forwarded: host=evil.example;proto=gopher',
        'X-Original-URL: /evil',
        'X-Rewrite-URL: /evil',
      )
      expect(status, route).not.toBe(403)
      expect(JSON.stringify([...headers]) + body, route).not.toMatch(/evil|gopher|:666\b/)
    }
  })
})

it('a link has the host name of its own request, whatever requests run meanwhile', async () => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'delegate', arguments: { label: 'slow' } },
  })
  const slow = head(
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${body.length}`,
    'Connection: close',
  )
  const meanwhile = async () => {
    for (let times = 0; times < 5; times++) await ask('GET /sessions', 'Host: 127.0.0.1')
  }
  const parts = [slow + body.slice(0, 9), body.slice(9)] as const
  const [answer] = await sendInTwo(product.url, parts, meanwhile)
  expect(answer?.body).toContain('http://localhost/s/default.')
  expect(answer?.body).not.toContain('127.0.0.1')
})

describe.each([
  'http://evil.example',
  'http://localhost.evil.com',
  'http://127.0.0.1.nip.io',
  'http://localhost.',
  'http://app.localhost',
  'null',
  'file://',
  'about:blank',
  'blob:http://localhost/x',
  'http://localhost, http://evil.example',
  'http://localhost@evil.example',
  'http://evil.example@localhost',
  'capacitor://localhost',
  'tauri://127.0.0.1',
  'http://evil.example#localhost',
  'localhost',
  // Another program of this machine may serve a page at any other port, and under any other name.
  'http://localhost:3000',
  'https://localhost',
  'https://localhost:80',
  'http://127.0.0.1',
  'http://127.0.0.1:80',
  'http://[::1]',
  'HTTP://localhost',
  'http://LOCALHOST',
  'http://localhost/',
  'http://localhost:80',
])('a page of %s', (origin) => {
  it('is refused on every route, without CORS headers', async () => {
    for (const route of ROUTES) {
      const { status, headers, body } = await ask(route, 'Host: localhost', `Origin: ${origin}`)
      expect(status, route).toBe(403)
      expect(headers.has('access-control-allow-origin'), route).toBe(false)
      expect(body, route).not.toContain('KEEP-THIS')
    }
  })
})

/** Ways out of the paths that any page may ask for, as a browser or any other client may spell them. */
const WAYS_OUT = [
  '..',
  '%2e%2e',
  '%2E%2e',
  '.%2e',
  '%2e.',
  '%252e%252e',
  '..%2f.',
  '..\\.',
  '%2e%2e\\.',
  '..%5c',
  './..',
  '%2e/%2e%2e',
  'x/../..',
  'x//../../..',
  '/..',
  '..;',
]

const UNCHECKED = [
  '/oauth',
  '//oauth',
  '/OAUTH',
  '/%6fauth',
  '/oauth\\',
  '/./oauth',
  '/oauth/token',
  '/oauth%2f',
  '/.well-known/oauth-x',
  '/.well-known/oauth-authorization-server/x',
  '/%2ewell-known/oauth-',
  '/.well-known\\oauth-',
  '/healthz',
  '/webmcp.js',
]

it.each(UNCHECKED)('no way out of %s leads a page of another origin anywhere', async (start) => {
  for (const way of WAYS_OUT)
    for (const depth of [way, `${way}/${way}`, `${way}/${way}/${way}`])
      for (const [method, path] of [
        ['GET', '/files/secret'],
        ['PUT', '/files/secret'],
        ['DELETE', '/files/secret'],
        ['GET', '/status'],
        ['GET', '/w/default/files/secret'],
        ['PUT', '/config'],
        ['POST', '/sessions'],
      ] as const) {
        const route = `${method} ${start}/${depth}${path}`
        const { status, body } = await ask(route, 'Host: localhost', 'Origin: http://evil.example')
        expect([400, 403, 404, 405], `${route}: ${body}`).toContain(status)
        expect(body, route).not.toMatch(/KEEP-THIS|"version"|"url"/)
      }
})

it.each(['localhost', 'localhost:80', '127.0.0.1', '127.0.0.1:9', '[::1]:9'])(
  'the page that is served as %s may connect only to that name and port',
  async (host) => {
    const own = `http://${host.replace(/:80$/, '')}`
    const { status, headers } = await ask('GET /status', `Host: ${host}`, `Origin: ${own}`)
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe(own)
    for (const other of ['localhost', 'localhost:81', '127.0.0.1', '127.0.0.1:81', '[::1]'])
      if (`http://${other}` !== own)
        expect((await ask('GET /status', `Host: ${other}`, `Origin: ${own}`)).status).toBe(403)
  },
)

it('the file is unchanged after all attempts', async () => {
  expect(await (await fetch(`${product.url}/files/secret`)).text()).toBe('KEEP-THIS')
})
