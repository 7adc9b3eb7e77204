/**
 * Link leakage: after a link was made, its secret is in no response, no header and no log, whatever is done
 * with it and however it fails. Nor are the other secrets of a product with an owner.
 */

import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createOAuthSteps } from '../../support/e2e/attack-oauth.ts'
import { OF_THE_DANCE, useAttacked } from '../../support/e2e/attack-server.ts'
import { Person, SECRET } from '../../support/e2e/person.ts'

const server = useAttacked(OF_THE_DANCE, { EDGEWISE_OWNER_SECRET: SECRET, EDGEWISE_LOG: 'json' })
const { runFlow, refresh, exchange } = createOAuthSteps(() => server.url)

const owner = new Person()
const secrets = new Set<string>()

function expectNoSecretIn(text: string, where: string): void {
  for (const secret of secrets)
    for (const form of [secret, encodeURIComponent(secret), btoa(secret).replace(/=+$/, '')])
      expect(text.includes(form), `${where} tells a secret`).toBe(false)
}

/** Fetches a response with all its headers, and checks that there is no secret in it. */
async function fetchWithoutSecret(url: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(url, { ...init, redirect: 'manual' })
  const text = JSON.stringify([...answer.headers]) + (await answer.text())
  expectNoSecretIn(text, `${init.method ?? 'GET'} of ${answer.status}`)
  return text
}

const asOwner = (path: string, init: RequestInit = {}) =>
  owner.visit(new URL(path, server.url), {
    ...init,
    headers: { 'x-edgewise-console': '1', 'content-type': 'application/json' },
  })

const Made = z.looseObject({ id: z.string(), url: z.string() })

/** A link, made by the owner; from now on its secret may be seen nowhere. */
async function newLink(wish: Record<string, unknown> = {}) {
  const body = JSON.stringify({ label: 'guest', ttl_seconds: 600, ...wish })
  const made = Made.parse(
    await (await asOwner('/w/leaks/sessions', { method: 'POST', body })).json(),
  )
  secrets.add(secretOf(made.url))
  return made
}

const secretOf = (url: string) => /\.([\w-]{43})\/mcp$/.exec(url)?.[1] ?? url

beforeAll(async () => {
  await owner.signIn(server.url)
  secrets.add(SECRET)
  for (const value of owner.cookies.values()) secrets.add(value.replace(/^[^.]*\./, ''))
})

afterEach(() => expectNoSecretIn(server.written(), 'The log'))

const JSON_RPC = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

const post = (url: string, message: object, headers: Record<string, string> = {}) =>
  fetchWithoutSecret(url, {
    method: 'POST',
    headers: { ...JSON_RPC, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  })

const call = (url: string, name: string, args: object) =>
  post(url, { method: 'tools/call', params: { name, arguments: args } })

/** What can be done with a link, rightly or wrongly. */
async function useUp(url: string): Promise<void> {
  await call(url, 'write_file', { path: '/a', content: 'x' })
  await call(url, 'write_file', { path: '/../..', content: 'x' })
  await call(url, 'read_file', { path: '/none' })
  await call(url, 'read_file', { wrong: true })
  await call(url, 'no_such_tool', {})
  await call(url, 'list_changes', {})
  await post(url, { method: 'resources/read', params: { uri: 'ui://write_file/x' } })
  await post(url, { method: 'resources/list' })
  await post(url, { method: 'no/such' })
  await post(url, { method: 'tools/list' }, { 'mcp-session-id': 'made-up' })
  await post(url, { method: 'tools/list' }, { 'mcp-protocol-version': '1999-01-01' })
  for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])
    for (const accept of ['text/html', 'text/event-stream', '*/*'])
      await fetchWithoutSecret(url, { method, headers: { accept } })
  for (const body of ['', '{', '['.repeat(200), '\0'])
    await fetchWithoutSecret(url, { method: 'POST', headers: JSON_RPC, body })
  await fetchWithoutSecret(url, { headers: { origin: 'http://evil.example', referer: url } })
  await fetchWithoutSecret(url, { headers: { origin: new URL(url).origin, referer: url } })
  await fetchWithoutSecret(url, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: url,
  })
}

