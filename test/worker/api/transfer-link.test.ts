/**
 * Transfer links: one file in one direction for a limited time, with access computed at each use. Every other
 * request is refused, and each use is counted and recorded in the audit log.
 */

import { recordOf } from '#core/json.ts'
import { MAX_LINK_REFUSALS, MAX_TRANSFER_SECONDS } from '#worker/limits.ts'
import { LINK_HEADER, TRANSFER_PATH } from '#worker/sessions/links.ts'
import { runInDurableObject, SELF } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { modern, type AccessClient } from '../../support/worker/access-client.ts'
import { CALLERS } from '../../support/worker/access-callers.ts'
import { FILES, createTree, textOf, type Workspace } from '../../support/worker/access-tree.ts'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf, ownerLinkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { codeOfReply, wholeOf } from '../../support/worker/result-codes.ts'
import { stubOf } from '../../support/worker/object-life.ts'

type Direction = 'download' | 'upload'

/** Opens a transfer link as its holder does. */
function openLink(url: string) {
  const { pathname } = new URL(url)
  const use = (method: string, init: RequestInit = {}) =>
    SELF.fetch(`http://localhost${pathname}`, { method, ...init })
  return { pathname, use }
}

async function linkTo(client: Workspace, path: string, direction: Direction, more: object = {}) {
  const { result } = await client.call('transfer_link', { path, direction, ...more })
  const { url, session } = result?.structuredContent ?? {}
  if (typeof url !== 'string') throw new Error(JSON.stringify(result))
  return { ...openLink(url), url, session: String(session) }
}

const statusAndText = async (answer: Response) => [answer.status, await answer.text()] as const
const bodyOf = (content: string) => ({
  body: content,
  headers: { 'content-length': String(content.length) },
})

async function workspaceWith(files: Record<string, string>): Promise<Workspace> {
  const workspace = freshWorkspace()
  for (const [path, content] of Object.entries(files)) await workspace.put(path, content)
  return workspace
}

async function configure({ fetch }: Workspace, config: object): Promise<void> {
  const answer = await fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(answer.status, await answer.text()).toBe(200)
}

const auditOf = async ({ fetch }: Workspace) => (await fetch('/audit')).text()

/** The ground of a link's use in the audit log. */
const byLink = (session: string) => JSON.stringify({ kind: 'transfer_link', session })

it.each(['download', 'upload'] as const)(
  'the secret of a link to %s speaks no MCP',
  async (kind) => {
    const workspace = await workspaceWith({ '/docs/a': 'canary' })
    const { url } = await linkTo(workspace, '/docs/a', kind)
    const client = freshWorkspace(url.replace(/file$/, 'mcp'))
    for (const [method, params] of [
      ['tools/list', {}],
      ['tools/call', { name: 'read_file', arguments: { path: '/docs/a' } }],
      ['resources/read', { uri: 'file:///docs/a' }],
    ] as const) {
      const reply = await client.send(method, params)
      expect(reply.status, method).toBe(401)
      expect(wholeOf(reply)).not.toContain('canary')
    }
  },
)

it('names both scopes in the list of tools, so that a client can deny either', async () => {
  const { result } = await freshWorkspace().send('tools/list', {})
  const tools: { name: string; annotations: object; _meta: Record<string, object> }[] =
    Object(result).tools
  const tool = tools.find(({ name }) => name === 'transfer_link')
  const scopes = ['read:file', 'write:file']
  expect(tool?.annotations).toMatchObject({ scopes })
  expect(tool?._meta['dev.edgewise/tool']).toMatchObject({ scopes })
})

