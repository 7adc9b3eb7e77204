/** Delegation: a child session has at most the access of its parent, at any depth, and ends with it. */

import { MAX_DELEGATED_SCOPES } from '#worker/sessions/limits.ts'
import { MAX_LABEL_LENGTH } from '#worker/access/limits.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { stubOf } from '../../support/worker/object-life.ts'

type Workspace = ReturnType<typeof freshWorkspace>

afterEach(() => vi.useRealTimers())

async function tree(): Promise<Workspace> {
  const workspace = freshWorkspace()
  await workspace.put('/docs/a.md', 'one')
  await workspace.put('/docs/private/key', 'secret')
  await workspace.put('/src/main.ts', 'code')
  return workspace
}

async function handOn(giver: Workspace, wish: Record<string, unknown>) {
  const { result } = await giver.call('delegate', { label: 'child', ...wish })
  const { url, session } = result?.structuredContent ?? {}
  if (typeof url !== 'string') throw new Error(JSON.stringify(result))
  return { child: freshWorkspace(url), session: String(session), url }
}

const READ_DOCS = { scopes: ['read:file:/docs'] }

/** The result of a call beyond the scopes of a link: no grant can permit it, and only tokens get a 403. */
const lacking = (...required_scopes: string[]) => ({
  status: 200,
  result: {
    isError: true,
    _meta: { 'dev.edgewise/error': { code: 'INSUFFICIENT_SCOPE', required_scopes } },
  },
})

describe('a child session that may read /docs', () => {
  it('reads there, and gets the missing scopes for other paths', async () => {
    const { child } = await handOn(await tree(), READ_DOCS)
    expect(await child.text('read_file', { path: '/docs/a.md' })).toBe('1: one')
    expect(await child.call('read_file', { path: '/src/main.ts' })).toMatchObject(
      lacking('read:file:/src'),
    )
    expect(await child.call('write_file', { path: '/docs/a.md', content: 'x' })).toMatchObject(
      lacking('write:file:/docs'),
    )
  })

  it('gets all missing scopes at once', async () => {
    const { child } = await handOn(await tree(), {
      scopes: ['read:file:/docs', 'write:file:/docs'],
    })
    expect(await child.call('move_file', { from: '/src/main.ts', to: '/other/x' })).toMatchObject(
      lacking('read:file:/src', 'write:file:/src', 'write:file:/other'),
    )
  })

  it('sees no other names, contents, resources and tools', async () => {
    const { child } = await handOn(await tree(), READ_DOCS)
    expect(await child.text('find_files', {})).toBe(
      'docs/\ndocs/a.md\ndocs/private/\ndocs/private/key',
    )
    expect(await child.text('search_files', { pattern: 'code' })).toBe('No matches')
    const { result } = await child.send('resources/list')
    expect(JSON.stringify(result?.['resources'])).not.toContain('src')
    expect(await child.send('resources/read', { uri: 'file:///src/main.ts' })).toMatchObject({
      error: { code: -32602 },
    })
    const listed = await child.send('tools/list')
    const names = ((listed.result?.['tools'] ?? []) as { name: string }[]).map((tool) => tool.name)
    expect(names).toContain('read_file')
    expect(names).not.toContain('write_file')
  })

  it('cannot widen its access by _meta', async () => {
    const { child } = await handOn(await tree(), READ_DOCS)
    const read = { name: 'read_file', arguments: { path: '/src/main.ts' } }
    for (const meta of [
      { granted_scopes: ['read', 'read:file:/'] },
      { allowed_scopes: 'read:file:/src' },
      { policy: {} },
    ]) {
      expect(await child.send('tools/call', read, { meta })).toMatchObject(
        lacking('read:file:/src'),
      )
    }
    expect(await child.code('delegate', { label: 'x', scopes: ['write'] })).toBe('INVALID_SCOPES')
  })
})

