/**
 * Clients that are described by a document of their own domain: it is fetched from a loopback server
 * that plays the internet, and what it does not hold up to leads nowhere.
 */

import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { Person } from '../../support/e2e/person.ts'
import {
  askToken,
  authorizeUrl,
  authorizeClient,
  makePkce,
  s256,
} from '../../support/e2e/oauth-client.ts'
import { bearer, callTool } from '../../support/e2e/mcp-request.ts'
import { useTokenServer } from '../../support/e2e/oauth-server.ts'

const CALLBACK = 'https://app.client.example/callback'

/** Pages by URL; what was asked for is noted. */
const pages = new Map<string, (response: ServerResponse) => void>()
const asked: string[] = []

const server = useTokenServer((request, response) => {
  const url = `https://${request.headers.host}${request.url}`
  asked.push(url)
  const show = pages.get(url)
  if (show) show(response)
  else response.writeHead(404).end()
})

const person = new Person()

beforeEach(() => {
  pages.clear()
  asked.length = 0
})

const documentFor = (id: string, more: object = {}) => ({
  client_id: id,
  client_name: 'Notes & <b>Co</b>',
  redirect_uris: [CALLBACK],
  token_endpoint_auth_method: 'none',
  ...more,
})

function publish(url: string, body: string, status = 200, headers: Record<string, string> = {}) {
  const type = { 'content-type': 'application/json' }
  pages.set(url, (response) => response.writeHead(status, { ...type, ...headers }).end(body))
}

function publishDocument(id: string, more: object = {}): string {
  publish(id, JSON.stringify(documentFor(id, more)))
  return id
}

let documents = 0
const newId = () => `https://client.example/client-${documents++}.json`

function visit(id: string, redirect_uri = CALLBACK): Promise<Response> {
  const fields = { redirect_uri, ...s256(makePkce().challenge) }
  return person.visit(authorizeUrl(server.url, id, fields))
}

/** The consent page for an owner who is signed in. */
async function ask(id: string, redirect?: string): Promise<Response> {
  if (person.cookie === '') await person.signIn(server.url)
  return visit(id, redirect)
}

describe('a client that is described at its own domain', () => {
  it('is known by its domain, and its answer by its host', async () => {
    const page = await ask(publishDocument(newId()))
    const html = await page.text()
    expect(page.status, html).toBe(200)
    expect(html).toMatch(/<strong>client\.example<\/strong>\s*<span/)
    expect(html).toContain('<strong>app.client.example</strong>')
    expect(html).toContain('Notes &amp; &lt;b&gt;Co&lt;/b&gt;')
    expect(html).not.toContain('class="warn"')
  })

  it('gets in, renews, and is listed under its domain', async () => {
    const id = publishDocument(newId())
    const asking = { client_id: id, redirect_uri: CALLBACK }
    const { access_token, refresh_token } = await authorizeClient(
      server.url,
      person,
      { allow: true },
      asking,
    )
    const response = await callTool(`${server.url}/mcp`, bearer(access_token), 'list_roots', {})
    expect(response.status).toBe(200)
    const fields = { grant_type: 'refresh_token', client_id: id, refresh_token }
    expect((await askToken(server.url, fields)).status).toBe(200)
    const sessions = await (await person.visit(`${server.url}/sessions`)).text()
    expect(sessions).toContain('"label":"client.example"')
  })

  it('is announced, and asked for as the RFC says', async () => {
    const known = await fetch(`${server.url}/.well-known/oauth-authorization-server`)
    expect(await known.json()).toMatchObject({ client_id_metadata_document_supported: true })
    const id = publishDocument(newId())
    await ask(id)
    expect(new Set(asked)).toEqual(new Set([id]))
  })

  it('may come back to a program of this machine, and then the person is warned', async () => {
    const loopback = 'http://127.0.0.1:4567/back'
    const id = publishDocument(newId(), { redirect_uris: ['http://127.0.0.1/back'] })
    const html = await (await ask(id, loopback)).text()
    expect(html).toContain('<strong>127.0.0.1:4567</strong>')
    expect(html).toContain('class="warn"')
  })
})

/** What makes a document no proof. Each answers the id under which it is asked for. */
const FAULTS: Record<string, () => string> = {
  'names another client': () => {
    const id = newId()
    publish(id, JSON.stringify(documentFor('https://client.example/other.json')))
    return id
  },
  'has no name': () => publishDocument(newId(), { client_name: ' ' }),
  'holds a secret': () => publishDocument(newId(), { client_secret: 'x' }),
  'wants to sign in by secret': () =>
    publishDocument(newId(), { token_endpoint_auth_method: 'client_secret_basic' }),
  'is larger than 5 KiB': () => publishDocument(newId(), { contacts: ['x'.repeat(6_000)] }),
  'does not say how large it is, and is larger': () => {
    const id = newId()
    pages.set(id, (response) => {
      response.writeHead(200, { 'transfer-encoding': 'chunked' })
      for (let part = 0; part < 20; part++) response.write(' '.repeat(1_024))
      response.end(JSON.stringify(documentFor(id)))
    })
    return id
  },
  'is not JSON': () => {
    const id = newId()
    publish(id, '<!doctype html><title>Client</title>', 200, { 'content-type': 'text/html' })
    return id
  },
  'is a list': () => {
    const id = newId()
    publish(id, JSON.stringify([documentFor(id)]))
    return id
  },
  'is not there': newId,
  'is broken off': () => {
    const id = newId()
    pages.set(id, (response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('{"client_id":', () => response.destroy())
    })
    return id
  },
  'is elsewhere by now': () => {
    const id = newId()
    // The same client, at a URL that another party controls.
    publish('https://evil.example/client.json', JSON.stringify(documentFor(id)))
    publish(id, '', 302, { location: 'https://evil.example/client.json' })
    return id
  },
  'leads to this machine': () => {
    const id = newId()
    publish('https://127.0.0.1/admin', JSON.stringify(documentFor(id)))
    publish(id, '', 307, { location: 'http://127.0.0.1/admin' })
    return id
  },
  'has a place to come back to that is code': () =>
    publishDocument(newId(), { redirect_uris: [CALLBACK, 'javascript:alert(1)'] }),
}

