/**
 * Direct answers in sessions of the legacy era: they need no server in memory, what changes access acts on the next
 * one, and calls that may wait stay with the SDK, which has the stream and the signal.
 */

import { recordOf } from '#core/json.ts'
import { SESSION_IDLE_HOURS } from '#worker/limits.ts'
import { MAX_KNOWN_SESSION_LENGTH, MAX_KNOWN_SESSIONS } from '#worker/sessions/limits.ts'
import type { NewSession } from '#worker/access/session.ts'
import { createSessions } from '#worker/sessions/sessions.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { legacyEra, sendAs, type LegacySession } from '../../support/worker/access-client.ts'
import { tokenOf } from '../../support/worker/access-callers.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { legacyClient } from '../../support/worker/legacy-client.ts'
import { newStub, stubOf } from '../../support/worker/object-life.ts'
import { allowOnly } from '../../support/worker/requests.ts'

const sdk = vi.spyOn(WebStandardStreamableHTTPServerTransport.prototype, 'handleRequest')

beforeEach(() => void sdk.mockClear())
afterEach(() => vi.useRealTimers())

async function workspaceWith(config: object = {}) {
  const workspace = freshWorkspace()
  await workspace.put('/a', 'text of a')
  await workspace.put('/other/b', 'text of b')
  await configure(workspace, config)
  return workspace
}

async function configure({ fetch }: ReturnType<typeof freshWorkspace>, config: object) {
  const set = await fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(set.status, await set.text()).toBe(200)
}

/** The text of a file, or why it is not read; the SDK must have no part in it. */
async function read({ ask }: Pick<LegacySession, 'ask'>, path: string): Promise<unknown> {
  sdk.mockClear()
  const args = { name: 'read_file', arguments: { path } }
  const { status, challenge, body } = await ask('tools/call', args)
  expect(sdk).not.toHaveBeenCalled()
  if (status !== 200) return status === 403 ? challenge : status
  const { isError, structuredContent, _meta: meta } = recordOf(body['result'])
  if (isError === true) return recordOf(recordOf(meta)['dev.edgewise/error'])['code']
  return recordOf(structuredContent)['content']
}

const TEXT = '1: text of a'

describe('a plain request', () => {
  it('is answered from the row of its session after an eviction, and others as before', async () => {
    const workspace = await workspaceWith()
    const session = await legacyEra(workspace)
    await evictDurableObject(stubOf(workspace))
    expect(await read(session, 'a')).toBe(TEXT)
    const { body } = await session.ask('resources/read', { uri: 'file:///a' })
    expect(body['result']).toMatchObject({ contents: [{ text: 'text of a' }] })
    // The restored server gets the initialize again, and then the request.
    expect(sdk).toHaveBeenCalledTimes(3)
    expect(await read(session, 'a')).toBe(TEXT)
  })

  it('is answered before the notification that its client is initialized', async () => {
    const workspace = await workspaceWith()
    const client = legacyClient(workspace)
    await client.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    })
    sdk.mockClear()
    expect(await client.request('ping')).toMatchObject({ result: {} })
    expect(sdk).not.toHaveBeenCalled()
  })

  it('may have the id of another that runs', async () => {
    const client = legacyClient(await workspaceWith())
    await client.begin()
    const params = { name: 'read_file', arguments: { path: 'a' } }
    const post = () => client.post({ id: 7, method: 'tools/call', params })
    const texts = await Promise.all([post(), post(), post()].map(async (one) => (await one).text()))
    expect(texts.every((text) => text.includes(TEXT) && text.includes('"id":7'))).toBe(true)
  })
})

