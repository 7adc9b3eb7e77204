/**
 * Confused deputies and replay with an owner: a credential for one purpose is refused for another, and a
 * used, altered or stolen one is refused.
 */

import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createOAuthSteps, REDIRECT } from '../../support/e2e/attack-oauth.ts'
import { OF_THE_DANCE, useAttacked } from '../../support/e2e/attack-server.ts'
import { formOf, Person, SECRET } from '../../support/e2e/person.ts'

const server = useAttacked(OF_THE_DANCE, { EDGEWISE_OWNER_SECRET: SECRET })
const { register, authorizationOf, codeFor, exchange, refresh, tokensIn, runFlow } =
  createOAuthSteps(() => server.url)

const ask = (path: string, init: RequestInit = {}) =>
  fetch(new URL(path, server.url), { ...init, redirect: 'manual' })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const MCP = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
}

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const VERSION = 'io.modelcontextprotocol/protocolVersion'

function call(name: string, args: object, headers: Record<string, string>, path = '/mcp') {
  const _meta = { [VERSION]: '2026-07-28', [CAPABILITIES]: {} }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
  return ask(path, {
    method: 'POST',
    headers: { ...MCP, 'mcp-name': name, ...headers },
    body: JSON.stringify({ ...message, params: { name, arguments: args, _meta } }),
  })
}

const works = async (token: string) => (await call('list_roots', {}, bearer(token))).status === 200

const owner = new Person()
beforeAll(async () => void (await owner.signIn(server.url)))

const asOwner = (path: string, init: RequestInit = {}) =>
  owner.visit(new URL(path, server.url), {
    ...init,
    headers: { 'x-edgewise-console': '1', 'content-type': 'application/json' },
  })

const putAsOwner = (path: string, body: string) => asOwner(path, { method: 'PUT', body })

describe('a confused deputy', () => {
  const ROUTES = [
    'GET /',
    'GET /mcp-config',
    'POST /w/theirs/mcp',
    'GET /w/theirs/mcp',
    'DELETE /w/theirs/mcp',
    'POST /w/default/mcp',
    'POST /w/mine%2f..%2ftheirs/mcp',
    'POST /w/mine/../theirs/mcp',
    'GET /w/theirs/files/secret',
    'PUT /w/theirs/files/secret',
    'DELETE /w/theirs/files/secret',
    'GET /w/mine/files/',
    'GET /files/',
    'GET /w/theirs/export',
    'POST /w/theirs/import',
    'GET /w/theirs/status',
    'PUT /w/theirs/config',
    'GET /w/theirs/sessions',
    'POST /w/theirs/sessions',
    'GET /w/theirs/audit',
    'POST /w/mine/sessions',
    'GET /w/mine/audit',
    'PUT /w/mine/config',
  ]
  const FORGED: Record<string, string>[] = [
    {},
    { 'Edgewise-Principal': 'owner', 'EDGEWISE-SESSION': 'x', 'edgewise-scopes': '["write"]' },
    { edgewise_principal: 'owner', 'edgewise-principal': 'owner, owner' },
    { 'edgewise-link': 'A'.repeat(43), 'edgewise-base': 'http://evil.example/s/theirs' },
    { 'x-edgewise-console': '1', 'cf-access-jwt-assertion': 'e30.e30.e30' },
    { 'x-forwarded-host': 'localhost', 'x-original-url': '/w/theirs/mcp' },
  ]
  let token: string

  beforeAll(async () => {
    expect((await putAsOwner('/w/theirs/files/secret', 'KEEP-THIS')).status).toBe(201)
    token = (await runFlow({ allow: true, workspace: 'mine' })).tokens.access_token
  })

  it.each(ROUTES)('a token of one workspace opens nothing else: %s', async (route) => {
    const [method = '', path = ''] = route.split(' ')
    for (const forged of FORGED) {
      const headers = { ...MCP, 'mcp-name': 'list_roots', ...forged, ...bearer(token) }
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }
      const answer = await ask(path, { method, headers, ...body })
      expect(answer.status, JSON.stringify(forged)).toBe(403)
      expect(await answer.text()).not.toContain('KEEP-THIS')
    }
  })

  it('is not made of the owner’s cookie beside a token', async () => {
    const headers = { ...bearer(token), cookie: owner.cookie, 'x-edgewise-console': '1' }
    expect((await ask('/w/theirs/files/secret', { headers })).status).toBe(403)
    const bad = { ...headers, ...bearer('made:up:token') }
    expect((await ask('/w/theirs/files/secret', { headers: bad })).status).toBe(401)
  })

  it('is not made of a session id of another workspace or another client', async () => {
    const other = (await runFlow({ allow: true, workspace: 'theirs' })).tokens.access_token
    const initialize = {
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'other', version: '1' },
      },
    }
    const post = (message: object, headers: Record<string, string>) =>
      ask('/mcp', {
        method: 'POST',
        headers: { 'content-type': MCP['content-type'], accept: MCP.accept, ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      })
    const begun = await post(initialize, bearer(other))
    await begun.text()
    const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
    const list = { method: 'tools/list' }
    const second = (await runFlow({ allow: true, workspace: 'theirs' })).tokens.access_token
    for (const thief of [token, second]) {
      expect((await post(list, { ...bearer(thief), ...session })).status).toBe(404)
      for (const method of ['GET', 'DELETE']) {
        const taken = await ask('/mcp', { method, headers: { ...bearer(thief), ...session } })
        expect(taken.status).toBe(404)
      }
    }
    const still = await post(list, { ...bearer(other), ...session })
    expect(await still.text()).toContain('read_file')
  })

  it('a token beside a session link is ignored', async () => {
    const wish = { label: 'x', scopes: ['read:file:/docs'], ttl_seconds: 600 }
    const made = await asOwner('/w/theirs/sessions', { method: 'POST', body: JSON.stringify(wish) })
    const { url }: { url: string } = await made.json()
    const wide = (await runFlow({ allow: true, workspace: 'theirs' })).tokens.access_token
    const read = { path: '/secret' }
    for (const headers of [{}, bearer(wide), { cookie: owner.cookie, 'x-edgewise-console': '1' }]) {
      const answer = await call('read_file', read, headers, new URL(url).pathname)
      const text = await answer.text()
      expect(text).toContain('INSUFFICIENT_SCOPE')
      expect(text).not.toContain('KEEP-THIS')
    }
  })

  it('the file is unchanged after all attempts', async () => {
    expect(await (await asOwner('/w/theirs/files/secret')).text()).toBe('KEEP-THIS')
  })
})

