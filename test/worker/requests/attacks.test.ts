/**
 * Attacks of an agent on its own access requests: each tries to get more than the owner was shown and allowed.
 * `test/e2e/requests-attacks.slow.test.ts` has those over HTTP.
 */

import { DEFAULT_CONFIG } from '#core/config.ts'
import { createOwnerConfig } from '#worker/access/owner-config.ts'
import { createCallers } from '#worker/sessions/callers.ts'
import { createSessions } from '#worker/sessions/sessions.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { allowOnly, decideRequest, listRequests } from '../../support/worker/requests.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const FILES = ['/docs/a', '/secret/a', '/secret/pub/a', '/secret/secret/a', '/other/a', '/other/b']

async function workspaceWith(config: object = { roots: [{ path: '/docs' }] }): Promise<Workspace> {
  const workspace = freshWorkspace()
  for (const path of FILES) await workspace.put(path, `text of ${path}`)
  const set = await workspace.fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(set.status, await set.text()).toBe(200)
  return workspace
}

async function linkOf(from: Workspace, wish: object = {}) {
  const { result } = await from.call('delegate', { label: 'helper', ...wish })
  const { url, session } = result?.structuredContent ?? {}
  return { link: freshWorkspace(String(url)), session: String(session) }
}

const configuredWith = (configuration: object) => ({
  'io.modelcontextprotocol/clientCapabilities': { experimental: { configuration } },
})

const textOf = async (from: Workspace, name: string, args: object, meta: object = {}) =>
  JSON.stringify((await from.call(name, { ...args }, { ...meta })).result)

describe('an allowed call', () => {
  it('names the files that its arguments meant, whatever the client configures afterwards', async () => {
    const workspace = await workspaceWith({ roots: [{ path: '/docs' }, { path: '/secret/pub' }] })
    const args = { path: '../secret/a' }
    await workspace.call('read_file', args)
    expect(await listRequests(workspace)).toMatchObject([{ paths: ['/secret/a'] }])
    await allowOnly(workspace, 'call')
    const moved = {
      ...configuredWith({ roots: [{ path: '/secret/pub' }] }),
      granted_scopes: ['read:file:/secret'],
    }
    expect(await textOf(workspace, 'read_file', args, moved)).not.toContain('text of')
    expect(await textOf(workspace, 'read_file', args)).toContain('text of /secret/a')
  })

  it('is made by one of two calls at the same time', async () => {
    const workspace = await workspaceWith()
    await workspace.call('read_file', { path: '/other/a' })
    await allowOnly(workspace, 'call')
    const both = [1, 2].map(() => textOf(workspace, 'read_file', { path: '/other/a' }))
    const texts = await Promise.all(both)
    expect(texts.filter((text) => text.includes('text of'))).toHaveLength(1)
  })

  it('makes no link, which would outlive it, so none is asked for', async () => {
    const workspace = await workspaceWith()
    const { link } = await linkOf(workspace)
    const args = { path: '/other/a', direction: 'download' }
    const refused = await textOf(link, 'transfer_link', args)
    expect(refused).toContain('PATH_OUTSIDE_ROOT')
    expect(refused).not.toContain('draft_status')
    expect(await listRequests(workspace)).toEqual([])
  })

  it('can be taken back before it is made', async () => {
    const workspace = await workspaceWith()
    await workspace.call('read_file', { path: '/other/a' })
    const { id } = await allowOnly(workspace, 'call')
    const listed = await workspace.fetch('/requests')
    expect(await listed.json()).toMatchObject({ allowed: [{ id, paths: ['/other/a'] }] })
    const taken = await workspace.fetch(`/requests/${id}`, { method: 'DELETE' })
    expect(taken.status).toBe(204)
    expect(await workspace.code('read_file', { path: '/other/a' })).toBe('PATH_OUTSIDE_ROOT')
    const again = await workspace.fetch(`/requests/${id}`, { method: 'DELETE' })
    expect(await again.json()).toMatchObject({ code: 'REQUEST_NOT_FOUND' })
    expect(await (await workspace.fetch('/requests')).json()).toMatchObject({ allowed: [] })
  })
})

