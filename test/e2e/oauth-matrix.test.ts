/**
 * Every token that is not good enough, at every tool of both eras and at every route: the codes are
 * exact, nothing is told of what is there, and nothing is changed.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Person, type Choice } from './person.ts'
import { askToken, letIn, renew, tokensOf } from './token-client.ts'
import { ask, bearer, callTool, ERAS, openSession, saidBy, type Said } from './token-mcp.ts'
import { useTokenServer } from './token-server.ts'
import { usesOf, type Use } from './token-tools.ts'

const server = useTokenServer()
const owner = new Person()

/** What nobody may hear of who may not see it: in names, in contents, in another workspace. */
const CANARIES = ['canary-name', 'CANARY-CONTENT', 'canary-elsewhere', 'CANARY-OTHER']

const FILES: [string, string][] = [
  ['/files/docs/a.txt', 'CANARY-CONTENT\n'],
  ['/files/docs/canary-name.txt', 'x\n'],
  ['/files/elsewhere/seen.txt', 'seen\n'],
  ['/w/other/files/canary-elsewhere.txt', 'CANARY-OTHER\n'],
]

const tokens = new Map<string, string | undefined>()
const sessions = new Map<string, string>()
const heard: Said[] = []
const uses: Readonly<Record<string, Use>> = usesOf(crypto.randomUUID())
let before: string[] = []

async function ownerFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { 'x-edgewise-console': '1' }
  return owner.visit(server.url + path, { ...init, headers })
}

/** All that is stored. An archive begins anew each time, with the same bytes for the same files. */
const everything = () =>
  Promise.all(['/export', '/w/other/export'].map(async (path) => (await ownerFetch(path)).text()))

const Sessions = z.object({ sessions: z.array(z.object({ id: z.string(), label: z.string() })) })

const EVERYTHING: Choice = { allow: true }

beforeAll(async () => {
  await owner.signIn(server.url)
  for (const [path, body] of FILES)
    expect((await ownerFetch(path, { method: 'PUT', body })).status).toBe(201)
  const grant = (choice: Choice = EVERYTHING) => letIn(server.url, owner, choice)

  tokens.set('absent', undefined)
  tokens.set('malformed', 'not-a-token')
  tokens.set('made up', `owner:${'a'.repeat(16)}:${'b'.repeat(32)}`)
  const good = await grant()
  tokens.set('good', good.access_token)
  tokens.set('with another secret', `${good.access_token.slice(0, -32)}${'c'.repeat(32)}`)
  tokens.set('a refresh token', good.refresh_token)

  tokens.set('expired', await expired((await grant()).access_token))
  tokens.set('expired and forgotten', await forgotten((await grant()).access_token))

  const elsewhere = new Person()
  tokens.set('of another origin', (await letIn(server.otherUrl, elsewhere)).access_token)
  tokens.set('for another resource', await forAnother((await grant()).access_token))

  const revoked = await grant()
  const { client_id } = revoked
  await askToken(server.url, { client_id, token: revoked.refresh_token })
  tokens.set('revoked', revoked.access_token)

  tokens.set('of an ended session', await ended())
  tokens.set('to read alone', (await grant({ allow: true, actions: ['read'] })).access_token)
  tokens.set('to write alone', (await grant({ allow: true, actions: ['write'] })).access_token)
  const wide = await grant()
  const narrowed = await renew(server.url, wide.client_id, wide.refresh_token, { scope: 'read' })
  tokens.set('narrowed to read', (await tokensOf(narrowed)).access_token)
  tokens.set(
    'for another folder',
    (await grant({ allow: true, folders: '/elsewhere' })).access_token,
  )
  tokens.set(
    'of another workspace',
    (await grant({ allow: true, workspace: 'other' })).access_token,
  )

  for (const kind of ['good', ...NARROW])
    sessions.set(kind, await openSession(`${server.url}/mcp`, tokens.get(kind) ?? ''))
  before = await everything()
})

/** The row of a token, and what it is stored under. */
async function rowOf(token: string) {
  const kept = await server.kept()
  const [user, grant] = token.split(':')
  const { keys } = await kept.list({ prefix: `token:${user}:${grant}:` })
  const name = keys[0]?.name ?? ''
  const row: Record<string, unknown> = JSON.parse((await kept.get(name)) ?? '')
  return { kept, name, row }
}

/** An hour passes for a token: its row says when it ends, and no row is gone on the second. */
async function expired(token: string): Promise<string> {
  const { kept, name, row } = await rowOf(token)
  const expiresAt = Number(row['expiresAt']) - 3_601
  await kept.put(name, JSON.stringify({ ...row, expiresAt }))
  return token
}

async function forgotten(token: string): Promise<string> {
  const { kept, name } = await rowOf(token)
  await kept.delete(name)
  return token
}

async function forAnother(token: string): Promise<string> {
  const { kept, name, row } = await rowOf(token)
  await kept.put(name, JSON.stringify({ ...row, audience: 'https://other.example' }))
  return token
}