describe('a download link', () => {
  it('serves the file, its size and ranges of it, and nothing else', async () => {
    const workspace = await workspaceWith({ '/docs/a': 'the whole', '/docs/b': 'another' })
    const { use, pathname } = await linkTo(workspace, '/docs/a', 'download')
    expect(await statusAndText(await use('GET'))).toEqual([200, 'the whole'])
    expect(await statusAndText(await use('HEAD'))).toEqual([200, ''])
    expect(await statusAndText(await use('GET', { headers: { range: 'bytes=4-' } }))).toEqual([
      206,
      'whole',
    ])
    for (const method of ['PUT', 'DELETE', 'POST', 'PATCH'])
      expect((await statusAndText(await use(method)))[0], method).toBe(405)
    for (const other of ['mcp', 'files', 'file/b', 'file/../files/docs/b', 'export', 'sessions']) {
      const address = pathname.replace(/file$/, other)
      const [status, text] = await statusAndText(await openLink(`http://x${address}`).use('GET'))
      expect([401, 403, 404, 405], address).toContain(status)
      expect(text).not.toContain('another')
    }
  })

  it('is made only for an existing file', async () => {
    const { code, put } = freshWorkspace()
    await put('/docs/a', 'one')
    const wish = { direction: 'download' }
    expect(await code('transfer_link', { ...wish, path: '/none' })).toBe('FILE_NOT_FOUND')
    expect(await code('transfer_link', { ...wish, path: '/docs' })).toBe('IS_A_FOLDER')
  })

  it('returns 404 after the file is deleted, and serves a new file at the path', async () => {
    const workspace = await workspaceWith({ '/a': 'one' })
    const { use } = await linkTo(workspace, '/a', 'download')
    await workspace.text('delete_file', { path: '/a' })
    expect((await statusAndText(await use('GET')))[0]).toBe(404)
    await workspace.put('/a/b', 'in a folder')
    expect((await statusAndText(await use('GET')))[0]).toBe(404)
  })
})

describe('an upload link', () => {
  it('writes the file and cannot read it', async () => {
    const workspace = await workspaceWith({ '/docs/a': 'old' })
    const { use } = await linkTo(workspace, '/docs/a', 'upload')
    expect((await statusAndText(await use('PUT', bodyOf('new'))))[0]).toBe(200)
    expect(new TextDecoder().decode(await workspace.raw('/docs/a'))).toBe('new')
    for (const method of ['GET', 'HEAD', 'DELETE', 'POST'])
      expect((await statusAndText(await use(method)))[0], method).toBe(405)
  })

  it('of a caller that cannot read does not tell whether the file is at a version', async () => {
    const workspace = await workspaceWith({ '/in/a': 'old' })
    const { client } = await linkOf(workspace, { scopes: ['write:file:/in'] })
    const { use } = await linkTo(client, '/in/a', 'upload')
    for (const [name, value] of [
      ['if-match', '"1"'],
      ['if-match', '"9"'],
      ['if-none-match', '*'],
    ] as const) {
      const answer = await use('PUT', { body: 'new', headers: { [name]: value } })
      expect([answer.status, Object(await answer.json()).code]).toEqual([403, 'FORBIDDEN'])
    }
    expect(new TextDecoder().decode(await workspace.raw('/in/a'))).toBe('old')
    // To a caller that cannot read, every file is a new one.
    expect((await statusAndText(await use('PUT', bodyOf('new'))))[0]).toBe(201)
  })

  it('says that its file waits where the owner has to approve it', async () => {
    const workspace = await workspaceWith({ '/a': 'old' })
    const owner = ownerOf(workspace)
    await owner.demand('review')
    const { use } = await linkTo(workspace, '/a', 'upload')
    const answer = await use('PUT', bodyOf('new'))
    expect(answer.status).toBe(202)
    expect(answer.headers.get('etag')).toBeNull()
    expect(await answer.json()).toEqual({ path: '/a', size: 3, waits: true })
    expect(new TextDecoder().decode(await workspace.raw('/a'))).toBe('old')
    await owner.decide('approve')
    expect(new TextDecoder().decode(await workspace.raw('/a'))).toBe('new')
  })

  it('makes a change by the link that can be undone', async () => {
    const workspace = await workspaceWith({ '/a': 'old' })
    const { use, session } = await linkTo(workspace, '/a', 'upload')
    const [, text] = await statusAndText(await use('PUT', bodyOf('new')))
    const { version } = JSON.parse(text)
    const audit = await auditOf(workspace)
    expect(audit).toContain(byLink(session))
    await workspace.text('undo_change', { version })
    expect(new TextDecoder().decode(await workspace.raw('/a'))).toBe('old')
  })

  it('respects the workspace’s quotas and the client’s If-Match', async () => {
    const workspace = await workspaceWith({ '/a': 'old' })
    const { use } = await linkTo(workspace, '/a', 'upload')
    const stale = { ...bodyOf('new'), headers: { 'if-match': '"9"', 'content-length': '3' } }
    expect((await statusAndText(await use('PUT', stale)))[0]).toBe(412)
    await configure(workspace, { max_file_bytes: 4 })
    expect((await statusAndText(await use('PUT', bodyOf('12345'))))[0]).toBe(413)
    expect(new TextDecoder().decode(await workspace.raw('/a'))).toBe('old')
  })

  it('is not made for a folder, nor in read-only mode', async () => {
    const workspace = await workspaceWith({ '/docs/a': 'one' })
    const wish = { path: '/docs', direction: 'upload' }
    expect(await workspace.code('transfer_link', wish)).toBe('IS_A_FOLDER')
    await configure(workspace, { read_only: true })
    expect(await workspace.code('transfer_link', { ...wish, path: '/docs/a' })).toBe('READ_ONLY')
  })
})

