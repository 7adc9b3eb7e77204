/** The feed over HTTP: its pages, what a link sees of it, and what it refuses. */

import { MAX_CHANGES } from '#worker/limits.ts'
import {
  MAX_FEED_CHANGE_FILES,
  MAX_FEED_COUNTED_FILES,
  MAX_FEED_PAGE_FILES,
} from '#worker/access/limits.ts'
import { parsePath } from '#core/path.ts'
import { MAX_FEED_PAGE, MAX_FEED_WAIT_SECONDS } from '#worker/api/limits.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { packTar } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { readFeed } from '../../support/e2e/feed.ts'
import { storeOf, stubOf } from '../../support/worker/object-life.ts'
import { act } from '../../support/worker/store-contract.ts'

const HASH_OF_ONE = '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed'

const linkTo = async (workspace: ReturnType<typeof freshWorkspace>, folder: string) =>
  (await linkOf(workspace, { scopes: [`read:file:${folder}`, `write:file:${folder}`] })).client

describe('a page', () => {
  it('has the changes in order, each with what it left', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/docs/a', 'one')
    await workspace.text('move_file', { from: '/docs/a', to: '/b' })
    await workspace.text('delete_file', { path: '/docs' })
    const feed = await readFeed(workspace, 'after=0')
    const [put, moved, deleted] = feed.changes
    expect(feed).toMatchObject({ version: 3, next: 3, decided: [] })
    expect(put).toMatchObject({ version: 1, tool: 'PUT', intent: 'Upload /docs/a', left: 0 })
    expect(put?.files).toEqual([
      { path: '/docs', kind: 'folder' },
      { path: '/docs/a', kind: 'file', size: 3, hash: HASH_OF_ONE },
    ])
    expect(moved?.files).toEqual([
      { path: '/b', kind: 'file', size: 3, hash: HASH_OF_ONE },
      { path: '/docs/a', kind: 'gone' },
    ])
    expect(deleted?.files).toEqual([{ path: '/docs', kind: 'gone' }])
  })

  it('begins after a version, and ends after as many changes as are asked for', async () => {
    const workspace = freshWorkspace()
    for (const name of ['a', 'b', 'c']) await workspace.put(`/${name}`, name)
    const first = await readFeed(workspace, 'after=1&limit=1')
    expect(first.changes.map(({ version }) => version)).toEqual([2])
    expect(first).toMatchObject({ version: 3, next: 2 })
    const second = await readFeed(workspace, 'after=2&limit=1')
    expect(second).toMatchObject({ version: 3, next: 3 })
    expect(await readFeed(workspace, 'after=3')).toMatchObject({ next: 3, changes: [] })
  })

  it('has only what is at or below a folder', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/docs/a', 'one')
    await workspace.put('/docs-more/a', 'one')
    await workspace.text('move_file', { from: '/docs', to: '/old' })
    const { changes, next } = await readFeed(workspace, 'path=/docs')
    expect(next).toBe(3)
    expect(changes.map(({ version, files }) => [version, files.map(({ path }) => path)])).toEqual([
      [1, ['/docs', '/docs/a']],
      [3, ['/docs', '/docs/a']],
    ])
  })

  it('has no change that touched no file', async () => {
    const workspace = freshWorkspace()
    await linkOf(workspace)
    const feed = await readFeed(workspace, '')
    expect(feed).toMatchObject({ version: 1, next: 1, changes: [] })
  })

  it('lists a part of a large change, and counts the others', async () => {
    const workspace = freshWorkspace()
    const entries = Array.from({ length: MAX_FEED_CHANGE_FILES + 200 }, (_, at) => ({
      header: { name: `many/${String(at).padStart(5, '0')}`, size: 0 },
    }))
    const tar = await packTar(entries)
    await (await workspace.fetch('/import', { method: 'POST', body: tar })).text()
    await workspace.text('move_file', { from: '/many', to: '/moved' })
    const { version } = await readFeed(workspace, '')
    const { changes } = await readFeed(workspace, `after=${version - 1}`)
    expect(changes[0]?.files).toHaveLength(MAX_FEED_CHANGE_FILES)
    expect(changes[0]?.left).toBe(2 * (entries.length + 1) - MAX_FEED_CHANGE_FILES)
  })
})

it('ends a page after so many files, and counts no more than so many of one change', async () => {
  const workspace = freshWorkspace()
  const full = MAX_FEED_PAGE_FILES / MAX_FEED_CHANGE_FILES
  await runInDurableObject(stubOf(workspace), async (_, state) => {
    const store = storeOf(state)
    const content = await store.hold(new Uint8Array(0))
    act(store, { type: 'folder', path: parsePath('/in') })
    for (let change = 0; change <= full; change++) {
      const steps = Array.from({ length: MAX_FEED_CHANGE_FILES }, (__, at) => ({
        ...{ type: 'put' as const, path: parsePath(`/in/${change}-${at}`), content },
      }))
      expect(act(store, ...steps).ok).toBe(true)
    }
    act(store, { type: 'move', from: parsePath('/in'), to: parsePath('/out') })
  })
  await evictDurableObject(stubOf(workspace))
  const first = await readFeed(workspace, 'after=1')
  expect(first).toMatchObject({ next: 1 + full, version: full + 3 })
  expect(first.changes).toHaveLength(full)
  const { changes } = await readFeed(workspace, `after=${full + 2}`)
  expect(changes[0]?.left).toBe(MAX_FEED_COUNTED_FILES - MAX_FEED_CHANGE_FILES)
})