describe('a policy from a model', () => {
  it('restricts access, and may not use fields that are reserved for a person', async () => {
    const giver = await tree()
    const { child } = await handOn(giver, {
      policy: { roots: [{ path: '/', deny: ['docs/private/**'], immutable: ['docs/**'] }] },
    })
    expect(await child.code('read_file', { path: '/docs/private/key' })).toBe('PATH_BLOCKED')
    expect(await child.code('write_file', { path: '/docs/a.md', content: 'x' })).toBe(
      'PATH_IMMUTABLE',
    )
    expect(await child.text('find_files', { root: '/docs' })).toBe('a.md')
    await child.text('write_file', { path: '/src/new.ts', content: 'x' })
    expect(await giver.code('delegate', { label: 'x', policy: { find_limit: 5 } })).toBe(
      'INVALID_POLICY',
    )
    expect(await giver.code('delegate', { label: 'x', policy: { allow_escape: true } })).toBe(
      'INVALID_POLICY',
    )
  })

  it('raises the approval level of a folder, and of no other value', async () => {
    const workspace = await tree()
    const policyOf = (approval: string) => ({ roots: [{ path: '/docs', approval }] })
    const { child } = await handOn(workspace, { policy: policyOf('confirm') })
    expect(await child.text('read_file', { path: '/docs/a.md' })).toBe('1: one')
    await expect(handOn(workspace, { policy: policyOf('often') })).rejects.toThrow(/approval/)
  })

  it('accumulates over generations', async () => {
    const first = await handOn(await tree(), {
      policy: { roots: [{ path: '/', deny: ['src/**'] }] },
    })
    const second = await handOn(first.child, {
      policy: { roots: [{ path: '/', deny: ['docs/private/**'] }] },
    })
    expect(await second.child.code('read_file', { path: '/src/main.ts' })).toBe('PATH_BLOCKED')
    expect(await second.child.code('read_file', { path: '/docs/private/key' })).toBe('PATH_BLOCKED')
    expect(await second.child.text('read_file', { path: '/docs/a.md' })).toBe('1: one')
    expect(await first.child.text('read_file', { path: '/docs/private/key' })).toBe('1: secret')
  })
})

describe('a link', () => {
  it('ends when it expires', async () => {
    const giver = await tree()
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    const { child } = await handOn(giver, { ttl_seconds: 1 })
    vi.setSystemTime(now + 900)
    expect(await child.text('list_roots')).toBe('/ (default)')
    vi.setSystemTime(now + 1_100)
    expect((await child.send('tools/call', { name: 'list_roots', arguments: {} })).status).toBe(401)
  })

  it('ends with its parent, at any depth', async () => {
    const giver = await tree()
    const first = await handOn(giver, {})
    const second = await handOn(first.child, {})
    const third = await handOn(second.child, READ_DOCS)
    expect(await third.child.text('read_file', { path: '/docs/a.md' })).toBe('1: one')
    const ended = await giver.fetch(`/sessions/${first.session}`, { method: 'DELETE' })
    expect(ended.status).toBe(204)
    for (const { child } of [first, second, third]) {
      expect((await child.send('tools/call', { name: 'list_roots', arguments: {} })).status).toBe(
        401,
      )
    }
  })

  it('is refused once a session above it has expired, also while its own row is left', async () => {
    const giver = await tree()
    const first = await handOn(giver, {})
    const { child } = await handOn(first.child, {})
    const stub = stubOf(giver)
    await runInDurableObject(stub, (_, { storage: { sql } }) =>
      sql.exec('UPDATE sessions SET expires = 1 WHERE id = ?', first.session).toArray(),
    )
    await evictDurableObject(stub)
    const { status } = await child.call('list_roots')
    expect(status).toBe(401)
    const rows = await runInDurableObject(stub, (_, { storage: { sql } }) =>
      sql.exec('SELECT id FROM sessions').toArray(),
    )
    expect(rows).toHaveLength(2)
  })

  it('keeps what its call denied, and the policy of its call', async () => {
    const giver = await tree()
    const policy = { roots: [{ path: '/', deny: ['src/**'] }] }
    const kept = [{ denied_scopes: ['write', 'read:file:/src'] }, { policy }]
    for (const meta of kept) {
      const { result } = await giver.call('delegate', { label: 'child' }, meta)
      const child = freshWorkspace(String(result?.structuredContent['url']))
      expect(await child.text('read_file', { path: '/docs/a.md' })).toBe('1: one')
      expect(await child.code('read_file', { path: '/src/main.ts' })).toBe('PATH_BLOCKED')
    }
  })

  it('is listed without its secret, and its changes are in the history', async () => {
    const giver = await tree()
    const { child, url } = await handOn(giver, {})
    await child.text('write_file', { path: '/x', content: '' })
    const listed = await (await giver.fetch('/sessions')).text()
    expect(listed).toContain('"label":"child"')
    expect(listed).not.toContain(url.split('.').at(-1)?.split('/')[0])
  })

  it.each(['', 'x', 'default.short', `default.${'A'.repeat(43)}`, `DEFAULT.${'A'.repeat(43)}`])(
    'that does not exist is refused: %j',
    async (token) => {
      const stranger = freshWorkspace(`http://localhost/s/${token}/mcp`)
      const { status } = await stranger.send('tools/list')
      expect([401, 404]).toContain(status)
    },
  )

  it('cannot be forged with a header of the front', async () => {
    const workspace = await tree()
    const reply = await workspace.send(
      'tools/call',
      { name: 'list_roots', arguments: {} },
      {
        headers: { 'edgewise-link': 'A'.repeat(43), 'edgewise-base': 'http://evil' },
      },
    )
    expect(reply.result?.isError).toBeUndefined()
  })
})