describe('replay of OAuth codes and tokens', () => {
  it('a code is valid once, and a second use revokes its tokens', async () => {
    const { client, code, verifier, tokens } = await runFlow()
    expect(await works(tokens.access_token)).toBe(true)
    expect((await exchange(client, code, verifier)).status).toBe(400)
    expect(await works(tokens.access_token)).toBe(false)
  })

  it('a code is valid only for its client, its verifier and its redirect URI', async () => {
    const [client, other] = [await register(), await register('Other')]
    const { code, verifier } = await codeFor(client)
    const guess = randomBytes(32).toString('base64url')
    expect((await exchange(other, code, verifier)).status).toBe(400)
    expect((await exchange(client, code, guess)).status).toBe(400)
    expect((await exchange(client, code, '')).status).toBe(400)
    const elsewhere = REDIRECT.replace('9', '10')
    expect((await exchange(client, code, verifier, elsewhere)).status).toBe(400)
  })

  it('a refresh token is invalid once its successor was used, and ends the grant', async () => {
    const { client, tokens } = await runFlow()
    const second = await tokensIn(await refresh(client, tokens.refresh_token))
    // Until its successor is used, the one before may have been lost on the way.
    const third = await tokensIn(await refresh(client, second.refresh_token))
    expect(await works(third.access_token)).toBe(true)
    expect((await refresh(client, tokens.refresh_token)).status).toBe(400)
    expect(await works(third.access_token)).toBe(false)
  })

  it('a refresh token is valid only for its client, and is no access token', async () => {
    const { client, tokens } = await runFlow()
    expect((await refresh(await register('Thief'), tokens.refresh_token)).status).toBe(400)
    expect((await refresh(client, tokens.access_token)).status).toBe(400)
    expect(await works(tokens.refresh_token)).toBe(false)
  })

  it('a consent is decided once, in the browser that was asked', async () => {
    const { authorize } = authorizationOf(await register())
    const [person, elsewhere] = [new Person(), new Person()]
    for (const one of [person, elsewhere]) await one.signIn(server.url)
    const page = await person.openConsent(authorize)
    const to = new URL('/authorize', server.url)
    const yes = formOf(page, 'allow')
    expect((await elsewhere.submit(to, yes)).status).toBe(400)
    const answered = await person.submit(to, yes)
    expect(new URL(answered.headers.get('location') ?? '').searchParams.has('code')).toBe(true)
    expect((await person.submit(to, yes)).status).toBe(400)
  })
})

describe('replay of a cookie', () => {
  const cookieFor = (value: string) => ({ headers: { cookie: `edgewise=${value}` } })
  const valueOf = () => owner.cookies.get('edgewise') ?? ''

  it('with another time, without a signature, or with half of it is refused', async () => {
    expect((await ask('/status', cookieFor(valueOf()))).status).toBe(200)
    const [until = '', signed = ''] = valueOf().split('.')
    for (const value of [
      `${Number(until) + 1}.${signed}`,
      `${until}`,
      `${until}.`,
      `.${signed}`,
      `${until}.${signed.slice(0, -2)}`,
      `${until}.${signed.toLowerCase()}`,
      `0${until}.${signed}`,
      `1e15.${signed}`,
      `Infinity.${signed}`,
    ])
      expect((await ask('/status', cookieFor(value))).status, value).toBe(401)
  })

  it('under another name is refused', async () => {
    for (const name of ['__Host-edgewise', 'Edgewise', 'edgewise2', ' edgewise\t'])
      expect((await ask('/status', { headers: { cookie: `${name}=${valueOf()}` } })).status).toBe(
        401,
      )
  })

  it('as a token, a link or a session is refused', async () => {
    expect((await ask('/status', { headers: bearer(valueOf()) })).status).toBe(401)
    expect((await ask(`/s/default.${valueOf()}/mcp`, { method: 'POST' })).ok).toBe(false)
  })
})

it('no secret of the owner is in any response without authentication', async () => {
  for (const path of ['/', '/status', '/signin', '/authorize', '/nowhere', '/s/x/mcp']) {
    const answer = await ask(path)
    const text = JSON.stringify([...answer.headers]) + (await answer.text())
    expect(text).not.toContain(SECRET)
    for (const value of owner.cookies.values()) expect(text).not.toContain(value)
  }
})