async function ended(): Promise<string> {
  const { access_token } = await letIn(server.url, owner)
  const list = Sessions.parse(await (await ownerFetch('/sessions')).json())
  // The newest comes first.
  const id = list.sessions.find(({ label }) => label === 'Raw')?.id
  expect((await ownerFetch(`/sessions/${id}`, { method: 'DELETE' })).status).toBe(204)
  return access_token
}

/** Tokens that open nothing. */
const BAD = [
  'absent',
  'malformed',
  'made up',
  'with another secret',
  'a refresh token',
  'expired',
  'expired and forgotten',
  'of another origin',
  'for another resource',
  'revoked',
  'of an ended session',
]

/** Tokens that are good, and not for this. */
const NARROW = ['to read alone', 'to write alone', 'narrowed to read', 'for another folder']

const PATHS = ['/mcp', '/w/default/mcp']

const crossed = BAD.flatMap((kind) => ERAS.map((era) => ({ kind, era })))

function refusalOf(kind: string, path: string) {
  const metadata = `resource_metadata="${server.url}/.well-known/oauth-protected-resource${path}"`
  const error = (code: number, message: string) => ({
    jsonrpc: '2.0',
    id: null,
    error: { code, message },
  })
  if (kind === 'absent')
    return {
      challenge: `Bearer ${metadata}, scope="read write"`,
      body: error(-32001, 'Sign in first'),
    }
  if (kind === 'of an ended session')
    return {
      challenge: expect.stringContaining('Bearer error="invalid_token", resource_metadata='),
      body: error(-32000, 'This link is over, or never was'),
    }
  return {
    challenge: `Bearer error="invalid_token", ${metadata}, scope="read write"`,
    body: error(-32001, 'This token is not, or no longer, good here'),
  }
}

function listen(said: Said): Said {
  heard.push(said)
  return said
}

describe('a tool, asked', () => {
  it('is among those that are tried here', async () => {
    const said = await ask(`${server.url}/mcp`, bearer(tokens.get('good')), 'tools/list', {})
    const { result } = JSON.parse(said.text) as { result: { tools: { name: string }[] } }
    expect(result.tools.map(({ name }) => name).sort()).toEqual(Object.keys(uses).sort())
  })

  it.each(crossed)('in the $era era with a token that is $kind, is not there', async (one) => {
    const { kind, era } = one
    // Somebody else's session makes a token no better.
    const session = era === 'older' ? sessions.get('good') : undefined
    for (const path of PATHS) {
      const { challenge, body } = refusalOf(kind, path)
      for (const [name, { args }] of Object.entries(uses)) {
        const who = bearer(tokens.get(kind))
        const said = listen(await callTool(server.url + path, who, name, args, session))
        expect(said.status, name).toBe(401)
        expect(said.challenge, name).toEqual(challenge)
        expect(JSON.parse(said.text), name).toEqual(body)
      }
    }
  })

  it.each(NARROW.flatMap((kind) => ERAS.map((era) => ({ kind, era }))))(
    'in the $era era with a token that is $kind, says all that is missing and nothing else',
    async ({ kind, era }) => {
      const session = era === 'older' ? sessions.get(kind) : undefined
      for (const [name, { args, needs }] of Object.entries(uses)) {
        const who = bearer(tokens.get(kind))
        const asked = () => callTool(`${server.url}/mcp`, who, name, args, session)
        const missing = needs.filter((need) => lacks(kind, need))
        if (needs.length > 0 && missing.length === 0) continue
        const said = listen(await asked())
        if (missing.length > 0) expectChallenge(said, missing)
        else expect(said.status, name).toBe(200)
        if (name === 'undo_change') expect(said.text).toContain('"isError":true')
      }
    },
  )

  it.each(ERAS)('in the %s era with a token of another workspace, is elsewhere', async (era) => {
    const session = era === 'older' ? sessions.get('good') : undefined
    for (const [name, { args }] of Object.entries(uses)) {
      const who = bearer(tokens.get('of another workspace'))
      const said = listen(await callTool(`${server.url}/w/default/mcp`, who, name, args, session))
      expect(said.status, name).toBe(403)
      expect(JSON.parse(said.text)).toEqual({
        code: 'FORBIDDEN',
        message: 'This token is good for MCP of the workspace other, at /mcp',
      })
    }
  })

  it('that hands on hands on no more than the token has', async () => {
    const who = bearer(tokens.get('for another folder'))
    const hand = (args: object) =>
      callTool(`${server.url}/mcp`, who, 'delegate', { label: 'helper', ...args })
    const wider = listen(await hand({ scopes: ['read', 'write'] }))
    expect(wider.text).toContain('INVALID_SCOPES')
    const made = await hand({})
    const link = /http[^"\\]+\/s\/[^"\\]+\/mcp/.exec(made.text)?.[0] ?? made.text
    expect(link).toContain('/s/')
    for (const [name, { args: used, needs }] of Object.entries(uses)) {
      if (needs.length === 0) continue
      const { status, text } = listen(await callTool(link, {}, name, used))
      expect(status, name).toBe(200)
      expect(text, name).toContain('"code":"INSUFFICIENT_SCOPE"')
    }
  })

  it.each(ERAS)('in the %s era, is not even listed to who can never call it', async (era) => {
    const kind = 'to read alone'
    const session = era === 'older' ? sessions.get(kind) : undefined
    const who = bearer(tokens.get(kind))
    const said = listen(await ask(`${server.url}/mcp`, who, 'tools/list', {}, session))
    expect(said.text).toContain('"read_file"')
    expect(said.text).not.toMatch(/"(?:write_file|delete_file|create_folder)"/)
  })
})

