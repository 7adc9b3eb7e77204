/** Recursive listings: everything below a folder in pages, for the owner and through links. */

import { MAX_TREE_EXAMINED, MAX_TREE_PAGE } from '#worker/api/limits.ts'
import { parsePath } from '#core/path.ts'
import { runInDurableObject } from 'cloudflare:test'
import { packTar } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { readTree } from '../../support/e2e/feed.ts'
import { storeOf, stubOf } from '../../support/worker/object-life.ts'
import { act } from '../../support/worker/store-contract.ts'

const HASH_OF_ONE = '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed'

const pathsOf = ({ entries }: Awaited<ReturnType<typeof readTree>>) =>
  entries.map(({ path }) => path)

describe('a page', () => {
  it('has the files and the empty folders below a folder, by their paths', async () => {
    const workspace = freshWorkspace()
    for (const path of ['/in/a.txt', '/in/a/b', '/in/a-b/c/d', '/other'])
      await workspace.put(path, 'one')
    await workspace.text('create_folder', { path: '/in/empty' })
    const page = await readTree(workspace, '/in')
    expect(pathsOf(page)).toEqual(['/in/a-b/c/d', '/in/a.txt', '/in/a/b', '/in/empty'])
    expect(page).toMatchObject({ path: '/in', version: 5, next: null })
    expect(page.entries[1]).toEqual({
      ...{ path: '/in/a.txt', type: 'file', version: 1, size: 3, hash: HASH_OF_ONE },
      ...{ mime: 'text/plain', mtime: expect.any(Number) },
    })
    expect(page.entries[3]).toEqual({
      ...{ path: '/in/empty', type: 'folder', version: 5, mtime: expect.any(Number) },
    })
  })

  it('goes on after the last path of the one before', async () => {
    const workspace = freshWorkspace()
    for (const path of ['/a/b', '/a-b', '/a/c', '/ü', '/𝒳']) await workspace.put(path, 'one')
    const found: string[] = []
    for (let after: string | null = ''; after !== null;) {
      const more: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`
      const page: Awaited<ReturnType<typeof readTree>> = await readTree(
        workspace,
        '/',
        `limit=1${more}`,
      )
      found.push(...pathsOf(page))
      after = page.next
    }
    expect(found).toEqual(['/a-b', '/a/b', '/a/c', '/ü', '/𝒳'])
  })

  it('says which files are executable', async () => {
    const workspace = freshWorkspace()
    const headers = { 'x-edgewise-executable': 'true' }
    await (await workspace.fetch('/files/run', { method: 'PUT', body: 'one', headers })).text()
    expect((await readTree(workspace)).entries[0]).toMatchObject({ executable: true })
  })

  it('has one hash for each of several files with the same content', async () => {
    const workspace = freshWorkspace()
    for (const path of ['/a', '/b']) await workspace.put(path, 'one')
    const { entries } = await readTree(workspace)
    expect(entries.map(({ hash }) => hash)).toEqual([HASH_OF_ONE, HASH_OF_ONE])
  })

  it('ends after so many folders that are not empty', async () => {
    const workspace = freshWorkspace()
    const stub = stubOf(workspace)
    const deep = 19
    await runInDurableObject(stub, async (_, state) => {
      const store = storeOf(state)
      const content = await store.hold(new Uint8Array(0))
      const folders = Array.from({ length: deep }, (__, at) => `${at}`).join('/')
      const steps = Array.from({ length: MAX_TREE_EXAMINED / 20 + 5 }, (__, at) => ({
        ...{ type: 'put' as const, path: parsePath(`/${at}/${folders}/file`), content },
      }))
      expect(act(store, ...steps).ok).toBe(true)
    })
    const first = await readTree(workspace, '/', `limit=${MAX_TREE_PAGE}`)
    expect(first.entries.length).toBeLessThan(MAX_TREE_EXAMINED / 20 + 5)
    expect(first.next).not.toBeNull()
    const more = `limit=${MAX_TREE_PAGE}&after=${encodeURIComponent(first.next ?? '')}`
    const second = await readTree(workspace, '/', more)
    expect(second.next).toBeNull()
    expect(first.entries.length + second.entries.length).toBe(MAX_TREE_EXAMINED / 20 + 5)
  })

  it('has as many entries as are asked for, up to the maximum', async () => {
    const workspace = freshWorkspace()
    const tar = await packTar(
      Array.from({ length: MAX_TREE_PAGE + 1 }, (_, at) => ({
        header: { name: String(at).padStart(6, '0'), size: 0 },
      })),
    )
    await (await workspace.fetch('/import', { method: 'POST', body: tar })).text()
    const page = await readTree(workspace, '/', `limit=${MAX_TREE_PAGE}`)
    expect(page.entries).toHaveLength(MAX_TREE_PAGE)
    expect(page.next).toBe(`/${String(MAX_TREE_PAGE - 1).padStart(6, '0')}`)
    expect((await readTree(workspace)).entries).toHaveLength(1_000)
  })
})

describe('through a link', () => {
  it('has what the link may read', async () => {
    const workspace = freshWorkspace()
    for (const path of ['/in/a', '/in/deep/b', '/out/secret']) await workspace.put(path, 'one')
    const { client } = await linkOf(workspace, { scopes: ['read:file:/in'] })
    expect(pathsOf(await readTree(client))).toEqual(['/in/a', '/in/deep/b'])
    const answer = await client.fetch('/files/out?recursive=true')
    expect([answer.status, Object(await answer.json()).code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
  })

  it('shows a folder as empty in which it may read nothing', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/in/private/secret', 'one')
    const { client } = await linkOf(workspace, {
      policy: { roots: [{ path: '/in', deny: ['private/*'] }] },
    })
    expect(pathsOf(await readTree(client, '/in'))).toEqual(['/in/private'])
  })
})

describe('refuses', () => {
  it.each([
    ['recursive=yes', 'INVALID_QUERY'],
    ['recursive=true&limit=0', 'INVALID_QUERY'],
    [`recursive=true&limit=${MAX_TREE_PAGE + 1}`, 'INVALID_QUERY'],
    ['recursive=true&limit=x', 'INVALID_QUERY'],
    ['recursive=true&after=/elsewhere', 'INVALID_AFTER'],
    ['recursive=true&after=../other', 'INVALID_AFTER'],
    ['recursive=true&after=a%00b', 'INVALID_AFTER'],
  ])('%s', async (query, code) => {
    const workspace = freshWorkspace()
    await workspace.put('/in/a', 'one')
    const answer = await workspace.fetch(`/files/in?${query}`)
    expect([answer.status, Object(await answer.json()).code]).toEqual([400, code])
  })

  it('a folder that does not exist', async () => {
    expect((await freshWorkspace().fetch('/files/none?recursive=true')).status).toBe(404)
  })
})
