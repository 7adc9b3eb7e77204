/**
 * Every kind of link with every file of the access matrix, by every method of WebDAV: no response tells what the link may
 * not read, and what it may not write does not change. Each request is sent where the files that are forbidden to the
 * link exist, and where they do not; first with rules under which changes are applied, then with rules that hold them.
 */

import { DAV_METHODS } from '#worker/front/dav.ts'
import { describe, expect, it } from 'vitest'
import { CALLERS, type Can } from '../../support/worker/access-callers.ts'
import {
  createTree,
  FILES,
  OWNER_RULES,
  ownersView,
  textOf,
  type Workspace,
} from '../../support/worker/access-tree.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import {
  davClient,
  passwordOf,
  setting,
  type DavClient,
  type Sent,
} from '../../support/worker/dav.ts'
import { configure } from '../../support/worker/held-draft.ts'

const POLICY = {
  roots: [{ path: '/docs', deny: ['private-jade/**'], immutable: ['sub-birch/**'] }],
}
const SCOPES = ['read:file:/docs', 'write:file:/docs', 'write:file:/drop-mint']
const WRITES = ['write:file:/docs', 'write:file:/drop-mint']

/** Delegates a link from a workspace, and connects to it. */
type Enter = (workspace: Workspace) => Promise<DavClient>

const connect = (workspace: Workspace, client: Workspace) =>
  davClient(workspace, passwordOf(client))

const link =
  (wish: Record<string, unknown>): Enter =>
  async (workspace) =>
    connect(workspace, (await linkOf(workspace, wish)).client)
const child =
  (wish: Record<string, unknown>): Enter =>
  async (workspace) =>
    connect(workspace, (await linkOf((await linkOf(workspace, wish)).client)).client)

/** Kinds of links, each with a caller of the matrix that has the same access. */
const LINKS: readonly (readonly [name: string, enter: Enter, like: string])[] = [
  ['under the rules alone', link({}), 'local'],
  ['with a policy', link({ policy: POLICY }), 'link with policy'],
  ['with scopes', link({ scopes: SCOPES }), 'link with scopes'],
  ['below one with a policy', child({ policy: POLICY }), 'delegate of a link with policy'],
  ['below one with scopes', child({ scopes: SCOPES }), 'delegate of a link with scopes'],
  ['with scopes to write', link({ scopes: WRITES }), 'token, write-only'],
]

const FOLDERS = ['/', '/docs', '/docs/private-jade', '/vault-kelp', '/outside-lapis', '/none']

/** A request to a path; `to` is where copies and moves of it go. */
interface Row extends Sent {
  readonly method: string
  readonly to?: string
}

const READS: readonly Row[] = [
  { method: 'GET' },
  { method: 'HEAD' },
  { method: 'PROPFIND', headers: { depth: '0' } },
  { method: 'PROPFIND', headers: { depth: '1' } },
  { method: 'PROPFIND', headers: { depth: 'infinity' } },
  {
    method: 'PROPFIND',
    headers: { depth: '1' },
    body: '<propfind xmlns="DAV:"><prop><getetag/><quota-used-bytes/><checksums xmlns="http://owncloud.org/ns"/></prop></propfind>',
  },
  { method: 'OPTIONS' },
]

const ETAG = '"0000000000000000000000000000000000000000000000000000000000000000"'

const LOCK =
  '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>'

/** Changes of a path that the link may not write. The first ones tell of what is there. */
const CHANGES: readonly Row[] = [
  { method: 'PUT', body: 'new', headers: { 'if-match': ETAG } },
  { method: 'PUT', body: 'new', headers: { 'if-none-match': '*' } },
  { method: 'PUT', body: 'new', headers: { if: `([${ETAG}])` } },
  { method: 'DELETE', headers: { 'if-match': ETAG } },
  { method: 'MOVE', to: '/docs/n-moved', headers: { overwrite: 'F' } },
  { method: 'MOVE', to: '/drop-mint/n-moved' },
  { method: 'PROPPATCH', body: setting('<x:own>1</x:own>') },
  { method: 'PROPPATCH', body: setting('<lastmodified>1</lastmodified>') },
  { method: 'LOCK', body: LOCK },
  {
    method: 'UNLOCK',
    headers: { 'lock-token': '<urn:uuid:00000000-0000-4000-8000-000000000000>' },
  },
  { method: 'MKCOL' },
  { method: 'PUT', body: 'new' },
  { method: 'DELETE' },
]

