/** Cloudflare Access: the address of a verified token is recorded with what its owner does, and no other address is. */

import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { recordOf } from '#core/json.ts'
import front from '#worker/index.ts'
import { MAX_EMAIL_LENGTH } from '#worker/auth/limits.ts'
import { parseEmail } from '#worker/auth/owner.ts'
import { EMAIL_HEADER, PRINCIPAL_HEADER } from '#worker/sessions/identity.ts'
import { ENVELOPE, MODERN } from '../../support/worker/client.ts'

const [ISSUER, AUDIENCE, ORIGIN] = ['team.example', 'aud-1', 'https://edgewise.example']

const FROM_PAGE = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }

const keys = await generateKeyPair('RS256', { extractable: true })
const others = await generateKeyPair('RS256')

/** Signs a token as Cloudflare Access does. */
const sign = (claims: Record<string, unknown>, key = keys.privateKey) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: 'k' })
    .setIssuer(`https://${ISSUER}`)
    .setAudience(AUDIENCE)
    .setExpirationTime('1m')
    .sign(key)

beforeEach(async () => {
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'RS256' }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ keys: [jwk] })))
})
afterEach(() => vi.unstubAllGlobals())

/** The front of a deployment behind Access, for one workspace. */
function deployment(variables: Record<string, string> = {}) {
  const base = `/w/w-${crypto.randomUUID()}`
  const bound = {
    ...{ ...env, EDGEWISE_OWNER_SECRET: '', EDGEWISE_HOSTS: 'edgewise.example' },
    ...{ EDGEWISE_ACCESS: `${ISSUER} ${AUDIENCE}`, ...variables },
  }
  const send = (path: string, token: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('cf-ray', '8f5a3c2d1e0b4a69-AMS')
    headers.set('x-edgewise-console', '1')
    headers.set('cf-access-jwt-assertion', token)
    const request = new Request(`${ORIGIN}${base}${path}`, { ...init, headers })
    return front.fetch(request, bound, createExecutionContext())
  }
  /** Makes a link, an act of the owner, and returns who made it according to the audit log. */
  const actorOfLink = async (token: string, headers: Record<string, string> = {}) => {
    const made = await post(token, '/sessions', { label: 'Link' }, headers)
    expect(made.status).toBe(201)
    await made.body?.cancel()
    return (await entriesOf(token)).find(({ tool }) => tool === 'make_link')?.['actor']
  }
  /** Sends what a page of this origin would. */
  const post = (token: string, path: string, body: unknown, headers = {}) =>
    send(path, token, {
      method: 'POST',
      headers: { ...FROM_PAGE, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const call = async (token: string, name: string, args: unknown) => {
    const params = { name, arguments: args, _meta: ENVELOPE }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const answer = await post(token, '/mcp', body, {
      accept: 'application/json, text/event-stream',
      ...{ 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': name },
    })
    return answer.text()
  }
  const entriesOf = async (token: string) => {
    const { entries } = recordOf(await (await send('/audit', token)).json())
    return Array.isArray(entries) ? entries.map(recordOf) : []
  }
  return { send, post, call, actorOfLink, entriesOf }
}

const OWNER = { principal: 'owner', session: null, label: null }

it('is recorded with an act of the owner', async () => {
  const { actorOfLink } = deployment()
  const token = await sign({ email: 'ada@example.com' })
  expect(await actorOfLink(token)).toEqual({ ...OWNER, email: 'ada@example.com' })
})

it('is recorded with a call of the owner’s own page, and found by it', async () => {
  const { call, send, entriesOf } = deployment()
  const token = await sign({ email: 'ada@example.com' })
  expect(await call(token, 'write_file', { path: '/a', content: 'a' })).toContain('"applied":true')
  const found = await send('/audit?actor=ada%40example.com', token)
  expect(recordOf(await found.json())['entries']).toHaveLength(1)
  expect(recordOf((await entriesOf(token))[0]?.['actor'])['email']).toBe('ada@example.com')
})

it('is recorded with a decision on a draft and its changes, and agents cannot read it', async () => {
  const { call, post, send, entriesOf } = deployment()
  const token = await sign({ email: 'ada@example.com' })
  const rules = await send('/config', token, {
    ...{ method: 'PUT', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ approval: 'review' }),
  })
  expect(rules.status).toBe(200)
  const decide = async (what: string) => {
    await call(token, 'write_file', { path: '/a', content: what })
    const { drafts } = recordOf(await (await send('/drafts', token)).json())
    const id = String(recordOf(Array.isArray(drafts) ? drafts[0] : null)['id'])
    const { revision } = recordOf(await (await send(`/drafts/${id}`, token)).json())
    expect((await post(token, `/drafts/${id}/${what}`, { revision })).status).toBe(200)
  }
  await decide('approve')
  await decide('turn-down')
  const entries = await entriesOf(token)
  for (const name of ['approve_draft', 'turn_down_draft', 'configure']) {
    const entry = entries.find(({ tool }) => tool === name)
    expect(recordOf(entry?.['actor'])['email'], name).toBe('ada@example.com')
  }
  const applied = entries.find(
    ({ tool, outcome }) => tool === 'write_file' && outcome === 'applied',
  )
  expect(applied?.['decision']).toContainEqual(
    expect.objectContaining({ kind: 'approval', by: 'ada@example.com' }),
  )
  for (const tool of ['list_changes', 'draft_status'])
    expect(await call(token, tool, {})).not.toContain('ada@example.com')
})

it('is never taken from a header that came from outside', async () => {
  const token = await sign({ email: 'ada@example.com' })
  const forged = { [EMAIL_HEADER]: 'eve%40example.com', [PRINCIPAL_HEADER]: 'eve' }
  expect(await deployment().actorOfLink(token, forged)).toEqual({
    ...OWNER,
    email: 'ada@example.com',
  })
  const without = await sign({ sub: 'service' })
  expect(await deployment().actorOfLink(without, forged)).toEqual(OWNER)
})

it.each<[string, () => Promise<string>]>([
  ['of another key', () => sign({ email: 'eve@example.com' }, others.privateKey)],
  ['without a signature', () => Promise.resolve('e30.eyJlbWFpbCI6ImVAZS5lIn0.')],
])('a token %s proves nothing', async (_, make) => {
  const answer = await deployment().send('/audit', await make())
  expect(answer.status).toBe(401)
  await answer.body?.cancel()
})

const longest = `${'a'.repeat(MAX_EMAIL_LENGTH - 12)}@example.com`

it.each<[unknown, string | null]>([
  ['ada@example.com', 'ada@example.com'],
  ['pelé@exämple.com', 'pelé@exämple.com'],
  [longest, longest],
  [`a${longest}`, null],
  ['ada', null],
  ['ada@example.com\r\nedgewise-principal: eve', null],
  ['ada\u202e@example.com', null],
  ['ada\u200b@example.com', null],
  ['"You" <ada@example.com>', null],
  [['ada@example.com'], null],
  [undefined, null],
])('reads the address %j', (claim, email) => expect(parseEmail(claim)).toBe(email))

it('passes every address through the header', async () => {
  const token = await sign({ email: 'pelé@exämple.com' })
  const actor = await deployment().actorOfLink(token)
  expect(actor).toEqual({ ...OWNER, email: 'pelé@exämple.com' })
})
