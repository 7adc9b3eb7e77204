/** Files through a session link: each request with the access of the session, and nothing beyond it. */

import { recordOf } from '#core/json.ts'
import { CALLS_AT_ONCE } from '#worker/limits.ts'
import { LINK_HEADER, LINKED_PATH } from '#worker/sessions/links.ts'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf, ownerLinkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { configure, textOf } from '../../support/worker/held-draft.ts'
import { stubOf } from '../../support/worker/object-life.ts'
import { readFeed, readTree } from '../../support/e2e/feed.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const ROUTES = ['/files/', '/files/in/a', '/files/in?recursive=true', '/changes'] as const

async function workspaceWith(files: Readonly<Record<string, string>>): Promise<Workspace> {
  const workspace = freshWorkspace()
  for (const [path, content] of Object.entries(files)) await workspace.put(path, content)
  return workspace
}

async function send({ fetch }: Workspace, path: string, init: RequestInit = {}) {
  const answer = await fetch(path, init)
  const text = await answer.text()
  const body: Record<string, unknown> = text.startsWith('{') ? JSON.parse(text) : {}
  return { status: answer.status, code: body['code'], body, text }
}

const put = (client: Workspace, path: string, body: string, headers: Record<string, string> = {}) =>
  send(client, `/files${path}`, { method: 'PUT', body, headers })
const remove = (client: Workspace, path: string, headers: Record<string, string> = {}) =>
  send(client, `/files${path}`, { method: 'DELETE', headers })

describe('a session link', () => {
  it('reads, writes and deletes files as its session does', async () => {
    const workspace = await workspaceWith({ '/in/a': 'one' })
    const { client, session } = await linkOf(workspace)
    expect(await textOf(client, '/in/a')).toBe('one')
    expect((await send(client, '/files/in')).body['entries']).toMatchObject([{ name: 'a' }])
    const created = await put(client, '/in/b', 'two')
    expect(created).toMatchObject({ status: 201, body: { path: '/in/b', size: 3 } })
    expect(created.body['hash']).toMatch(/^[0-9a-f]{64}$/)
    expect((await remove(client, '/in/a')).status).toBe(204)
    expect((await remove(client, '/in/a')).code).toBe('FILE_NOT_FOUND')
    expect((await readTree(workspace)).entries.map(({ path }) => path)).toEqual(['/in/b'])
    const { changes } = await readFeed(workspace, '')
    expect(changes.slice(1).map((one) => [one.tool, one.session])).toEqual([
      ['PUT', session],
      ['DELETE', session],
    ])
  })

  it('writes only the version that it names', async () => {
    const workspace = await workspaceWith({ '/a': 'one' })
    const { client } = await linkOf(workspace)
    expect(await put(client, '/a', 'two', { 'if-match': '"9"' })).toMatchObject({ status: 412 })
    expect(await put(client, '/a', 'two', { 'if-none-match': '*' })).toMatchObject({ status: 412 })
    expect(await remove(client, '/a', { 'if-match': '"9"' })).toMatchObject({ status: 412 })
    expect(await put(client, '/a', 'two', { 'if-match': '"1"' })).toMatchObject({ status: 200 })
  })

  it('sets and keeps the executable bit', async () => {
    const workspace = await workspaceWith({})
    const { client } = await linkOf(workspace)
    const bits: unknown[] = []
    for (const headers of [
      { 'x-edgewise-executable': 'true' },
      {},
      { 'x-edgewise-executable': 'false' },
    ]) {
      await put(client, '/run', String(bits.length), headers)
      bits.push((await readTree(client)).entries[0]?.executable)
    }
    expect(bits).toEqual([true, true, undefined])
    const refused = await put(client, '/run', 'x', { 'x-edgewise-executable': 'yes' })
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_EXECUTABLE' })
  })

  it('has no other route, and no other method', async () => {
    const workspace = await workspaceWith({ '/in/a': 'one' })
    const { client } = await linkOf(workspace)
    for (const path of [
      '/import',
      '/export',
      '/status',
      '/config',
      '/sessions',
      '/drafts',
      '/linked/files/in/a',
    ])
      expect((await send(client, path)).status, path).toBe(401)
    for (const method of ['POST', 'PATCH'])
      expect((await send(client, '/files/in/a', { method, body: 'x' })).status, method).toBe(405)
    expect((await send(workspace, '/linked/files/in/a')).status).toBe(404)
  })

  it('is counted by the rate limit', async () => {
    // A slow machine would send no more requests than the rate permits.
    vi.useFakeTimers({ toFake: ['Date'] })
    const workspace = await workspaceWith({ '/a': 'one' })
    const { secret } = await ownerLinkOf(workspace)
    // Directly to the object, because that is faster.
    const headers = { [LINK_HEADER]: secret }
    const statuses = await runInDurableObject(stubOf(workspace), async (object) => {
      const found = new Set<number>()
      for (let at = 0; at <= CALLS_AT_ONCE; at++) {
        const request = new Request(`http://localhost${LINKED_PATH}/files/a`, { headers })
        found.add((await object.fetch(request)).status)
      }
      return found
    })
    vi.useRealTimers()
    expect(statuses).toEqual(new Set([200, 429]))
  })
})