describe('what a session was allowed', () => {
  it('is taken back alone: the session goes on with what it had', async () => {
    const workspace = await workspaceWith()
    const { link, session } = await linkOf(workspace)
    const read = () => link.code('read_file', { path: '/other/a' })
    await read()
    await allowOnly(workspace, 'session')
    expect(await read()).toBeUndefined()
    await link.code('read_file', { path: '/secret/a' })
    await allowOnly(workspace, 'session')
    const before = await sessionIn(workspace, session)
    expect(before).toMatchObject({ allowed: ['read:file:/other', 'read:file:/secret'] })
    const one = `/sessions/${session}/allowed?scope=${encodeURIComponent('read:file:/other')}`
    expect((await workspace.fetch(one, { method: 'DELETE' })).status).toBe(204)
    expect(await read()).toBe('PATH_OUTSIDE_ROOT')
    expect(await link.text('read_file', { path: '/secret/a' })).toContain('text of')
    const rest = `/sessions/${session}/allowed`
    expect((await workspace.fetch(rest, { method: 'DELETE' })).status).toBe(204)
    expect(await link.code('read_file', { path: '/secret/a' })).toBe('PATH_OUTSIDE_ROOT')
    expect(await link.text('read_file', { path: '/docs/a' })).toContain('text of')
    expect(await sessionIn(workspace, session)).toMatchObject({ allowed: [] })
    const log = JSON.stringify(await (await workspace.fetch('/audit')).json())
    expect(log).toContain('"tool":"take_back_access"')
  })

  it('cannot be approved out of a draft once it was taken back', async () => {
    const workspace = await workspaceWith({ roots: [{ path: '/docs' }], approval: 'review' })
    const { link, session } = await linkOf(workspace)
    await link.code('write_file', { path: '/other/new', content: 'x' })
    await allowOnly(workspace, 'session')
    expect(await textOf(link, 'write_file', { path: '/other/new', content: 'x' })).toContain(
      'waits',
    )
    await workspace.fetch(`/sessions/${session}/allowed`, { method: 'DELETE' })
    const { drafts } = await (await workspace.fetch('/drafts')).json<{ drafts: { id: string }[] }>()
    const shown = await workspace.fetch(`/drafts/${drafts[0]?.id}`)
    const body = await shown.json<{ revision: string; changes: unknown[] }>()
    expect(body.changes).toMatchObject([{ conflict: { code: 'PATH_BLOCKED' } }])
    expect((await workspace.raw('/other/new')).length).toBeGreaterThan(1)
    expect(await link.code('read_file', { path: '/other/new' })).toBe('PATH_OUTSIDE_ROOT')
  })

  it.each([
    ['a session that does not exist', 'none', ''],
    ['a scope that was not allowed', null, '?scope=write'],
  ])('is not found for %s', async (_, id, query) => {
    const workspace = await workspaceWith()
    const { session } = await linkOf(workspace)
    const path = `/sessions/${id ?? session}/allowed${query}`
    expect((await workspace.fetch(path, { method: 'DELETE' })).status).toBe(404)
    expect((await workspace.fetch(path, { method: 'POST', body: '{}' })).status).toBe(405)
  })
})

