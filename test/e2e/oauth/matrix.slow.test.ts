/**
 * Every insufficient token, at every tool of both eras and at every route: the codes are exact, the
 * response reveals no contents, and nothing is changed.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { factsOf } from '../../../scripts/tool-facts.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { Person, type Choice } from '../../support/e2e/person.ts'
import { askToken, authorizeClient, renew, tokensOf } from '../../support/e2e/oauth-client.ts'
import {
  ask,
  bearer,
  callTool,
  ERAS,
  openSession,
  readRaw,
  type RawResponse,
} from '../../support/e2e/mcp-request.ts'
import { useTokenServer } from '../../support/e2e/oauth-server.ts'
import { OWNER_ROUTES } from '../../support/e2e/owner-routes.ts'

const server = useTokenServer()
const owner = new Person()

/** Texts that no unauthorized caller may receive: in names, in contents, in another workspace. */
const CANARIES = ['canary-name', 'CANARY-CONTENT', 'canary-elsewhere', 'CANARY-OTHER']

const FILES: [string, string][] = [
  ['/files/docs/canary-name.txt', 'x\n'],
  // Of the second version, which an example undoes.
  ['/files/docs/plan.md', 'CANARY-CONTENT\n'],
  ['/files/elsewhere/seen.txt', 'seen\n'],
  ['/w/other/files/canary-elsewhere.txt', 'CANARY-OTHER\n'],
]

const tokens = new Map<string, string | undefined>()
const sessions = new Map<string, string>()
const responses: RawResponse[] = []
/** A call of each tool, and the scopes that a caller without any is asked for. */
const uses = [...TOOLS.keys()].map((name) => {
  const { example: args, scopes: needs } = factsOf(name)
  return { name, args, needs }
})
let before: string[] = []

async function ownerFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { 'x-edgewise-console': '1' }
  return owner.visit(server.url + path, { ...init, headers })
}

/** All that is stored. An archive has the same bytes for the same files. */
const everything = () =>
  Promise.all(['/export', '/w/other/export'].map(async (path) => (await ownerFetch(path)).text()))

const Sessions = z.object({ sessions: z.array(z.object({ id: z.string(), label: z.string() })) })

const EVERYTHING: Choice = { allow: true }