/** Whether a token of a kind lacks a scope. */
function lacks(kind: string, need: string): boolean {
  if (kind === 'for another folder') return true
  return need.startsWith(kind === 'to write alone' ? 'read' : 'write')
}

function expectChallenge({ status, challenge, text }: Said, missing: readonly string[]): void {
  expect(status, text).toBe(403)
  const [, scope, metadata] =
    /^Bearer error="insufficient_scope", scope="([^"]*)", resource_metadata="([^"]*)"$/.exec(
      challenge ?? '',
    ) ?? []
  expect(scope?.split(' ')).toEqual(missing)
  expect(metadata).toContain(`${server.url}/.well-known/oauth-protected-resource`)
  expect(JSON.parse(text)).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: {
      code: -32000,
      message: `Insufficient scope. Required: ${missing.join(', ')}`,
    },
  })
}

it('what is refused is refused alike, whether it is there or not', async () => {
  const who = bearer(tokens.get('for another folder'))
  const read = (path: string) => callTool(`${server.url}/mcp`, who, 'read_file', { path })
  const [there, missing] = await Promise.all([read('/docs/a.txt'), read('/docs/z.txt')])
  expect(there.text).toBe(missing.text)
  expect(there.challenge).toBe(missing.challenge)
})

describe('a route', () => {
  const ROUTES: [string, string][] = [
    ['GET', '/mcp'],
    ['DELETE', '/mcp'],
    ['GET', '/files/docs/a.txt'],
    ['HEAD', '/files/docs/a.txt'],
    ['PUT', '/files/docs/a.txt'],
    ['DELETE', '/files/docs/a.txt'],
    ['GET', '/files/docs'],
    ['POST', '/import'],
    ['GET', '/export'],
    ['GET', '/status'],
    ['GET', '/config'],
    ['PUT', '/config'],
    ['GET', '/sessions'],
    ['POST', '/sessions'],
    ['DELETE', '/sessions/x'],
    ['GET', '/audit'],
    ['GET', '/audit/check'],
    ['GET', '/'],
    ['GET', '/nowhere'],
    ['GET', '/w/other/files/canary-elsewhere.txt'],
    ['POST', '/w/other/mcp'],
    ['POST', '/attempt'],
    ['POST', '/grant'],
    ['GET', '/stream'],
    ['POST', '/authorize'],
  ]

  const send = async (kind: string, method: string, path: string): Promise<Said> => {
    const headers = { ...bearer(tokens.get(kind)), 'x-edgewise-console': '1' }
    const body = method === 'GET' || method === 'HEAD' ? null : '{}'
    const init: RequestInit = { method, headers, body, redirect: 'manual' }
    return listen(await saidBy(await fetch(server.url + path, init)))
  }

  it.each(BAD.filter((kind) => kind !== 'of an ended session'))(
    'is closed to a token that is %s',
    async (kind) => {
      for (const [method, path] of ROUTES) {
        const { status, challenge, text } = await send(kind, method, path)
        expect(status, `${method} ${path}`).toBe(401)
        expect(challenge, `${method} ${path}`).toMatch(/^Bearer .*resource_metadata="[^"]+"/)
        if (method !== 'HEAD') expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: null })
      }
    },
  )

  it.each(['good', 'of an ended session', 'of another workspace', ...NARROW])(
    'that is not MCP is closed to a token that is %s',
    async (kind) => {
      for (const [method, path] of ROUTES.filter(([, one]) => one !== '/mcp')) {
        if (kind === 'of another workspace' && path === '/w/other/mcp') continue
        const { status, text } = await send(kind, method, path)
        expect(status, `${method} ${path}`).toBe(403)
        if (method !== 'HEAD') expect(JSON.parse(text)).toMatchObject({ code: 'FORBIDDEN' })
      }
    },
  )
})

afterAll(async () => {
  expect(heard.length).toBeGreaterThan(1_000)
  for (const { text, headers } of heard) {
    const all = text + JSON.stringify([...headers])
    for (const canary of CANARIES) expect(all).not.toContain(canary)
    expect(all).not.toMatch(/\bat \w+ \(|node_modules|workerd/)
  }
  expect(await everything()).toEqual(before)
})