describe('access that is allowed in the rules', () => {
  const ROOT = { path: '/other', immutable: ['**'] }

  it('adds exactly the entries that were shown, and keeps the others', async () => {
    const workspace = await workspaceWith({ roots: [{ path: '/docs', deny: ['no/**'] }] })
    await workspace.code('read_file', { path: '/other/a' })
    const [one] = await listRequests(workspace)
    expect(one).toMatchObject({ can: ['call', 'rules'], roots: [ROOT] })
    const allowed = { for: 'rules', roots: [ROOT] }
    const done = await decideRequest(workspace, `${one?.id}/allow`, allowed)
    expect(done).toMatchObject({ status: 200, body: { state: 'allowed', for: 'rules' } })
    expect(await workspace.text('read_file', { path: '/other/a' })).toContain('text of /other/a')
    expect(await workspace.code('write_file', { path: '/other/a', content: 'x' })).toBe(
      'PATH_IMMUTABLE',
    )
    const config = await (await workspace.fetch('/config')).json()
    expect(config).toMatchObject({ roots: [{ path: '/docs', deny: ['no/**'] }, ROOT] })
    const log = JSON.stringify(await (await workspace.fetch('/audit')).json())
    expect(log).toContain('"tool":"allow_access"')
  })

  it.each([
    ['other entries', { for: 'rules', roots: [{ path: '/' }] }],
    ['more', { for: 'rules', roots: [{ path: '/other' }] }],
    ['none', { for: 'rules', roots: [] }],
  ])('is refused with %s than the request needs', async (_, body) => {
    const workspace = await workspaceWith()
    await workspace.code('read_file', { path: '/other/a' })
    const [one] = await listRequests(workspace)
    expect(await decideRequest(workspace, `${one?.id}/allow`, body)).toMatchObject({
      status: 409,
      body: { code: 'REQUEST_NOT_ALLOWABLE' },
    })
    expect(await workspace.code('read_file', { path: '/other/a' })).toBe('PATH_OUTSIDE_ROOT')
    expect(await listRequests(workspace)).toHaveLength(1)
  })

  it('is not offered where the rules would not be enough', async () => {
    const workspace = await workspaceWith()
    const { link } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
    await link.code('read_file', { path: '/other/a' })
    const [one] = await listRequests(workspace)
    expect(one?.can).toEqual(['call', 'session'])
    const allowed = { for: 'rules', roots: [ROOT] }
    expect((await decideRequest(workspace, `${one?.id}/allow`, allowed)).status).toBe(409)
  })

  it('is not offered where it would close a folder of the rules', async () => {
    const workspace = await workspaceWith({ roots: [{ path: '/docs' }, { path: '/other/deep' }] })
    await workspace.code('read_file', { path: '/top' })
    await workspace.code('read_file', { path: '/other/a' })
    for (const { can } of await listRequests(workspace)) expect(can).toEqual(['call'])
  })

  it('is not offered for a folder in which the same entries forbid changes', async () => {
    const workspace = await workspaceWith()
    await workspace.code('copy_file', { from: '/other', to: '/other/in/b' })
    const [one] = await listRequests(workspace)
    expect(one?.roots).toEqual([ROOT, { path: '/other/in' }])
    expect(one?.can).toEqual(['call'])
  })
})

it('names paths and scopes in a decision so that none can pass for two', async () => {
  const workspace = await workspaceWith()
  const path = '/other/x, write:file:/docs for this session/a'
  await workspace.code('read_file', { path })
  const [one] = await listRequests(workspace)
  await decideRequest(workspace, `${one?.id}/refuse`, { note: '' })
  const { entries } = await (
    await workspace.fetch('/audit')
  ).json<{ entries: { tool: string; intent: string }[] }>()
  const refused = entries.find(({ tool }) => tool === 'refuse_access')
  expect(refused?.intent).toContain('"read:file:/other/x, write:file:/docs for this session"')
})

async function sessionIn(workspace: Workspace, id: string): Promise<unknown> {
  const { sessions } = await (
    await workspace.fetch('/sessions')
  ).json<{ sessions: { id: string }[] }>()
  return sessions.find((one) => one.id === id)
}

it('a call that began before something was taken back writes nothing with it', () =>
  runInDurableObject(newStub(), (_, { storage }) => {
    createSqliteStore(storage, createSqliteObjects(storage.sql))
    const sessions = createSessions(storage.sql)
    const settings = { sql: storage.sql, deployed: DEFAULT_CONFIG, changed: () => {} }
    const callers = createCallers(sessions, createOwnerConfig(settings))
    const none = { parent: null, config: null, policy: null, scopes: ['read:file:/docs'] }
    const rest = { inherited: null, budget: 'p', initialize: null, expires: null }
    const { id } = sessions.make({ ...none, ...rest, principal: 'p', label: 'l' }, null)
    const isCurrentNow = () => {
      const session = sessions.find(id)
      const caller = session && callers.lastCallerOf(session)
      if (!caller) throw new Error('No caller')
      return () => callers.isCurrent(caller.access, caller.session)
    }
    const before = isCurrentNow()
    sessions.allow(id, ['write:file:/a', 'write:file:/b'])
    callers.refresh()
    const during = isCurrentNow()
    expect([before(), during()]).toEqual([true, true])
    sessions.takeBack(id, 'write:file:/a')
    callers.refresh()
    expect([before(), during(), isCurrentNow()()]).toEqual([true, false, true])
  }))