describe('access at the time of use', () => {
  it.each<[string, Direction, object]>([
    ['denied', 'download', { roots: [{ path: '/', deny: ['a'] }] }],
    ['outside', 'download', { roots: [{ path: '/docs' }] }],
    ['denied', 'upload', { roots: [{ path: '/', deny: ['a'] }] }],
    ['immutable', 'upload', { roots: [{ path: '/', immutable: ['a'] }] }],
    ['read-only', 'upload', { read_only: true }],
  ])('refuses a file that is %s since the link was made: %s', async (_, direction, config) => {
    const workspace = await workspaceWith({ '/a': 'secret', '/docs/b': 'x' })
    const { use } = await linkTo(workspace, '/a', direction)
    await configure(workspace, config)
    const [method, init] = direction === 'download' ? ['GET'] : ['PUT', bodyOf('new')]
    const [status, text] = await statusAndText(await use(String(method), init ? bodyOf('new') : {}))
    expect([status, text]).toEqual([403, expect.stringContaining('FORBIDDEN')])
    expect(text).not.toContain('/docs')
    expect(new TextDecoder().decode(await workspace.raw('/a'))).toBe('secret')
    expect(await auditOf(workspace)).toContain('"refused"')
  })

  it('applies the policy under which the link was made', async () => {
    const workspace = await workspaceWith({ '/a': 'old' })
    const policy = { roots: [{ path: '/', immutable: ['fixed'] }] }
    const args = { path: '/fixed', direction: 'upload' }
    const made = await workspace.call('transfer_link', args, { policy })
    expect(codeOfReply(made)).toBe('PATH_IMMUTABLE')
  })

  it('ends with its lifetime, with the session that made it, and by revocation', async () => {
    const workspace = await workspaceWith({ '/a': 'one' })
    const { client, session } = await linkOf(workspace)
    const [child, short, own] = [
      await linkTo(client, '/a', 'download'),
      await linkTo(workspace, '/a', 'download', { ttl_seconds: 60 }),
      await linkTo(workspace, '/a', 'download'),
    ]
    for (const { use } of [child, short, own])
      expect((await statusAndText(await use('GET')))[0]).toBe(200)
    for (const id of [session, own.session])
      expect((await workspace.fetch(`/sessions/${id}`, { method: 'DELETE' })).status).toBe(204)
    vi.setSystemTime(Date.now() + 61_000)
    for (const { use } of [child, short, own])
      expect((await statusAndText(await use('GET')))[0]).toBe(401)
    vi.useRealTimers()
  })

  it('has a lifetime of a day at most', async () => {
    const { call, code, put } = freshWorkspace()
    await put('/a', 'one')
    const args = { path: '/a', direction: 'download', ttl_seconds: MAX_TRANSFER_SECONDS }
    expect(codeOfReply(await call('transfer_link', args))).toBe(undefined)
    const over = { ...args, ttl_seconds: MAX_TRANSFER_SECONDS + 1 }
    expect(await code('transfer_link', over)).toBe('INVALID_TTL_SECONDS')
  })
})