/** Copies of a path that the link may not read. */
const COPIES: readonly Row[] = ['/docs/n-copy', '/drop-mint/n-copy'].map((to) => ({
  method: 'COPY',
  to,
}))

const sendRow = (dav: DavClient, path: string, { method, to, headers, body }: Row) =>
  dav.send(method, path, {
    headers: { ...headers, ...(to !== undefined && { destination: dav.address(to) }) },
    ...(body !== undefined && { body }),
  })

/** Everything that a response tells, without times and the name of the workspace. */
async function shownBy(dav: DavClient, path: string, row: Row): Promise<string> {
  const { status, headers, text } = await sendRow(dav, path, row)
  const sent = [...headers].filter(
    ([name]) => name !== 'last-modified' && name !== 'edgewise-draft',
  )
  const shown = text
    .replace(/<D:getlastmodified>[^<]*/g, '')
    .replaceAll(/\/w\/t\d+-[\da-f]+/g, '/w/name')
  return JSON.stringify([status, sent, shown])
}

const canOf = (like: string): Can => {
  const found = CALLERS.find(({ name }) => name === like)
  if (!found) throw new Error(`No caller is named ${like}`)
  return found.can
}

it('has a row for every method', () => {
  const rows = [...READS, ...CHANGES, ...COPIES].map(({ method }) => method)
  expect([...DAV_METHODS].filter((method) => !rows.includes(method))).toEqual([])
})

describe.each(['none', 'review'])('with the approval level %s', (approval) => {
  it.each(LINKS)('a link %s learns nothing that it may not read', async (_, enter, like) => {
    const can = canOf(like)
    const workspaces = [await createTree(() => true), await createTree(can.read)] as const
    for (const workspace of workspaces)
      if (approval !== 'none') await configure(workspace, { ...OWNER_RULES, approval })
    const clients = [await enter(workspaces[0]), await enter(workspaces[1])] as const
    const expectSame = async (path: string, row: Row) => {
      const shown = await Promise.all(clients.map((client) => shownBy(client, path, row)))
      expect(shown[1], `${row.method} ${path}`).toBe(shown[0])
      for (const { path: hidden, word } of FILES)
        if (!can.read(hidden) && !`${path}${row.to}`.includes(word))
          expect(shown[0], path).not.toContain(word)
    }
    const before = await ownersView(workspaces[0])
    for (const path of [...FOLDERS, ...FILES.map((file) => file.path)])
      for (const row of READS) await expectSame(path, row)
    for (const file of FILES) {
      const answer = await clients[0].send('GET', file.path)
      const isRead = answer.status === 200 && answer.text === textOf(file)
      expect(isRead, file.path).toBe(can.read(file.path))
      if (!can.read(file.path)) for (const row of COPIES) await expectSame(file.path, row)
      if (can.write(file.path)) continue
      for (const row of CHANGES) await expectSame(file.path, row)
      for (const from of FILES.filter((one) => can.read(one.path)))
        await expectSame(from.path, { method: 'COPY', to: file.path })
    }
    expect(await ownersView(workspaces[0])).toBe(before)
    for (const { path } of FILES.filter((file) => can.write(file.path)))
      for (const row of CHANGES.filter(({ method }) => method === 'PUT'))
        await expectSame(path, row)
    for (const { path, size } of FILES.filter((file) => !can.write(file.path)))
      expect(await workspaces[0].raw(path), path).toHaveLength(size)
    if (approval !== 'none') expect(await ownersView(workspaces[0])).toBe(before)
  })
})