describe('through a link', () => {
  it('has what the link may read, and nothing that would tell of the rest', async () => {
    const workspace = freshWorkspace()
    const client = await linkTo(workspace, '/in')
    await workspace.put('/out/secret', 'one')
    await workspace.put('/in/a', 'one')
    await workspace.text('move_file', { from: '/out/secret', to: '/in/b' })
    await workspace.text('move_file', { from: '/in/a', to: '/out/hidden' })
    const feed = await readFeed(client, '')
    expect(JSON.stringify(feed)).not.toMatch(/secret|hidden|out/)
    expect(feed.changes.map(({ tool, intent, files }) => [tool, intent, files])).toEqual([
      [
        'PUT',
        'Upload /in/a',
        [
          { path: '/in', kind: 'folder' },
          { path: '/in/a', kind: 'file', size: 3, hash: HASH_OF_ONE },
        ],
      ],
      [
        'change',
        'Change a file or a folder',
        [{ path: '/in/b', kind: 'file', size: 3, hash: HASH_OF_ONE }],
      ],
      ['change', 'Change a file or a folder', [{ path: '/in/a', kind: 'gone' }]],
    ])
    expect(feed.changes.every(({ left }) => left === 0)).toBe(true)
  })

  it('does not tell of a file where a folder above its files was', async () => {
    const workspace = freshWorkspace()
    const client = await linkTo(workspace, '/in/deep')
    await workspace.put('/in', 'a file')
    await workspace.text('delete_file', { path: '/in' })
    expect((await readFeed(client, '')).changes).toEqual([])
    await workspace.put('/in/deep/a', 'one')
    await workspace.text('delete_file', { path: '/in' })
    const { changes } = await readFeed(client, '')
    expect(changes.map(({ files }) => files.map(({ path, kind }) => [path, kind]))).toEqual([
      [
        ['/in', 'folder'],
        ['/in/deep', 'folder'],
        ['/in/deep/a', 'file'],
      ],
      [
        ['/in', 'gone'],
        ['/in/deep', 'gone'],
        ['/in/deep/a', 'gone'],
      ],
    ])
  })

  it('has no change of a draft, and the decisions on its own', async () => {
    const workspace = freshWorkspace()
    const { client } = await linkOf(workspace)
    const other = await linkOf(workspace)
    const owner = ownerOf(workspace)
    await owner.demand('review')
    const before = await readFeed(client, '')
    await client.fetch('/files/a', { method: 'PUT', body: 'one' })
    expect(await readFeed(client, '')).toMatchObject({ changes: [], decided: [] })
    await owner.decide('turn-down', { note: 'not now' })
    const { decided, changes } = await readFeed(client, `after=${before.version}`)
    expect(changes).toEqual([])
    expect(decided).toMatchObject([{ outcome: 'turned_down', note: 'not now', paths: ['/a'] }])
    await client.fetch('/files/a', { method: 'PUT', body: 'two' })
    await owner.decide('approve')
    const after = await readFeed(client, `after=${before.version}`)
    expect(after.decided.map(({ outcome }) => outcome)).toEqual(['approved', 'turned_down'])
    expect(after.changes).toMatchObject([{ approved_by: 'local', files: [{ path: '/a' }] }])
    expect((await readFeed(other.client, '')).decided).toEqual([])
    expect((await readFeed(workspace, '')).decided).toEqual([])
  })

  it.each([
    ['a folder outside', 'path=/out', 403, 'INSUFFICIENT_SCOPE'],
    ['a folder beside', 'path=/in-more', 403, 'INSUFFICIENT_SCOPE'],
  ])('refuses %s', async (_, query, status, code) => {
    const workspace = freshWorkspace()
    const client = await linkTo(workspace, '/in')
    await workspace.put('/out/a', 'one')
    const answer = await client.fetch(`/changes?${query}`)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ code })
  })

  it('refuses a link without a scope to read', async () => {
    const workspace = freshWorkspace()
    const { client } = await linkOf(workspace, { scopes: ['write:file:/in'] })
    const answer = await client.fetch('/changes')
    expect([answer.status, Object(await answer.json()).code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
  })
})

describe('refuses', () => {
  it.each([
    ['after=-1', 'INVALID_AFTER'],
    ['after=1.5', 'INVALID_AFTER'],
    ['after=x', 'INVALID_AFTER'],
    ['after=1', 'INVALID_AFTER'],
    ['after=', 'INVALID_AFTER'],
    ['limit=0', 'INVALID_QUERY'],
    [`limit=${MAX_FEED_PAGE + 1}`, 'INVALID_QUERY'],
    ['limit=2.5', 'INVALID_QUERY'],
    [`wait=${MAX_FEED_WAIT_SECONDS + 1}`, 'INVALID_QUERY'],
    ['wait=soon', 'INVALID_QUERY'],
    ['path=a%00b', 'INVALID_PATH'],
  ])('%s', async (query, code) => {
    const answer = await freshWorkspace().fetch(`/changes?${query}`)
    expect([answer.status, Object(await answer.json()).code]).toEqual([400, code])
  })

  it('other methods', async () => {
    const answer = await freshWorkspace().fetch('/changes', { method: 'POST', body: '{}' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('a version after which changes are no longer kept, and says where to go on', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'one')
    const stub = stubOf(workspace)
    await runInDurableObject(stub, (_, { storage: { sql } }) => {
      sql.exec('UPDATE changes SET version = ?', MAX_CHANGES + 7)
      sql.exec('UPDATE versions SET version = ?', MAX_CHANGES + 7)
      sql.exec('UPDATE files SET version = ?', MAX_CHANGES + 7)
    })
    await evictDurableObject(stub)
    const answer = await workspace.fetch('/changes?after=6')
    expect(answer.status).toBe(410)
    const body = Object(await answer.json())
    expect(body).toMatchObject({ code: 'CHANGES_GONE', oldest: 7 })
    expect(body.message).toContain('recursive=true')
    expect((await readFeed(workspace, 'after=7')).changes).toHaveLength(1)
  })
})