/** Expects an error page, without a redirect and without a code. */
async function expectNoAnswer(page: Response): Promise<string> {
  expect(page.status).toBe(400)
  expect(page.headers.get('location')).toBeNull()
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const html = await page.text()
  expect(html).not.toMatch(/<form|name="handle"|\bat \w+ \(|workerd/)
  return html
}

it('leads to no address that no client can have', async () => {
  const uri = 'ms-msdt:/id'
  const id = publishDocument(newId(), { redirect_uris: [CALLBACK, uri] })
  expect(await expectNoAnswer(await ask(id, uri))).toContain('its scheme belongs to no client')
})

describe('a document', () => {
  it.each(Object.entries(FAULTS))('that %s is none', async (_, publishFault) => {
    const id = publishFault()
    const html = await expectNoAnswer(await ask(id))
    expect(html).toContain(id)
    // The token endpoint knows no client of this name either.
    const fields = { grant_type: 'refresh_token', client_id: id, refresh_token: 'owner:a:b' }
    const answer = await askToken(server.url, fields)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual({
      error: 'invalid_client',
      error_description: 'Client not found',
    })
    expect(asked.every((url) => url === id)).toBe(true)
  })

  it('that takes for ever is given up', async () => {
    const id = newId()
    pages.set(id, (response) => {
      response.writeHead(200)
      response.write('{')
    })
    expect(await expectNoAnswer(await ask(id))).toContain('timed out after 10000ms')
  })

  it.each([
    'https://evil.example/callback',
    'https://app.client.example/callback/',
    'https://app.client.example/callback?x=1',
    'https://app.client.example/callback#x',
    'https://APP.client.example/callback',
    'http://app.client.example/callback',
    'https://app.client.example:444/callback',
    'https://app.client.example@evil.example/callback',
    'javascript:alert(1)',
    '',
  ])('redirects only to its registered URIs: %j', async (redirect) => {
    const html = await expectNoAnswer(await ask(publishDocument(newId()), redirect))
    expect(html).toContain('Invalid redirect URI')
  })
})

describe('an address that is no name of the public internet', () => {
  it.each([
    'https://127.0.0.1/client.json',
    'https://2130706433/client.json',
    'https://0x7f.1/client.json',
    'https://[::1]/client.json',
    'https://[::ffff:10.0.0.1]/client.json',
    'https://10.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://8.8.8.8/client.json',
    'https://localhost/client.json',
    'https://localhost./client.json',
    'https://app.localhost/client.json',
    'https://router.lan/client.json',
    'https://metadata.google.internal/computeMetadata',
    'https://intranet/client.json',
  ])('is never asked: %s', async (id) => {
    publishDocument(id)
    await expectNoAnswer(await ask(id))
    expect(asked).toEqual([])
  })

  it.each([
    'http://client.example/client.json',
    'https://client.example',
    'https://user:secret@client.example/client.json',
    'https://client.example/a/../client.json',
    'https://client.example/%2e%2e/client.json',
    'https://client.example/client.json#part',
    'file:///etc/passwd',
    'ftp://client.example/client.json',
  ])('is never asked: %s', async (id) => {
    publishDocument(id)
    await expectNoAnswer(await ask(id))
    expect(asked).toEqual([])
  })
})

/** The ways in which a token request names its client. */
const NAMED: Record<string, (id: string) => { body: string; headers?: Record<string, string> }> = {
  'in the form': (id) => ({ body: `client_id=${encodeURIComponent(id)}&token=x` }),
  'in its credentials': (id) => {
    const credentials = btoa(`${encodeURIComponent(id)}:secret`).replace(/=+$/, '')
    return { body: 'token=x', headers: { authorization: `bAsIc  ${credentials}` } }
  },
  'in its assertion': (id) => {
    const claims = btoa(JSON.stringify({ iss: id })).replace(/=+$/, '')
    const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    return { body: `token=x&client_assertion=e30.${claims}.AAAA&client_assertion_type=${type}` }
  },
}

it.each(Object.keys(NAMED))(
  'an unauthenticated client, named %s, cannot cause unlimited fetches',
  async (how) => {
    const { body, headers } = NAMED[how]?.(newId()) ?? { body: '' }
    const type = { 'content-type': 'application/x-www-form-urlencoded', 'cf-connecting-ip': how }
    const statuses: number[] = []
    const began = performance.now()
    for (let round = 0; round < 100 && statuses.at(-1) !== 429; round++) {
      const init = { method: 'POST', body, headers: { ...type, ...headers } }
      const answer = await fetch(`${server.url}/oauth/token`, init)
      await answer.body?.cancel()
      statuses.push(answer.status)
    }
    expect(asked.length).toBeGreaterThan(0)
    expect(statuses.at(-1)).toBe(429)
    // A burst of 60, and one more in every two seconds.
    expect(asked.length).toBeLessThanOrEqual(60 + (performance.now() - began) / 2_000)
  },
)

it('a client that is named after an empty one causes no fetch', async () => {
  const body = new URLSearchParams(`client_id=&client_id=${encodeURIComponent(newId())}&token=x`)
  const answer = await fetch(`${server.url}/oauth/token`, { method: 'POST', body })
  expect(answer.status).toBe(400)
  expect(asked).toEqual([])
})