describe('a change that has to wait', () => {
  it('joins the draft of the link, which alone sees it', async () => {
    const workspace = await workspaceWith({ '/a': 'old', '/b': 'old' })
    const { client } = await linkOf(workspace)
    const other = (await linkOf(workspace)).client
    const owner = ownerOf(workspace)
    await owner.demand('review')
    const written = await put(client, '/a', 'new')
    const deleted = await remove(client, '/b')
    const [draft = ''] = await owner.drafts()
    expect(written).toMatchObject({
      status: 202,
      body: { path: '/a', size: 3, waits: true, draft },
    })
    expect(deleted).toMatchObject({ status: 202, body: { path: '/b', waits: true, draft } })
    expect(written.body['url']).toContain(`#/waiting/${draft}/`)
    expect(await textOf(client, '/a')).toBe('new')
    expect(await textOf(client, '/b')).toBeNull()
    for (const reader of [other, workspace]) {
      expect(await textOf(reader, '/a')).toBe('old')
      expect(await textOf(reader, '/b')).toBe('old')
    }
    expect((await readTree(client)).entries.map(({ path }) => path)).toEqual(['/a'])
    expect((await readTree(other)).entries.map(({ path }) => path)).toEqual(['/a', '/b'])
    await owner.decide('approve')
    expect(await textOf(workspace, '/a')).toBe('new')
    expect(await textOf(workspace, '/b')).toBeNull()
  })

  it('is gone for the link when it is turned down', async () => {
    const workspace = await workspaceWith({ '/a': 'old' })
    const { client } = await linkOf(workspace)
    const owner = ownerOf(workspace)
    await owner.demand('confirm')
    expect((await put(client, '/a', 'new')).status).toBe(202)
    await owner.decide('turn-down')
    expect(await textOf(client, '/a')).toBe('old')
  })
})

