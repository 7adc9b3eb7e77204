/**
 * Every kind of link with every file of the access matrix, over `/files` and `/changes`: no response tells what the link
 * may not read, and what it may not write does not change. Each request is sent where the files that are forbidden to
 * the link exist, and where they do not.
 */

import { describe, expect, it } from 'vitest'
import { CALLERS, type Can } from '../../support/worker/access-callers.ts'
import {
  createTree,
  FILES,
  ownersView,
  textOf,
  type Workspace,
} from '../../support/worker/access-tree.ts'
import { linkOf } from '../../support/worker/attack-link.ts'

const POLICY = {
  roots: [{ path: '/docs', deny: ['private-jade/**'], immutable: ['sub-birch/**'] }],
}
const SCOPES = ['read:file:/docs', 'write:file:/docs', 'write:file:/drop-mint']
const WRITES = ['write:file:/docs', 'write:file:/drop-mint']

/** Delegates a link from a workspace. */
type Enter = (workspace: Workspace) => Promise<Workspace>

const link =
  (wish: Record<string, unknown>): Enter =>
  async (workspace) =>
    (await linkOf(workspace, wish)).client
const child =
  (wish: Record<string, unknown>): Enter =>
  async (workspace) =>
    (await linkOf((await linkOf(workspace, wish)).client)).client

/** Kinds of links, each with a caller of the matrix that has the same access. */
const LINKS: readonly (readonly [name: string, enter: Enter, like: string])[] = [
  ['under the rules alone', link({}), 'local'],
  ['with a policy', link({ policy: POLICY }), 'link with policy'],
  ['with scopes', link({ scopes: SCOPES }), 'link with scopes'],
  ['below one with a policy', child({ policy: POLICY }), 'delegate of a link with policy'],
  ['below one with scopes', child({ scopes: SCOPES }), 'delegate of a link with scopes'],
  ['with scopes to write', link({ scopes: WRITES }), 'token, write-only'],
]

const FOLDERS = ['', '/docs', '/docs/private-jade', '/vault-kelp', '/outside-lapis', '/none']

const READS = [
  '/changes?limit=1000',
  ...FOLDERS.flatMap((folder) => [`/files${folder}/`, `/files${folder}/?recursive=true`]),
  ...FOLDERS.slice(1).map((folder) => `/changes?path=${folder}`),
]

const CHANGES: readonly RequestInit[] = [
  { method: 'PUT', body: 'new', headers: { 'if-match': '"1"' } },
  { method: 'PUT', body: 'new', headers: { 'if-none-match': '*' } },
  { method: 'DELETE', headers: { 'if-match': '"1"' } },
  { method: 'PUT', body: 'new' },
  { method: 'DELETE' },
]

/** Everything that a response tells, without times. */
async function shownBy(
  { fetch }: Workspace,
  path: string,
  init: RequestInit = {},
): Promise<string> {
  const answer = await fetch(path, init)
  const text = await answer.text()
  const headers = [...answer.headers].filter(([name]) => name !== 'last-modified')
  const shown = text.replace(/"(?:mtime|at)":(?:\d+|"[^"]*")/g, '')
  return JSON.stringify([answer.status, headers, shown])
}

const canOf = (like: string): Can => {
  const found = CALLERS.find(({ name }) => name === like)
  if (!found) throw new Error(`No caller is named ${like}`)
  return found.can
}

describe.each(LINKS)('a link %s', (_, enter, like) => {
  it('learns nothing of unreadable files, and changes nothing that it may not write', async () => {
    const can = canOf(like)
    const workspaces = [await createTree(() => true), await createTree(can.read)] as const
    const clients = [await enter(workspaces[0]), await enter(workspaces[1])] as const
    const expectSame = async (path: string, init: RequestInit = {}) => {
      const shown = await Promise.all(clients.map((client) => shownBy(client, path, { ...init })))
      expect(shown[1], `${init.method} ${path}`).toBe(shown[0])
      for (const { path: hidden, word } of FILES)
        if (!can.read(hidden) && !path.includes(word)) expect(shown[0], path).not.toContain(word)
    }
    const before = await ownersView(workspaces[0])
    for (const path of READS) await expectSame(path)
    for (const file of FILES) {
      await expectSame(`/files${file.path}`)
      await expectSame(`/files${file.path}`, { method: 'HEAD' })
      const answer = await clients[0].fetch(`/files${file.path}`)
      const text = await answer.text()
      expect(answer.status === 200 && text === textOf(file), file.path).toBe(can.read(file.path))
      if (can.write(file.path)) continue
      for (const init of CHANGES) await expectSame(`/files${file.path}`, init)
    }
    expect(await ownersView(workspaces[0])).toBe(before)
    for (const { path } of FILES.filter((file) => can.write(file.path)))
      for (const init of CHANGES.slice(0, 4)) await expectSame(`/files${path}`, init)
    for (const { path, size } of FILES.filter((file) => !can.write(file.path)))
      expect(await workspaces[0].raw(path), path).toHaveLength(size)
  })
})
