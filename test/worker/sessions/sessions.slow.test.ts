/**
 * Session fixation and guessing: an id or a link is valid only for the client that it was created for,
 * and the response to a guess reveals nothing.
 */

import { toBase64 } from '#worker/encoding/base64.ts'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import {
  beginSession,
  everythingOf,
  initialize,
  linkOf,
  legacyMessage,
  type Workspace,
} from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { stubOf } from '../../support/worker/object-life.ts'

const LIST = { method: 'tools/list' }
const UNKNOWN = crypto.randomUUID() + crypto.randomUUID()

/** Requests that carry a session id. */
const DOORS: [string, (client: Workspace, id: string) => Promise<Response>][] = [
  ['POST', (client, id) => legacyMessage(client, LIST, id)],
  [
    'POST of a call',
    (client, id) => legacyMessage(client, { method: 'tools/call', params: CALL }, id),
  ],
  ['GET', (client, id) => client.fetch('/mcp', { headers: { 'mcp-session-id': id } })],
  [
    'DELETE',
    (client, id) => client.fetch('/mcp', { method: 'DELETE', headers: { 'mcp-session-id': id } }),
  ],
]

const CALL = { name: 'write_file', arguments: { path: '/taken', content: 'x' } }

describe('session fixation', () => {
  it('an id chosen by the client does not begin a session', async () => {
    const workspace = freshWorkspace()
    const wanted = await everythingOf(initialize(workspace, 'chosen-by-the-client'))
    expect(wanted.status).toBe(404)
    expect(wanted.headers).not.toHaveProperty('mcp-session-id')
    expect((await legacyMessage(workspace, LIST, 'chosen-by-the-client')).status).toBe(404)
    expect(await sessionsOf(workspace)).toEqual([])
  })

  it('an id of an ended session does not begin it again', async () => {
    const workspace = freshWorkspace()
    const id = await beginSession(workspace)
    await workspace.fetch('/mcp', { method: 'DELETE', headers: { 'mcp-session-id': id } })
    expect((await initialize(workspace, id)).status).toBe(404)
    expect((await legacyMessage(workspace, LIST, id)).status).toBe(404)
  })

  it('an id of a link is not an id of a session', async () => {
    const workspace = freshWorkspace()
    const { session, secret, client } = await linkOf(workspace)
    for (const id of [session, secret])
      for (const who of [workspace, client])
        expect((await legacyMessage(who, LIST, id)).status).toBe(404)
  })
})

const sessionsOf = async (workspace: Workspace): Promise<unknown[]> => {
  const { sessions } = await (await workspace.fetch('/sessions')).json<{ sessions: unknown[] }>()
  return sessions
}

describe.each(DOORS)('the session of another client is unknown: %s', (_, ask) => {
  it('across workspaces and links, in both directions', async () => {
    const workspace = freshWorkspace()
    const [one, other] = [await linkOf(workspace), await linkOf(workspace)]
    const child = await linkOf(one.client)
    const all = [workspace, freshWorkspace(), one.client, other.client, child.client]
    for (const owner of [workspace, one.client, child.client]) {
      const id = await beginSession(owner)
      for (const attacker of all.filter((who) => who !== owner))
        expect(await everythingOf(ask(attacker, id))).toEqual(
          await everythingOf(ask(attacker, UNKNOWN)),
        )
      const { status, body } = await everythingOf(legacyMessage(owner, LIST, id))
      expect(status).toBe(200)
      expect(body).toContain('read_file')
    }
    expect((await workspace.fetch('/files/taken')).status).toBe(404)
  })
})