describe('is refused', () => {
  it.each<[string, object, string, string, string]>([
    [
      'a path outside its scopes',
      { scopes: ['read:file:/in'] },
      'GET',
      '/out/a',
      'INSUFFICIENT_SCOPE',
    ],
    [
      'a write without its scope',
      { scopes: ['read:file:/in'] },
      'PUT',
      '/in/a',
      'INSUFFICIENT_SCOPE',
    ],
    [
      'a deletion without its scope',
      { scopes: ['read:file:/in'] },
      'DELETE',
      '/in/a',
      'INSUFFICIENT_SCOPE',
    ],
    [
      'a read without its scope',
      { scopes: ['write:file:/in'] },
      'GET',
      '/in/a',
      'INSUFFICIENT_SCOPE',
    ],
    [
      'a denied path',
      { policy: { roots: [{ path: '/', deny: ['in/**'] }] } },
      'GET',
      '/in/a',
      'PATH_BLOCKED',
    ],
    [
      'an immutable path',
      { policy: { roots: [{ path: '/', immutable: ['in/**'] }] } },
      'PUT',
      '/in/a',
      'PATH_IMMUTABLE',
    ],
    [
      'any write if it only reads',
      { policy: { roots: [{ path: '/' }], read_only: true } },
      'PUT',
      '/in/a',
      'READ_ONLY',
    ],
    [
      'a path outside its roots',
      { policy: { roots: [{ path: '/in' }] } },
      'GET',
      '/out/a',
      'PATH_BLOCKED',
    ],
    [
      'a path that leaves its folder',
      { scopes: ['read:file:/in'] },
      'GET',
      '/in/%2e%2e%2fout/a',
      'INSUFFICIENT_SCOPE',
    ],
  ])('%s', async (_, wish, method, path, code) => {
    const workspace = await workspaceWith({ '/in/a': 'one', '/out/a': 'secret' })
    const { client, session } = await linkOf(workspace, { ...wish })
    const body = method === 'PUT' ? { body: 'new' } : {}
    const answer = await send(client, `/files${path}`, { method, ...body })
    expect(answer).toMatchObject({ status: 403, code })
    expect(answer.text).not.toContain('secret')
    expect(await textOf(workspace, '/in/a')).toBe('one')
    const audit = await send(workspace, `/audit?session=${session}&outcome=refused`)
    expect(audit.body['entries']).toMatchObject([{ tool: method }])
  })

  it('a conditional write of a session that cannot read', async () => {
    const workspace = await workspaceWith({ '/in/a': 'one' })
    const { client } = await linkOf(workspace, { scopes: ['write:file:/in'] })
    for (const headers of [
      { 'if-match': '"1"' },
      { 'if-match': '"9"' },
      { 'if-none-match': '*' },
    ]) {
      expect((await put(client, '/in/a', 'two', headers)).code).toBe('INSUFFICIENT_SCOPE')
      expect((await remove(client, '/in/a', headers)).code).toBe('INSUFFICIENT_SCOPE')
    }
    expect((await put(client, '/in/a', 'two')).status).toBe(201)
  })

  it('what a session was not delegated by a session that has it', async () => {
    const workspace = await workspaceWith({ '/in/a': 'one', '/in/deep/b': 'two' })
    const parent = await linkOf(workspace, { scopes: ['read:file:/in', 'write:file:/in'] })
    const { client } = await linkOf(parent.client, { scopes: ['read:file:/in/deep'] })
    expect(await textOf(client, '/in/deep/b')).toBe('two')
    expect((await send(client, '/files/in/a')).code).toBe('INSUFFICIENT_SCOPE')
    expect((await put(client, '/in/deep/b', 'x')).code).toBe('INSUFFICIENT_SCOPE')
    expect((await readTree(client)).entries.map(({ path }) => path)).toEqual(['/in/deep/b'])
  })

  it('a link that was revoked, that has expired, or that never was', async () => {
    const workspace = await workspaceWith({ '/in/a': 'one' })
    const revoked = await linkOf(workspace)
    const child = await linkOf(revoked.client)
    const expired = await linkOf(workspace, { ttl_seconds: 60 })
    const unknown = freshWorkspace(`http://localhost/s/w.${'x'.repeat(43)}/mcp`)
    await workspace.fetch(`/sessions/${revoked.session}`, { method: 'DELETE' })
    vi.setSystemTime(Date.now() + 61_000)
    const refusals = new Set<string>()
    for (const { client } of [revoked, child, expired, { client: unknown }])
      for (const path of ROUTES) {
        const { status, text } = await send(client, path)
        expect(status, path).toBe(401)
        refusals.add(text)
      }
    vi.useRealTimers()
    expect(refusals.size).toBe(1)
  })

  it.each(['download', 'upload'])('a transfer link to %s', async (direction) => {
    const workspace = await workspaceWith({ '/in/a': 'one' })
    const { result } = await workspace.call('transfer_link', { path: '/in/a', direction })
    const url = String(recordOf(result?.structuredContent)['url']).replace(/file$/, 'mcp')
    const client = freshWorkspace(url)
    for (const path of ROUTES) expect((await send(client, path)).status, path).toBe(401)
    expect((await put(client, '/in/a', 'two')).status).toBe(401)
    expect(await textOf(workspace, '/in/a')).toBe('one')
  })

  it('a session link as a transfer link', async () => {
    const { client } = await linkOf(await workspaceWith({ '/in/a': 'one' }))
    expect((await send(client, '/file')).status).toBe(401)
  })

  it('a write under rules that have changed since the link was made', async () => {
    const workspace = await workspaceWith({ '/in/a': 'one' })
    const { client } = await linkOf(workspace)
    await configure(workspace, { roots: [{ path: '/', deny: ['in/**'] }] })
    expect((await put(client, '/in/a', 'two')).code).toBe('PATH_BLOCKED')
    expect((await send(client, '/files/in/a')).code).toBe('PATH_BLOCKED')
    expect((await readFeed(client, '')).changes).toEqual([])
    expect(await textOf(workspace, '/in/a')).toBe('one')
  })
})
