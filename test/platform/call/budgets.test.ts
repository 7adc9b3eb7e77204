/**
 * Budgets: a principal that exceeds its share of sessions, streams, subscriptions or previews loses its own oldest,
 * and no other principal loses anything. What is stored or echoed of one request has a maximum size.
 */

import {
  MAX_INITIALIZE_BYTES,
  MAX_NAME_LENGTH,
  MAX_PRINCIPAL_SUBSCRIPTIONS,
  MAX_SESSIONS,
  MAX_STORED_METADATA_BYTES,
  MAX_STREAMS,
  MAX_WORKSPACE_PREVIEWS,
  MAX_WORKSPACE_SESSIONS,
  MAX_WORKSPACE_STREAMS,
} from '#worker/limits.ts'
import { MAX_SESSION_LIST_LENGTH } from '#worker/sessions/limits.ts'
import { RARE_TABLES } from '#worker/database/rare-tables.ts'
import { createStreams } from '#worker/mcp/streams.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { modern, legacyEra } from '../../support/worker/access-client.ts'
import { linkOf, ownerLinkOf, type Workspace } from '../../support/worker/attack-link.ts'
import { freshWorkspace, MODERN } from '../../support/worker/client.ts'
import { codeOfReply, wholeOf } from '../../support/worker/result-codes.ts'
import { stubOf } from '../../support/worker/object-life.ts'
import { readEvents } from '../../support/worker/event-stream.ts'

const SCOPES = { scopes: ['read:file:/docs'] }
const isAlive = async (client: Workspace) => (await client.send('tools/list')).status === 200

/** Runs SQL in the object of a workspace. */
const sql = (workspace: Workspace, query: string, ...bindings: (string | number)[]) =>
  runInDurableObject(stubOf(workspace), (_, { storage }) =>
    storage.sql.exec(query, ...bindings).toArray(),
  )