describe('guessing', () => {
  const SAMPLES = 48

  /** The number of different characters at each position. */
  const varietyOf = (texts: readonly string[]) =>
    Array.from(texts[0] ?? '', (_, at) => new Set(texts.map((text) => text[at])).size)

  it('a link has 256 random bits: 43 characters, none of them constant', async () => {
    const workspace = freshWorkspace()
    const secrets: string[] = []
    for (let at = 0; at < SAMPLES; at++) secrets.push((await linkOf(workspace)).secret)
    expect(secrets.every((secret) => /^[A-Za-z0-9_-]{43}$/.test(secret))).toBe(true)
    expect(new Set(secrets).size).toBe(SAMPLES)
    // There are 64 characters, or 16 at the last position, so fewer in that many samples are very unlikely.
    expect(Math.min(...varietyOf(secrets))).toBeGreaterThan(6)
  })

  it('a session has 244 random bits: two UUIDs of the random kind', async () => {
    const workspace = freshWorkspace()
    const ids: string[] = []
    for (let at = 0; at < SAMPLES; at++) ids.push(await beginSession(workspace))
    const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
    expect(ids.every((id) => new RegExp(`^(${uuid}){2}$`).test(id))).toBe(true)
    const fixed = varietyOf(ids).filter((variety) => variety === 1)
    expect(fixed).toHaveLength(2 * (4 + 1))
  })

  it('a secret is stored as a hash and found by an index, so timing does not reveal a close guess', async () => {
    const workspace = freshWorkspace()
    const { secret, session } = await linkOf(workspace)
    await runInDurableObject(stubOf(workspace), async (_, { storage: { sql } }) => {
      const row = sql.exec('SELECT * FROM sessions WHERE id = ?', session).one()
      expect(JSON.stringify(row)).not.toContain(secret)
      const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
      expect(row['secret']).toEqual(hash)
      const query = 'EXPLAIN QUERY PLAN SELECT id FROM sessions WHERE secret = ?'
      const plan = sql.exec(query, new Uint8Array(32)).toArray()
      expect(JSON.stringify(plan)).toContain('SEARCH sessions USING INDEX sessions_by_secret')
    })
  })

  it('the console lists neither secret nor hash', async () => {
    const workspace = freshWorkspace()
    const { secret } = await linkOf(workspace)
    const bytes = new Uint8Array(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret)),
    )
    const listed = await (await workspace.fetch('/sessions')).text()
    expect(listed).toContain('"label":"helper"')
    for (const form of [secret, hexOf(bytes), toBase64(bytes).slice(0, 20), bytes.join(',')])
      expect(listed).not.toContain(form)
  })
})

const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

describe('guesses of a link', () => {
  const METHODS: [string, RequestInit][] = [
    ['GET', {}],
    ['GET with a session', { headers: { 'mcp-session-id': UNKNOWN } }],
    ['GET of a page', { headers: { accept: 'text/html' } }],
    ['POST', { method: 'POST', body: '{}' }],
    ['POST of invalid JSON', { method: 'POST', body: '{' }],
    ['DELETE', { method: 'DELETE' }],
    ['PUT', { method: 'PUT', body: 'x' }],
  ]

  it.each(METHODS)('get the same response for every kind of error: %s', async (_, init) => {
    const workspace = freshWorkspace()
    const expired = await linkOf(workspace)
    await runInDurableObject(
      stubOf(workspace),
      (_object, { storage: { sql } }) =>
        void sql.exec('UPDATE sessions SET expires = 1 WHERE id = ?', expired.session),
    )
    const revoked = await linkOf(workspace)
    const below = await linkOf(revoked.client)
    const ended = await workspace.fetch(`/sessions/${revoked.session}`, { method: 'DELETE' })
    expect(ended.status).toBe(204)
    const never = revoked.url.replace(revoked.secret, 'A'.repeat(43))
    const elsewhere = revoked.url.replace(/[^/]+\.[^/]+(?=\/mcp)/, `default.${revoked.secret}`)
    const ask = (url: string) => everythingOf(freshWorkspace(url).fetch('/mcp', init))
    const unknown = await ask(never)
    expect(unknown.status).toBe(401)
    for (const url of [expired.url, revoked.url, below.url, elsewhere])
      expect(await ask(url)).toEqual(unknown)
  })
})

it('an invented link creates no workspace', async () => {
  const workspace = freshWorkspace()
  const name = workspace.base.slice(workspace.base.lastIndexOf('/') + 1)
  const stranger = freshWorkspace(`http://localhost/s/${name}.${'A'.repeat(43)}/mcp`)
  const tables = () =>
    runInDurableObject(stubOf(workspace), (_, { storage: { sql } }) =>
      sql.exec('SELECT name FROM sqlite_master').toArray(),
    )
  const unused = await everythingOf(legacyMessage(stranger, LIST))
  expect(unused.status).toBe(401)
  expect(await tables()).toEqual([])

  await workspace.call('write_file', { path: '/a', content: 'x' })
  expect(await tables()).not.toEqual([])
  const used = await everythingOf(legacyMessage(stranger, LIST))
  expect(used).toEqual(unused)
})