describe('the secret of a link does not leak', () => {
  it('while it is valid', async () => useUp((await newLink()).url))

  it('when its policy is narrow', async () => {
    const { url } = await newLink({ scopes: ['read:file:/docs'] })
    await useUp(url)
    expect(await call(url, 'read_file', { path: '/a' })).toContain('INSUFFICIENT_SCOPE')
  })

  it('after it was revoked', async () => {
    const { id, url } = await newLink()
    expect((await asOwner(`/w/leaks/sessions/${id}`, { method: 'DELETE' })).status).toBe(204)
    await useUp(url)
    expect(await call(url, 'list_roots', {})).toContain('invalid_token')
  })

  it('when it is mistyped', async () => {
    const { url } = await newLink()
    for (const wrong of [
      url.replace('/mcp', ''),
      url.replace('/mcp', '/'),
      url.replace('/mcp', '/mcp/'),
      url.replace('/mcp', '/files/a'),
      url.replace('/mcp', 'x/mcp'),
      url.replace('leaks.', 'LEAKS.'),
      url.replace('leaks.', 'leaks:'),
      url.replace('leaks.', ''),
      `${url}?x=1`,
      `${url}%20`,
    ])
      await useUp(wrong)
  })

  it('from one guest to the next, nor to the one that made them', async () => {
    const { url } = await newLink()
    const answer = await fetch(url, {
      method: 'POST',
      headers: JSON_RPC,
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'delegate', arguments: { label: 'below' } },
      }),
    })
    const below = /http:[^"\\ ]+\/mcp/.exec(await answer.text())?.[0] ?? ''
    expect(secretOf(below)).toHaveLength(43)
    secrets.add(secretOf(below))
    await useUp(below)
    await useUp(url)
  })

  it('in all that the owner can read afterwards', async () => {
    const pages = [
      'sessions',
      'status',
      'audit',
      'audit/check',
      'audit?limit=1000',
      'config',
      'files/',
    ]
    for (const page of pages) {
      const text = await (await asOwner(`/w/leaks/${page}`)).text()
      expectNoSecretIn(text, page)
    }
    const headers = { accept: 'application/x-ndjson', cookie: owner.cookie }
    const all = await fetchWithoutSecret(`${server.url}/w/leaks/audit`, { headers })
    expect(all).toContain('make_link')
    const archive = await asOwner('/w/leaks/export')
    expectNoSecretIn(Buffer.from(await archive.arrayBuffer()).toString('latin1'), 'The archive')
  })
})

it('a log is kept of all that, without the secrets of the OAuth flow either', async () => {
  const { client, code, verifier, tokens } = await runFlow({ allow: true, workspace: 'leaks' })
  for (const secret of [code, verifier, tokens.access_token, tokens.refresh_token])
    secrets.add(secret)
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  await post(`${server.url}/mcp`, { method: 'tools/list' }, headers)
  await fetchWithoutSecret(`${server.url}/w/other/mcp`, { method: 'POST', headers })
  await fetchWithoutSecret(`${server.url}/files/?token=${tokens.access_token}`, { headers })
  await fetchWithoutSecret(`${server.url}/mcp`, {
    headers: { authorization: `Bearer ${tokens.access_token}x` },
  })
  expectNoSecretIn(await (await exchange(client, code, 'x'.repeat(43))).text(), 'A refusal')
  expectNoSecretIn(await (await refresh(client, `${tokens.refresh_token}x`)).text(), 'A refusal')
  await expect.poll(() => server.written()).toContain('"route":"/s/…/mcp"')
  expect(server.written()).toContain('"route":"/oauth')
})