/** Makes copies of a session, each idle for longer than the one before. */
const copySession = (workspace: Workspace, id: string, copies: number, budget = '') =>
  sql(
    workspace,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO sessions (id, parent, principal, label, config, policy, scopes, inherited, budget,
       initialize, created, expires, seen)
     SELECT id || '-' || i, parent, principal, label, config, policy, scopes, inherited,
       coalesce(nullif(?, ''), budget), initialize, created, expires, seen - 1000 * i FROM sessions, n WHERE id = ?`,
    copies,
    budget,
    id,
  )

describe('sessions', () => {
  it('of one link above its share end its own oldest, and no other session or link', async () => {
    const workspace = freshWorkspace()
    const [narrow, other] = [await ownerLinkOf(workspace, SCOPES), await ownerLinkOf(workspace)]
    const child = await linkOf(narrow.client, { label: 'child' })
    const sessions = [await legacyEra(workspace), await legacyEra(other.client)]
    const mine = await legacyEra(narrow.client)
    await copySession(workspace, mine.session, MAX_SESSIONS - 1)
    const countMine = async () =>
      (
        await sql(
          workspace,
          'SELECT id FROM sessions WHERE initialize IS NOT NULL AND parent = ?',
          narrow.session,
        )
      ).length
    expect(await countMine()).toBe(MAX_SESSIONS)
    const next = await legacyEra(narrow.client)
    expect(await countMine()).toBe(MAX_SESSIONS)
    const oldest = `${mine.session}-${MAX_SESSIONS - 1}`
    expect(await sql(workspace, 'SELECT 1 FROM sessions WHERE id = ?', oldest)).toEqual([])
    for (const client of [...sessions, mine, next])
      expect((await client.ask('ping', {})).status).toBe(200)
    for (const { client } of [narrow, other, child]) expect(await isAlive(client)).toBe(true)
  })

  it('delegated by one link end its own oldest', async () => {
    const workspace = freshWorkspace()
    const [narrow, other] = [await ownerLinkOf(workspace, SCOPES), await ownerLinkOf(workspace)]
    const child = await linkOf(narrow.client, { label: 'child' })
    await copySession(workspace, child.session, MAX_SESSIONS - 1)
    const next = await linkOf(narrow.client, { label: 'next' })
    const rows = await sql(workspace, 'SELECT id FROM sessions WHERE parent = ?', narrow.session)
    expect(rows).toHaveLength(MAX_SESSIONS)
    for (const { client } of [narrow, other, child, next]) expect(await isAlive(client)).toBe(true)
  })

  it('of a whole workspace end the oldest of the principal with the most', async () => {
    const workspace = freshWorkspace()
    const [large, other] = [await ownerLinkOf(workspace, SCOPES), await ownerLinkOf(workspace)]
    const held = await legacyEra(large.client)
    const count = async () => (await sql(workspace, 'SELECT id FROM sessions')).length
    await copySession(workspace, held.session, MAX_WORKSPACE_SESSIONS - (await count()) - 1)
    const edge = await linkOf(other.client, { label: 'edge' })
    expect(await count()).toBe(MAX_WORKSPACE_SESSIONS)
    const over = await linkOf(other.client, { label: 'over' })
    expect(await count()).toBe(MAX_WORKSPACE_SESSIONS)
    for (const { client } of [large, other, edge, over]) expect(await isAlive(client)).toBe(true)
  })
})

describe('the list of sessions', () => {
  interface SessionList {
    readonly sessions: readonly { readonly id: string }[]
    readonly left: number
  }

  const list = async ({ fetch }: Workspace) => (await fetch('/sessions')).json<SessionList>()

  it('begins with the links of the owner, however many clients have come since', async () => {
    const workspace = freshWorkspace()
    const link = await ownerLinkOf(workspace)
    const { session } = await legacyEra(workspace)
    await sql(workspace, 'UPDATE sessions SET created = created + 1 WHERE id = ?', session)
    await copySession(workspace, session, MAX_SESSIONS - 1)
    const { sessions, left } = await list(workspace)
    expect(sessions[0]).toMatchObject({ id: link.session, kind: 'link' })
    expect([sessions.length, left]).toEqual([MAX_SESSIONS, 1])
  })

  it('has sessions below each link, however many there are below another one', async () => {
    const workspace = freshWorkspace()
    const [quiet, busy] = [await ownerLinkOf(workspace), await ownerLinkOf(workspace)]
    const below = await linkOf(quiet.client)
    const { session } = await linkOf(busy.client)
    await sql(workspace, 'UPDATE sessions SET created = created + 1 WHERE id = ?', session)
    await copySession(workspace, session, MAX_SESSIONS - 1)
    const { sessions, left } = await list(workspace)
    expect([sessions.length, left]).toEqual([MAX_SESSIONS, 3])
    expect(sessions.map(({ id }) => id)).toContain(below.session)
  })

  it('has at most MAX_SESSION_LIST_LENGTH, without what clients sent, and the number of the others', async () => {
    const workspace = freshWorkspace()
    const narrow = await ownerLinkOf(workspace)
    const { session } = await legacyEra(narrow.client)
    const large = JSON.stringify('x'.repeat(MAX_INITIALIZE_BYTES - 2))
    const column = (name: string) =>
      sql(workspace, `UPDATE sessions SET ${name} = ? WHERE id = ?`, large, session)
    await column('initialize')
    await column('inherited')
    await copySession(workspace, session, 99)
    expect(await list(workspace)).toMatchObject({ sessions: { length: 101 }, left: 0 })
    await sql(workspace, `UPDATE sessions SET policy = ? WHERE parent IS NOT NULL`, large)
    const { sessions, left } = await list(workspace)
    expect(sessions.length + left).toBe(101)
    const length = JSON.stringify(sessions).length
    expect(length).toBeLessThanOrEqual(MAX_SESSION_LIST_LENGTH)
    expect(length).toBeGreaterThan(MAX_SESSION_LIST_LENGTH - 2 * MAX_INITIALIZE_BYTES)
  })
})

describe('streams', () => {
  it('of one link above its share close its own oldest, and the owner is served', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/docs/a', 'one')
    const { client, session } = await ownerLinkOf(workspace, SCOPES)
    const listen = (from: Workspace) => modern(from).listen(['file:///docs/a'])
    const first = readEvents(await listen(client))
    const owners = readEvents(await listen(workspace))
    await first.next()
    await owners.next()
    await runInDurableObject(stubOf(workspace), (_, state) => {
      const streams = createStreams(state)
      for (let more = 1; more < MAX_STREAMS; more++)
        streams.open(undefined, { session, token: null }, session)
    })
    const last = readEvents(await listen(client))
    expect(await first.ended()).toBe(true)
    const another = readEvents(await listen(workspace))
    for (const events of [last, another]) await events.next()
    await workspace.put('/docs/a', 'two')
    for (const events of [owners, last, another])
      expect(wholeOf(await events.next())).toContain('file:///docs/a')
    for (const events of [owners, last, another]) await events.cancel()
  })

  it('of a whole workspace close the oldest of the principal with the most', async () => {
    const closed: string[] = []
    const socketOf = (budget: string, opened: number) => ({
      share: `share:${budget}`,
      readyState: WebSocket.OPEN,
      deserializeAttachment: () => ({ kind: 'new', key: `${budget}${opened}`, budget, opened }),
      close: () => closed.push(`${budget}${opened}`),
    })
    await runInDurableObject(stubOf(freshWorkspace()), (_, state) => {
      const sockets = Array.from({ length: MAX_WORKSPACE_STREAMS - 1 }, (_none, index) =>
        socketOf(index % 10 === 3 ? 'few' : `many${index % 11}`, index),
      )
      // Streams that exist only in the object's bookkeeping.
      const believed = new Proxy(state, {
        get: (target, name) =>
          name === 'getWebSockets'
            ? (tag?: string) => sockets.filter(({ share }) => share === (tag ?? share))
            : name === 'acceptWebSocket'
              ? () => {}
              : name === 'storage'
                ? target.storage
                : undefined,
      })
      const streams = createStreams(believed)
      const open = () => {
        try {
          streams.open(undefined, { session: null, token: null }, 'another')
        } catch {
          // A socket that was not accepted cannot hold an attachment.
        }
      }
      open()
      expect(closed).toEqual([])
      sockets.push(socketOf('another', MAX_WORKSPACE_STREAMS))
      open()
      expect(closed).toEqual(['few3'])
    })
  })
})

describe('subscriptions', () => {
  it('of one principal are limited, and others can still subscribe', async () => {
    const workspace = freshWorkspace()
    const { client, session } = await ownerLinkOf(workspace, { scopes: ['read'] })
    const [mine, others] = [await legacyEra(client), await legacyEra(workspace)]
    await sql(workspace, RARE_TABLES.streams)
    await sql(
      workspace,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO subscriptions (session, uri, budget) SELECT 'x' || i, 'file:///x', ? FROM n`,
      MAX_PRINCIPAL_SUBSCRIPTIONS - 1,
      session,
    )
    await evictDurableObject(stubOf(workspace))
    const subscribe = (client: typeof mine, uri: string) =>
      client.ask('resources/subscribe', { uri })
    expect(codeOfReply((await subscribe(mine, 'file:///a')).body)).toBe(undefined)
    expect(codeOfReply((await subscribe(mine, 'file:///b')).body)).toBe(-32602)
    expect(codeOfReply((await subscribe(others, 'file:///b')).body)).toBe(undefined)
  })

  it('count once, however often a client sends them', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'one')
    await runInDurableObject(stubOf(workspace), (_, state) => {
      const { subscribe } = createStreams(state)
      for (let at = 0; at <= MAX_PRINCIPAL_SUBSCRIPTIONS; at++)
        expect(subscribe('a', 'file:///a', 'p'), String(at)).toBe(true)
      expect(subscribe('a', 'file:///b', 'p')).toBe(true)
    })
  })
})