/** The names of all sessions of a workspace. */
async function labelsIn(workspace: Workspace): Promise<string[]> {
  const listed = await workspace.fetch('/sessions')
  const { sessions } = await listed.json<{ sessions: { label: string }[] }>()
  return sessions.map(({ label }) => label)
}

describe('the limits of a session', () => {
  const most = 'n'.repeat(MAX_LABEL_LENGTH)
  const scopes = (count: number) => Array.from({ length: count }, (_, at) => `read:file:/${at}`)
  const EDGES: [string, object, object, string][] = [
    ['MAX_LABEL_LENGTH', { label: most }, { label: `${most}n` }, 'INVALID_LABEL'],
    [
      'MAX_DELEGATED_SCOPES',
      { label: most, scopes: scopes(MAX_DELEGATED_SCOPES) },
      { label: 'over', scopes: scopes(MAX_DELEGATED_SCOPES + 1) },
      'INVALID_SCOPES',
    ],
  ]

  it.each(EDGES)('include %s, and no link is made beyond it', async (_, edge, over, code) => {
    const workspace = freshWorkspace()
    await handOn(workspace, { ...edge })
    expect(await workspace.code('delegate', { ...over })).toBe(code)
    const body = JSON.stringify(over)
    const refused = await workspace.fetch('/sessions', { method: 'POST', body })
    expect([refused.status, await refused.json()]).toMatchObject([400, { code }])
    expect(await labelsIn(workspace)).toEqual([most])
  })

  it('cut the name of a legacy client', async () => {
    const workspace = freshWorkspace()
    const clientInfo = { name: `${most}n`, version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const begun = await workspace.fetch('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    })
    expect(await begun.text()).toContain('edgewise')
    expect(await labelsIn(workspace)).toEqual([most])
  })
})

it('a legacy session is a child of its link', async () => {
  const { child } = await handOn(await tree(), READ_DOCS)
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    child.fetch('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    })
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  }
  const begun = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  const id = begun.headers.get('mcp-session-id') ?? ''
  expect(await begun.text()).toContain('edgewise')
  const read = (path: string) =>
    post(
      {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'read_file', arguments: { path } },
      },
      { 'mcp-session-id': id },
    )
  expect(await (await read('/docs/a.md')).text()).toContain('1: one')
  const refused = await read('/src/main.ts')
  expect(refused.status).toBe(200)
  expect(await refused.text()).toContain('INSUFFICIENT_SCOPE')
})