describe('records of a transfer link', () => {
  const send = (use: ReturnType<typeof openLink>['use']) => use('PUT', bodyOf('x'))

  it('do not name a file that the reader may not see', async () => {
    const workspace = await workspaceWith({ '/private/amber': 'x', '/docs/b': 'x' })
    const { client } = await linkOf(workspace)
    await statusAndText(await send((await linkTo(client, '/docs/secret-amber', 'upload')).use))
    await linkTo(client, '/private/amber', 'download')
    const deny = { roots: [{ path: '/', deny: ['**/secret*', 'private/**'] }] }
    const narrow = { roots: [{ path: '/docs' }] }
    const guest = (await linkOf(workspace, { policy: deny })).client
    const asked: unknown[] = []
    for (const [name, args] of HISTORY) {
      asked.push(await guest.call(name, args), await workspace.call(name, args, { policy: deny }))
      const params = { name, arguments: args }
      const here = await modern(workspace, narrow).ask('tools/call', params)
      expect(wholeOf(here)).not.toContain('private/amber')
    }
    await configure(workspace, deny)
    for (const [name, args] of HISTORY) asked.push(await workspace.call(name, args))
    for (const answer of asked) expect(wholeOf(answer)).not.toMatch(/secret-amber|private\/amber/)
  })

  const HISTORY: [string, Record<string, unknown>][] = [
    ['file_history', { path: '/docs' }],
    ['list_changes', {}],
    ['list_changes', { path: '/docs' }],
  ]

  it('are in the audit log for refused uses and for uses without content', async () => {
    const workspace = await workspaceWith({ '/docs/a': 'secret' })
    const { use, session } = await linkTo(workspace, '/docs/a', 'download')
    for (const [method, headers] of [
      ['HEAD', {}],
      ['GET', { 'if-none-match': '*' }],
      ['GET', { range: 'bytes=99-' }],
    ] as const)
      await statusAndText(await use(method, { headers }))
    const uses = JSON.parse(await (await workspace.fetch('/sessions')).text()).sessions[0].uses
    expect(uses).toBe(3)
    expect(await auditOf(workspace)).toContain(byLink(session))
    const up = await linkTo(workspace, '/docs/a', 'upload')
    await configure(workspace, { roots: [{ path: '/', deny: ['docs'] }] })
    const [status, text] = await statusAndText(await send(up.use))
    expect([status, text]).toEqual([403, expect.stringContaining('FORBIDDEN')])
    expect(await auditOf(workspace)).toContain(byLink(up.session))
  })

  it('do not use up its maker’s share of the audit log', async () => {
    const workspace = await workspaceWith({ '/docs/a': 'x'.repeat(50), '/private/b': 'y' })
    const { client, session } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
    await client.call('read_file', { path: '/private/b' })
    const { use } = await linkTo(client, '/docs/a', 'download')
    for (let at = 0; at < 200; at++)
      await statusAndText(await use('GET', { headers: { range: 'bytes=0-0' } }))
    const query = `/audit?session=${session}&outcome=refused`
    const { entries } = JSON.parse(await (await workspace.fetch(query)).text())
    expect(entries).toHaveLength(1)
    expect((await auditOf(workspace)).match(/"downloaded"/g)).toHaveLength(1)
  })

  it('use the share of its maker for a few refused uses, with however many links', async () => {
    const workspace = await workspaceWith({ '/a': 'x' })
    const { client, session } = await ownerLinkOf(workspace)
    const makers = [client, client, workspace]
    const links = await Promise.all(makers.map((maker) => linkTo(maker, '/a', 'download')))
    await configure(workspace, { roots: [{ path: '/', deny: ['a'] }] })
    for (const { use } of links)
      for (let at = 0; at <= MAX_LINK_REFUSALS; at++)
        expect((await statusAndText(await use('GET')))[0]).toBe(403)
    const shares = await runInDurableObject(stubOf(workspace), (_, { storage }) =>
      Array.from(
        storage.sql
          .exec(`SELECT budget, count(*) AS entries FROM audit WHERE budget IS NOT NULL
           GROUP BY budget ORDER BY entries`)
          .raw(),
      ),
    )
    expect(shares).toEqual([
      ['local', MAX_LINK_REFUSALS],
      [session, 2 * MAX_LINK_REFUSALS],
    ])
  })

  it('are found in the audit log by the path of the file', async () => {
    const workspace = await workspaceWith({ '/docs/a': 'x' })
    const agent = modern(workspace, { roots: [{ path: '/docs' }] })
    const args = { path: 'a', direction: 'download' }
    await agent.ask('tools/call', { name: 'transfer_link', arguments: args })
    const { entries } = JSON.parse(await (await workspace.fetch('/audit?path=/docs/a')).text())
    expect(wholeOf(entries)).toContain('transfer_link')
  })

  it('hide no other session from the owner, however many there are', async () => {
    const workspace = await workspaceWith({ '/a': 'x' })
    const { session } = await linkOf(workspace)
    await runInDurableObject(stubOf(workspace), (_, { storage }) => {
      storage.sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
         INSERT INTO sessions (id, parent, principal, label, budget, transfer, created, expires, seen)
         SELECT 'x' || i, parent, principal, label, i, '{"path":"/a","direction":"download"}',
           created + 1000, expires, seen FROM sessions, n WHERE id = ?`,
        session,
      )
    })
    const { sessions } = JSON.parse(await (await workspace.fetch('/sessions')).text())
    expect(sessions.map(({ id }: { id: string }) => id)).toContain(session)
  })

  it('cannot be undone, because they change nothing', async () => {
    const workspace = await workspaceWith({ '/a': 'x' })
    const { client } = await linkOf(workspace, { scopes: ['read'] })
    await linkTo(client, '/a', 'download')
    expect(await client.code('undo_change', { version: 3 })).toBe('CHANGE_NOT_FOUND')
  })

  it('do not exist for a link that only a grant for the call would permit', async () => {
    const workspace = await workspaceWith({ '/other': 'x' })
    const agent = modern(workspace, { roots: [{ path: '/docs' }] })
    const args = { path: '/other', direction: 'download' }
    const granted = { granted_scopes: ['read:file:/'] }
    const { body } = await agent.ask(
      'tools/call',
      { name: 'transfer_link', arguments: args },
      granted,
    )
    expect(codeOfReply(body)).toBe('PATH_OUTSIDE_ROOT')
  })
})

describe('the session list of the owner', () => {
  it('shows its file, its direction and its number of uses', async () => {
    const workspace = await workspaceWith({ '/a': 'one' })
    const { use, session, url } = await linkTo(workspace, '/a', 'download')
    for (let at = 0; at < 3; at++) await statusAndText(await use('GET'))
    const text = await (await workspace.fetch('/sessions')).text()
    const { sessions } = JSON.parse(text)
    expect(sessions).toEqual([
      expect.objectContaining({
        id: session,
        kind: 'transfer',
        label: 'download link',
        transfer: { path: '/a', direction: 'download' },
        uses: 3,
      }),
    ])
    const audit = await auditOf(workspace)
    // The others are only counted, because a holder of the link could otherwise fill the audit log.
    expect(audit.match(/"downloaded"/g)).toHaveLength(1)
    const secret = /\.([\w-]+)\/file$/.exec(url)?.[1] ?? ''
    expect(secret).toHaveLength(43)
    expect(text + audit).not.toContain(secret)
  })
})

/** Uses the link at the object itself, because some callers' workspace has no name. */
function behind(workspace: Workspace, url: string) {
  const secret = /\.([\w-]+)\/file$/.exec(url)?.[1] ?? ''
  const use = (method: string, init: { body?: string; headers?: Record<string, string> } = {}) =>
    stubOf(workspace).fetch(`http://localhost${TRANSFER_PATH}`, {
      method,
      ...init,
      headers: { ...init.headers, [LINK_HEADER]: secret },
    })
  return { use }
}

describe.each(CALLERS)('made by $name', ({ enter, can }) => {
  it('transfers only what its maker may read or write', async () => {
    const workspace = await createTree(() => true)
    const agent: AccessClient = await enter(workspace)
    for (const file of FILES) {
      const link = async (direction: Direction) => {
        const args = { path: file.path, direction }
        const { body } = await agent.ask('tools/call', { name: 'transfer_link', arguments: args })
        const { structuredContent } = recordOf(recordOf(body)['result'])
        const { url } = recordOf(structuredContent)
        return typeof url === 'string' ? behind(workspace, url) : null
      }
      const reading = await link('download')
      expect(reading !== null, `download ${file.path}`).toBe(can.read(file.path))
      if (reading)
        expect(await statusAndText(await reading.use('GET'))).toEqual([200, textOf(file)])
      const writing = await link('upload')
      expect(writing !== null, `upload ${file.path}`).toBe(can.write(file.path))
      const sent = writing && (await statusAndText(await writing.use('PUT', bodyOf('sent'))))
      if (sent) expect(sent[0], wholeOf(sent)).toBeLessThan(202)
      const now = new TextDecoder().decode(await workspace.raw(file.path))
      expect(now, file.path).toBe(can.write(file.path) ? 'sent' : textOf(file))
    }
  })
})