describe('the access of a session', () => {
  it('follows the rules of the owner', async () => {
    const workspace = await workspaceWith()
    const session = await legacyEra(workspace)
    expect(await read(session, 'a')).toBe(TEXT)
    await configure(workspace, { roots: [{ path: '/other' }] })
    expect(await read(session, '/a')).toBe('PATH_OUTSIDE_ROOT')
    await configure(workspace, {})
    expect(await read(session, '/a')).toBe(TEXT)
  })

  it.each(['the session', 'the link above it'])('ends with %s', async (what) => {
    const workspace = await workspaceWith()
    const link = await linkOf(workspace)
    const session = await legacyEra(link.client)
    expect(await read(session, 'a')).toBe(TEXT)
    const id = what === 'the session' ? session.session : link.session
    expect((await workspace.fetch(`/sessions/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await read(session, 'a')).toBe(what === 'the session' ? 404 : 401)
  })

  it('ends when it was idle for too long, or the link above it has expired', async () => {
    const workspace = await workspaceWith()
    const link = await linkOf(workspace, { ttl_seconds: 3600 })
    const [own, below] = [await legacyEra(workspace), await legacyEra(link.client)]
    expect([await read(own, 'a'), await read(below, 'a')]).toEqual([TEXT, TEXT])
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: now + 3_601_000 })
    expect([await read(own, 'a'), await read(below, 'a')]).toEqual([TEXT, 401])
    vi.setSystemTime(now + (SESSION_IDLE_HOURS + 2) * 3_600_000)
    expect(await read(own, 'a')).toBe(404)
  })

  it('is not that of another caller who knows its id', async () => {
    const workspace = await workspaceWith()
    const link = await linkOf(workspace)
    const session = await legacyEra(link.client)
    const stolen = session.with((init) => workspace.fetch('/mcp', init))
    expect(await read(stolen, 'a')).toBe(404)
  })

  it('has what the owner allowed it, until that is taken back', async () => {
    const workspace = await workspaceWith({ roots: [{ path: '/other' }] })
    const session = await legacyEra(workspace)
    expect(await read(session, '/a')).toBe('PATH_OUTSIDE_ROOT')
    await allowOnly(workspace, 'session')
    expect(await read(session, '/a')).toBe(TEXT)
    const { status } = await workspace.fetch(`/sessions/${session.session}/allowed`, {
      method: 'DELETE',
    })
    expect(status).toBe(204)
    expect(await read(session, '/a')).toBe('PATH_OUTSIDE_ROOT')
  })

  it('is limited by the token of each request, with the same challenge as from the SDK', async () => {
    const workspace = await workspaceWith()
    const { send, session: id } = await tokenOf(workspace, ['read', 'write'])
    const { send: narrow } = await tokenOf(workspace, ['read', 'write'])
    const session = await legacyEra(send)
    expect(await read(session, 'a')).toBe(TEXT)
    expect(await read(session.with(narrow), 'a')).toBe(404)
    const other = session.with(limitedTo(workspace, id, ['read:file:/other']))
    expect(await read(other, 'a')).toContain('scope="read:file:/')
    expect(await read(session, 'a')).toBe(TEXT)
    const params = { name: 'read_file', arguments: { path: 'a' } }
    const ways = [params, { ...params, 'test/unknown': 1 }]
    const [direct, bySdk] = await Promise.all(ways.map((one) => other.ask('tools/call', one)))
    expect({ ...direct?.body, id: 0 }).toEqual({ ...bySdk?.body, id: 0 })
    expect(direct?.challenge).toBe(bySdk?.challenge)
    const log = await (await workspace.fetch('/audit')).json<{ entries: object[] }>()
    expect(JSON.stringify(log).match(/insufficient_scope|INSUFFICIENT_SCOPE/g)).toHaveLength(3)
  })
})

const limitedTo = (
  workspace: ReturnType<typeof freshWorkspace>,
  session: string,
  scopes: string[],
) => sendAs(workspace, { kind: 'client', workspace: 'w', session, scopes })

describe('a call that may wait stays with the SDK', () => {
  it('which has the signal of each tool that uses one', () => {
    const names = [...TOOLS.values()]
      .filter(({ cancellable }) => cancellable)
      .map(({ name }) => name)
    expect(names).toEqual(['search_files', 'draft_status'])
  })

  it('and answers a wait with a stream at once, which a cancellation ends', async () => {
    const workspace = await workspaceWith({ approval: 'review' })
    const client = legacyClient(workspace)
    await client.begin()
    await client.call('write_file', { path: 'new', content: 'x' })
    const params = { name: 'draft_status', arguments: { wait_seconds: 30 } }
    const waiting = await client.post({ id: 70, method: 'tools/call', params })
    expect(waiting.headers.get('content-type')).toBe('text/event-stream')
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 70 } }
    const ended = waiting.text()
    expect((await client.post(cancelled)).status).toBe(202)
    expect(await ended).not.toContain('data: {')
    await ownerOf(workspace).decide('approve')
    expect(await client.call('list_roots', {})).toMatchObject({ result: { content: [{}, {}] } })
  })

  it('if it changes something and its client can open a page', async () => {
    const workspace = await workspaceWith({ approval: 'confirm' })
    const client = legacyClient(workspace, { elicitation: { url: {} } })
    await client.begin()
    sdk.mockClear()
    await client.call('read_file', { path: 'a' })
    expect(sdk).not.toHaveBeenCalled()
    const asked = await client.call('write_file', { path: 'new', content: 'x' })
    expect(sdk).toHaveBeenCalledTimes(1)
    expect(asked).toMatchObject({ error: { code: -32042, data: { elicitations: [{}] } } })
  })
})

describe('rows of sessions that are kept in memory', () => {
  const session: NewSession = {
    ...{ parent: null, principal: 'p', label: 'x', config: null, policy: null, scopes: null },
    ...{ inherited: null, budget: 'p', initialize: { method: 'initialize' }, expires: null },
  }

  const withSessions = (test: (sessions: ReturnType<typeof createSessions>) => void) =>
    runInDurableObject(newStub(), (_, { storage }) => {
      createSqliteStore(storage, createSqliteObjects(storage.sql))
      test(createSessions(storage.sql))
    })

  it('are the same until something changes them', () =>
    withSessions((sessions) => {
      const { id } = sessions.make(session, null)
      const first = sessions.find(id)
      expect(sessions.find(id)).toBe(first)
      sessions.allow(id, ['read'])
      expect(sessions.find(id)).toMatchObject({ allowed: ['read'] })
      sessions.takeBack(id, null)
      expect(sessions.find(id)).toEqual({ ...first, allowed: [] })
      sessions.rememberToken({ ...session, id, created: 0, transfer: null }, ['write'])
      expect(sessions.find(id)).toMatchObject({ token: ['write'] })
      sessions.end(id)
      expect(sessions.find(id)).toBeNull()
    }))

  const LARGE = ['initialize', 'config', 'policy', 'inherited']

  it.each(LARGE)(
    'are at most MAX_KNOWN_SESSIONS, of at most MAX_KNOWN_SESSION_LENGTH: %s',
    (column) =>
      withSessions((sessions) => {
        const found = Array.from({ length: MAX_KNOWN_SESSIONS }, () => sessions.make(session, null))
        for (const { id } of found) sessions.find(id)
        expect(found.every(sessions.keeps)).toBe(true)
        const length = MAX_KNOWN_SESSION_LENGTH - '{"x":""}'.length
        const sized = (more: number) =>
          sessions.make(
            { ...session, initialize: null, [column]: { x: 'x'.repeat(length + more) } },
            null,
          )
        const large = sized(1)
        sessions.find(large.id)
        expect(sessions.keeps(large)).toBe(false)
        const largest = sized(0)
        sessions.find(largest.id)
        expect(sessions.keeps(largest)).toBe(true)
        expect(found.some(sessions.keeps)).toBe(false)
      }),
  )
})