beforeAll(async () => {
  await owner.signIn(server.url)
  for (const [path, body] of FILES)
    expect((await ownerFetch(path, { method: 'PUT', body })).status).toBe(201)
  const grant = (choice: Choice = EVERYTHING) => authorizeClient(server.url, owner, choice)

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
  tokens.set('of another origin', (await authorizeClient(server.otherUrl, elsewhere)).access_token)
  tokens.set('for another resource', await forAnother((await grant()).access_token))

  const revoked = await grant()
  const { client_id } = revoked
  await askToken(server.url, { client_id, token: revoked.refresh_token })
  tokens.set('revoked', revoked.access_token)

  tokens.set('of an ended session', await ended())
  tokens.set('to read alone', (await grant({ allow: true, actions: ['read'] })).access_token)
  tokens.set('to write alone', (await grant({ allow: true, actions: ['write'] })).access_token)
  const wide = await grant()
  const reduced = await renew(server.url, wide.client_id, wide.refresh_token, { scope: 'read' })
  tokens.set('reduced to read', (await tokensOf(reduced)).access_token)
  tokens.set(
    'for another folder',
    (await grant({ allow: true, folder: '/elsewhere' })).access_token,
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

/** Expires a token by its row, because rows are deleted some time later. */
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
  const { access_token } = await authorizeClient(server.url, owner)
  const list = Sessions.parse(await (await ownerFetch('/sessions')).json())
  // The newest comes first.
  const id = list.sessions.find(({ label }) => label === 'Raw')?.id
  expect((await ownerFetch(`/sessions/${id}`, { method: 'DELETE' })).status).toBe(204)
  return access_token
}

/** Tokens without any access. */
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
const NARROW = ['to read alone', 'to write alone', 'reduced to read', 'for another folder']

const PATHS = ['/mcp', '/w/default/mcp']

const crossed = BAD.flatMap((kind) => ERAS.map((era) => ({ kind, era })))

function refusalOf(kind: string, path: string) {
  const metadata = `resource_metadata="${server.url}/.well-known/oauth-protected-resource${path}"`
  const error = (code: number) => ({
    jsonrpc: '2.0',
    id: null,
    error: { code, message: expect.any(String) },
  })
  if (kind === 'absent')
    return {
      challenge: `Bearer ${metadata}, scope="read write"`,
      body: error(-32001),
    }
  if (kind === 'of an ended session')
    return {
      challenge: expect.stringContaining('Bearer error="invalid_token", resource_metadata='),
      body: error(-32000),
    }
  return {
    challenge: `Bearer error="invalid_token", ${metadata}, scope="read write"`,
    body: error(-32001),
  }
}

/** Requests that are refused do not depend on each other. */
const sideBySide = <T>(all: readonly T[], check: (one: T) => Promise<void>) =>
  Promise.all(all.map(check))

const forEachUse = (check: (name: string, use: (typeof uses)[number]) => Promise<void>) =>
  sideBySide(uses, (use) => check(use.name, use))

function record(response: RawResponse): RawResponse {
  responses.push(response)
  return response
}

describe('a tool, asked', () => {
  it('is covered by this test', async () => {
    const response = await ask(`${server.url}/mcp`, bearer(tokens.get('good')), 'tools/list', {})
    const { result } = JSON.parse(response.text) as { result: { tools: { name: string }[] } }
    expect(result.tools.map(({ name }) => name).sort()).toEqual([...TOOLS.keys()].sort())
  })

  it.each(crossed)('in the $era era with a token that is $kind, is unauthorized', async (one) => {
    const { kind, era } = one
    // A session of another client does not improve a token.
    const session = era === 'older' ? sessions.get('good') : undefined
    for (const path of PATHS) {
      const { challenge, body } = refusalOf(kind, path)
      await forEachUse(async (name, { args }) => {
        const who = bearer(tokens.get(kind))
        const response = record(await callTool(server.url + path, who, name, args, session))
        expect(response.status, name).toBe(401)
        expect(response.challenge, name).toEqual(challenge)
        expect(JSON.parse(response.text), name).toEqual(body)
      })
    }
  })

  it.each(NARROW.flatMap((kind) => ERAS.map((era) => ({ kind, era }))))(
    'in the $era era with a token that is $kind, names all missing scopes and nothing else',
    async ({ kind, era }) => {
      const session = era === 'older' ? sessions.get(kind) : undefined
      await forEachUse(async (name, { args, needs }) => {
        const who = bearer(tokens.get(kind))
        const missing = needs.filter((need) => lacks(kind, need))
        if (needs.length > 0 && missing.length === 0) return
        const response = record(await callTool(`${server.url}/mcp`, who, name, args, session))
        if (missing.length > 0) expectChallenge(response, missing)
        else expect(response.status, name).toBe(200)
        if (name === 'undo_change') expect(response.text).toContain('"isError":true')
      })
    },
  )

  it.each(ERAS)('in the %s era with a token of another workspace, is forbidden', async (era) => {
    const session = era === 'older' ? sessions.get('good') : undefined
    await forEachUse(async (name, { args }) => {
      const who = bearer(tokens.get('of another workspace'))
      const response = record(
        await callTool(`${server.url}/w/default/mcp`, who, name, args, session),
      )
      expect(response.status, name).toBe(403)
      expect(JSON.parse(response.text)).toEqual({
        code: 'FORBIDDEN',
        message: expect.stringContaining(' other'),
      })
    })
  })

  it('delegates no more than the token permits', async () => {
    const who = bearer(tokens.get('for another folder'))
    const hand = (args: object) =>
      callTool(`${server.url}/mcp`, who, 'delegate', { label: 'helper', ...args })
    const wider = record(await hand({ scopes: ['read', 'write'] }))
    expect(wider.text).toContain('INVALID_SCOPES')
    const made = await hand({})
    const link = /http[^"\\]+\/s\/[^"\\]+\/mcp/.exec(made.text)?.[0] ?? made.text
    expect(link).toContain('/s/')
    await forEachUse(async (name, { args: used, needs }) => {
      if (needs.length === 0) return
      const { status, text } = record(await callTool(link, {}, name, used))
      expect(status, name).toBe(200)
      expect(text, name).toContain('"code":"INSUFFICIENT_SCOPE"')
    })
  })

  it.each(ERAS)('in the %s era, is not listed to a client that can never call it', async (era) => {
    const kind = 'to read alone'
    const session = era === 'older' ? sessions.get(kind) : undefined
    const who = bearer(tokens.get(kind))
    const response = record(await ask(`${server.url}/mcp`, who, 'tools/list', {}, session))
    expect(response.text).toContain('"read_file"')
    expect(response.text).not.toMatch(/"(?:write_file|delete_file|create_folder)"/)
  })
})

/** Whether a token of a kind lacks a scope. */
function lacks(kind: string, need: string): boolean {
  if (kind === 'for another folder') return true
  return need.startsWith(kind === 'to write alone' ? 'read' : 'write')
}

function expectChallenge(
  { status, challenge, text }: RawResponse,
  missing: readonly string[],
): void {
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
      message: expect.stringContaining(missing.join(', ')),
    },
  })
}

