/** Folders that a change has created and its caller may not remove: an undo takes the files back and leaves them. */

import { expect, it } from 'vitest'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'

type Client = Pick<ReturnType<typeof freshWorkspace>, 'call' | 'text' | 'code'>

/** Configures a root that does not exist yet. */
async function withRoot() {
  const workspace = freshWorkspace()
  const config = JSON.stringify({ roots: [{ path: '/' }, { path: '/docs/own' }] })
  const answer = await workspace.fetch('/config', { method: 'PUT', body: config })
  expect(answer.status).toBe(200)
  return workspace
}

/** A workspace, and a link to a folder of it that does not exist yet. */
async function withLink() {
  const workspace = freshWorkspace()
  const scopes = ['read:file:/docs/own', 'write:file:/docs/own']
  return { workspace, client: (await linkOf(workspace, { scopes })).client }
}

async function isThere({ fetch }: ReturnType<typeof freshWorkspace>, folder: string) {
  const exported = await fetch(`/export?from=${folder}`)
  await exported.body?.cancel()
  return exported.ok
}

async function write(client: Client): Promise<number> {
  const { result } = await client.call('write_file', { path: '/docs/own/sub/a.md', content: 'one' })
  return Number(result?.structuredContent['version'])
}

it.each([
  ['a root', '/docs/own', () => withRoot().then((workspace) => ({ workspace, client: workspace }))],
  ['a folder above that of its link', '/docs', withLink],
] as const)('an undo by a caller that created %s takes its file back', async (_, stays, open) => {
  const { workspace, client } = await open()
  const version = await write(client)
  expect(await client.code('undo_change', { version })).toBeUndefined()
  expect(await client.code('read_file', { path: '/docs/own/sub/a.md' })).toBe('FILE_NOT_FOUND')
  expect(await isThere(workspace, '/docs/own/sub')).toBe(false)
  expect(await isThere(workspace, stays)).toBe(true)

  expect(await client.code('undo_change', { version: version + 1 })).toBeUndefined()
  expect(await client.text('read_file', { path: '/docs/own/sub/a.md' })).toContain('one')
})

it('a checkpoint from before a root can be restored', async () => {
  const workspace = await withRoot()
  await workspace.text('write_file', { path: '/b.md', content: 'one' })
  const { result } = await workspace.call('create_checkpoint', { name: 'before' })
  const checkpoint = result?.structuredContent['id']
  await write(workspace)
  expect(await workspace.code('restore_checkpoint', { checkpoint })).toBeUndefined()
  expect(await isThere(workspace, '/docs/own/sub')).toBe(false)
  expect(await isThere(workspace, '/docs/own')).toBe(true)
})

it('a folder that its caller may remove does not stay', async () => {
  const workspace = freshWorkspace()
  const version = await write(workspace)
  expect(await workspace.code('undo_change', { version })).toBeUndefined()
  expect(await isThere(workspace, '/docs')).toBe(false)
})