describe('previews', () => {
  const args = { path: '/docs/a', content: 'x' }
  async function preview(client: Workspace): Promise<string> {
    const shown = await client.call('write_file', args, { preview: true })
    return /ui:\/\/write_file\/[0-9a-f-]{36}/.exec(wholeOf(shown))?.[0] ?? ''
  }
  const isKept = async (client: Workspace, uri: string) =>
    (await client.send('resources/read', { uri })).error === undefined

  it('of one link above its share drop its own oldest', async () => {
    const workspace = freshWorkspace()
    const body = JSON.stringify({ preview_cache_size: 3 })
    await (await workspace.fetch('/config', { method: 'PUT', body })).text()
    const [one, other] = [await ownerLinkOf(workspace), await ownerLinkOf(workspace)]
    const kept = [await preview(workspace), await preview(other.client)]
    const mine: string[] = []
    for (let at = 0; at < 4; at++) mine.push(await preview(one.client))
    expect(await isKept(one.client, mine[0] ?? '')).toBe(false)
    expect(await isKept(one.client, mine[1] ?? '')).toBe(true)
    expect(await isKept(workspace, kept[0] ?? '')).toBe(true)
    expect(await isKept(other.client, kept[1] ?? '')).toBe(true)
  })

  it('of a whole workspace drop the oldest of the principal with the most', async () => {
    const workspace = freshWorkspace()
    const [one, other] = [await ownerLinkOf(workspace), await ownerLinkOf(workspace)]
    const kept = await preview(one.client)
    const fill = (budget: string, count: number) =>
      sql(
        workspace,
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
         INSERT INTO previews (id, session, budget, digest, basis, facts, expires, used)
         SELECT ?1 || i, session, ?1, digest, basis, facts, expires, i - 100000 FROM previews, n
         WHERE budget = ?3`,
        budget,
        count,
        one.session,
      )
    await fill('large', 6_000)
    await fill('small', MAX_WORKSPACE_PREVIEWS - 6_001)
    const ids = async () =>
      (await sql(workspace, 'SELECT id FROM previews')).map((row) => row['id'])
    expect(await ids()).toHaveLength(MAX_WORKSPACE_PREVIEWS)
    const next = await preview(other.client)
    const left = await ids()
    expect(left).toHaveLength(MAX_WORKSPACE_PREVIEWS)
    expect(left).not.toContain('large1')
    expect(left).toEqual(expect.arrayContaining(['large2', 'small1']))
    expect(await isKept(one.client, kept)).toBe(true)
    expect(await isKept(other.client, next)).toBe(true)
  })
})

describe('data of one request', () => {
  const HEADERS = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const initialize = ({ fetch }: Workspace, bytes: number) => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1', title: '' },
    }
    const message = { jsonrpc: '2.0', id: 0, method: 'initialize', params }
    params.clientInfo.title = 'x'.repeat(bytes - JSON.stringify(message).length)
    return fetch('/mcp', { method: 'POST', headers: HEADERS, body: JSON.stringify(message) })
  }

  it('is limited for initialize, and nothing is stored above the limit', async () => {
    const workspace = freshWorkspace()
    const edge = await initialize(workspace, MAX_INITIALIZE_BYTES)
    expect([edge.status, await edge.text()]).toEqual([200, expect.anything()])
    const over = await initialize(workspace, MAX_INITIALIZE_BYTES + 1)
    expect([over.status, (await over.text()).length < 1_000]).toEqual([413, true])
    expect(await sql(workspace, 'SELECT id FROM sessions')).toHaveLength(1)
  })

  const LARGE = 'x'.repeat(1_000_000)
  const messages: [string, Record<string, unknown>][] = [
    ['an id', { id: LARGE, method: 'ping' }],
    ['a method', { method: LARGE }],
    ['a tool', { method: 'tools/call', params: { name: LARGE } }],
    ['a URI to read', { method: 'resources/read', params: { uri: `file:///${LARGE}` } }],
    ['a change to read', { method: 'resources/read', params: { uri: `ui://${LARGE}` } }],
    [
      'a URI to subscribe to',
      { method: 'resources/subscribe', params: { uri: `file:///${LARGE}` } },
    ],
    ['a URI to unsubscribe', { method: 'resources/unsubscribe', params: { uri: LARGE } }],
    ['a path', { method: 'tools/call', params: { name: 'read_file', arguments: { path: LARGE } } }],
    ['a cursor', { method: 'resources/list', params: { cursor: LARGE } }],
    [
      'a progress token',
      {
        method: 'tools/call',
        params: {
          name: 'search_files',
          arguments: { pattern: 'x' },
          _meta: { progressToken: LARGE },
        },
      },
    ],
  ]

  it.each(messages)('is not echoed in full if it is large: %s', async (_, message) => {
    const workspace = freshWorkspace()
    for (let at = 0; at < 3; at++) await workspace.put(`/${at}`, 'x'.repeat(300_000))
    const { session } = await legacyEra(workspace)
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = message['params'] ?? {}
    const own = (params as { _meta?: object })._meta
    const newer = { ...message, params: { ...params, _meta: { ...envelope, ...own } } }
    const method = String(message['method']).slice(0, 100)
    for (const [headers, sent] of [
      [{ 'mcp-session-id': session }, message],
      [{}, message],
      [{ 'mcp-protocol-version': MODERN, 'mcp-method': method }, newer],
    ] as const) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...sent })
      const init = { method: 'POST', headers: { ...HEADERS, ...headers }, body }
      const answer = await workspace.fetch('/mcp', init)
      const text = await answer.text()
      expect(text.length, text.slice(0, 300)).toBeLessThan(20_000)
      expect(answer.status).toBeLessThan(500)
      expect(text).not.toContain('-32603')
    }
  })

  it('is limited for a name', async () => {
    const workspace = freshWorkspace()
    const name = (length: number) => `file:///${'%61/'.repeat(length / 4)}`.slice(0, length)
    const refusal = async (uri: string) =>
      wholeOf((await workspace.send('resources/read', { uri })).error).slice(0, 100)
    expect(await refusal(name(MAX_NAME_LENGTH))).not.toContain(String(MAX_NAME_LENGTH))
    expect(await refusal(name(MAX_NAME_LENGTH + 1))).toContain(String(MAX_NAME_LENGTH))
  })

  it.each(['resources/read', 'resources/subscribe'])(
    'is limited for a name of %s in a session of the older era',
    async (method) => {
      const { ask } = await legacyEra(freshWorkspace())
      const uri = `file:///${'a'.repeat(MAX_NAME_LENGTH)}`
      const { body } = await ask(method, { uri })
      expect(wholeOf(body)).toContain(`uri has more than ${MAX_NAME_LENGTH} characters`)
    },
  )

  const JUNK: [string, object][] = [
    ['granted scopes', { granted_scopes: Array(100).fill('x y'.repeat(10_000)) }],
    ['a policy', { policy: { roots: [{ path: '/', deny: Array(200).fill('y'.repeat(15_000)) }] } }],
    ['denied scopes', { denied_scopes: Array(100).fill(`read:file:/${'z'.repeat(900)}`) }],
  ]

  it.each(JUNK)('is stored with a stream up to a limit: %s', async (_, meta) => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'one')
    const answer = await modern(workspace).listen(['file:///a'], meta)
    const first = wholeOf(await readEvents(answer).next())
    expect(first.length).toBeLessThan(5_000)
    const rows = await sql(workspace, 'SELECT length(request) AS size FROM listeners')
    for (const { size } of rows) expect(size).toBeLessThan(MAX_STORED_METADATA_BYTES + 1_000)
    expect((await workspace.call('read_file', { path: '/a' })).status).toBe(200)
  })

  /** A configuration of about the given size, most of it padding. */
  const configOf = (bytes: number) => ({
    roots: Array.from({ length: 100 }, (_, index) => ({
      path: `/${index || ''}`.padEnd(bytes / 100 - 11, '/'),
    })),
  })

  it('is stored with a delegation or a stream up to a limit', async () => {
    const workspace = freshWorkspace()
    const params = { name: 'delegate', arguments: { label: 'x' } }
    const large = modern(workspace, configOf(MAX_STORED_METADATA_BYTES + 100))
    const { body } = await large.ask('tools/call', params)
    expect(codeOfReply(body)).toBe('METADATA_TOO_LARGE')
    const refused = await readEvents(await large.listen(['file:///a'])).next()
    expect(codeOfReply(refused)).toBe(-32602)
    expect(await sql(workspace, 'SELECT id FROM sessions')).toEqual([])
    const edge = modern(workspace, configOf(MAX_STORED_METADATA_BYTES - 1_000))
    expect(codeOfReply((await edge.ask('tools/call', params)).body)).toBe(undefined)
    const events = readEvents(await edge.listen(['file:///a']))
    expect(wholeOf(await events.next())).toContain('file:///a')
    await events.cancel()
  })
})