it('a refusal is the same, whether the file exists or not', async () => {
  const who = bearer(tokens.get('for another folder'))
  const read = (path: string) => callTool(`${server.url}/mcp`, who, 'read_file', { path })
  const [there, missing] = await Promise.all([read('/docs/plan.md'), read('/docs/z.txt')])
  expect(there.text).toBe(missing.text)
  expect(there.challenge).toBe(missing.challenge)
})

describe('a route', () => {
  const ROUTES: [string, string][] = [
    ['GET', '/mcp'],
    ['DELETE', '/mcp'],
    ['GET', '/files/docs/plan.md'],
    ['HEAD', '/files/docs/plan.md'],
    ['PUT', '/files/docs/plan.md'],
    ['DELETE', '/files/docs/plan.md'],
    ['GET', '/files/docs'],
    ['POST', '/import'],
    ['PUT', '/config'],
    ['POST', '/passkeys/begin'],
    ['POST', '/sessions'],
    ['DELETE', '/sessions/x'],
    ['DELETE', '/sessions/x/allowed'],
    ['DELETE', '/requests/x'],
    ['POST', '/audit'],
    ['GET', '/'],
    ['GET', '/nowhere'],
    ['GET', '/w/other/files/canary-elsewhere.txt'],
    ['POST', '/w/other/mcp'],
    ['POST', '/attempt'],
    ['POST', '/grant'],
    ['GET', '/stream'],
    ['POST', '/authorize'],
    ...OWNER_ROUTES.map((route): [string, string] => ['GET', route]),
  ]

  const send = async (kind: string, method: string, path: string): Promise<RawResponse> => {
    const headers = { ...bearer(tokens.get(kind)), 'x-edgewise-console': '1' }
    const body = method === 'GET' || method === 'HEAD' ? null : '{}'
    const init: RequestInit = { method, headers, body, redirect: 'manual' }
    return record(await readRaw(await fetch(server.url + path, init)))
  }

  it.each(BAD.filter((kind) => kind !== 'of an ended session'))(
    'is closed to a token that is %s',
    async (kind) => {
      await sideBySide(ROUTES, async ([method, path]) => {
        const { status, challenge, text } = await send(kind, method, path)
        expect(status, `${method} ${path}`).toBe(401)
        expect(challenge, `${method} ${path}`).toMatch(/^Bearer .*resource_metadata="[^"]+"/)
        if (method !== 'HEAD') expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: null })
      })
    },
  )

  it.each(['good', 'of an ended session', 'of another workspace', ...NARROW])(
    'outside MCP is closed to a token that is %s',
    async (kind) => {
      const closed = ROUTES.filter(([, one]) => one !== '/mcp')
      await sideBySide(closed, async ([method, path]) => {
        if (kind === 'of another workspace' && path === '/w/other/mcp') return
        const { status, text } = await send(kind, method, path)
        expect(status, `${method} ${path}`).toBe(403)
        if (method !== 'HEAD') expect(JSON.parse(text)).toMatchObject({ code: 'FORBIDDEN' })
      })
    },
  )
})

afterAll(async () => {
  expect(responses.length).toBeGreaterThan(1_000)
  for (const { text, headers } of responses) {
    const all = text + JSON.stringify([...headers])
    for (const canary of CANARIES) expect(all).not.toContain(canary)
    expect(all).not.toMatch(/\bat \w+ \(|node_modules|workerd/)
  }
  expect(await everything()).toEqual(before)
})
