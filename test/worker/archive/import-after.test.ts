/** Imports of a sender that knows a version: what others have changed since is not written, and reported. */

import { MAX_IMPORT_CONFLICTS } from '#worker/limits.ts'
import { packTar } from 'modern-tar'
import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { textOf } from '../../support/worker/held-draft.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const fileEntry = (name: string, body: string) => ({
  header: { name, size: body.length },
  body: new TextEncoder().encode(body),
})

async function importAfter(
  { fetch }: Workspace,
  after: number | string,
  entries: Parameters<typeof packTar>[0],
) {
  const body = await packTar(entries)
  const answer = await fetch(`/import?to=/in&after=${after}`, { method: 'POST', body })
  return { status: answer.status, ...Object(await answer.json()) }
}

it('writes what no other change concerns, and reports the version after it', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/in/a', 'old')
  const report = await importAfter(workspace, 1, [fileEntry('a', 'new'), fileEntry('b', 'new')])
  expect(report).toMatchObject({ status: 200, files: 2, conflicted: 0, conflicts: [], version: 2 })
  expect(await textOf(workspace, '/in/a')).toBe('new')
})

it('reports nothing of conflicts without a version', async () => {
  const workspace = freshWorkspace()
  const body = await packTar([fileEntry('a', 'new')])
  const report = await (await workspace.fetch('/import', { method: 'POST', body })).json()
  expect(report).toEqual({ files: 1, folders: 0, bytes: 3, skipped: 0, reasons: [] })
})

it('keeps what was changed, created, deleted or moved since', async () => {
  const workspace = freshWorkspace()
  for (const name of ['changed', 'deleted', 'moved', 'same'])
    await workspace.put(`/in/${name}`, 'old')
  await workspace.put('/in/changed', 'theirs')
  await workspace.text('delete_file', { path: '/in/deleted' })
  await workspace.text('move_file', { from: '/in/moved', to: '/in/away' })
  await workspace.put('/in/created', 'theirs')
  const names = ['changed', 'deleted', 'moved', 'created', 'same']
  const report = await importAfter(
    workspace,
    4,
    names.map((name) => fileEntry(name, 'mine')),
  )
  expect(report).toMatchObject({ files: 1, conflicted: 4 })
  expect(report.conflicts).toEqual([
    { path: '/in/changed', version: 5 },
    { path: '/in/deleted', version: 6 },
    { path: '/in/moved', version: 7 },
    { path: '/in/created', version: 8 },
  ])
  expect(await textOf(workspace, '/in/changed')).toBe('theirs')
  expect(await textOf(workspace, '/in/deleted')).toBeNull()
  expect(await textOf(workspace, '/in/created')).toBe('theirs')
  expect(await textOf(workspace, '/in/same')).toBe('mine')
})

it('reports a file in the place of a folder, and a folder in the place of a file', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/in/kept/a', 'old')
  await workspace.put('/in/folder', 'theirs')
  await workspace.put('/in/file/a', 'theirs')
  const report = await importAfter(workspace, 1, [
    fileEntry('folder/deep/a', 'mine'),
    fileEntry('file', 'mine'),
    { header: { name: 'folder', size: 0, type: 'directory' } },
    { header: { name: 'file', size: 0, type: 'directory' } },
    fileEntry('kept/b', 'mine'),
  ])
  expect(report.conflicts).toEqual([
    { path: '/in/folder/deep/a', version: 2 },
    { path: '/in/file', version: 3 },
    { path: '/in/folder', version: 2 },
  ])
  expect(report).toMatchObject({ files: 1, folders: 1, skipped: 0, conflicted: 3 })
})

it('does not take its own files for those of others', async () => {
  const workspace = freshWorkspace()
  const many = Array.from({ length: 600 }, (_, at) => fileEntry(`n${at}`, 'one'))
  const report = await importAfter(workspace, 0, [...many, fileEntry('n0', 'again')])
  expect(report).toMatchObject({ files: 601, conflicted: 0 })
  expect(await textOf(workspace, '/in/n0')).toBe('again')
})

it('counts more conflicts than it lists', async () => {
  const workspace = freshWorkspace()
  const many = Array.from({ length: MAX_IMPORT_CONFLICTS + 1 }, (_, at) => fileEntry(`n${at}`, ''))
  expect(await importAfter(workspace, 0, many)).toMatchObject({ conflicted: 0 })
  const report = await importAfter(workspace, 0, many)
  expect(report).toMatchObject({ files: 0, conflicted: MAX_IMPORT_CONFLICTS + 1 })
  expect(report.conflicts).toHaveLength(MAX_IMPORT_CONFLICTS)
})

it.each(['x', '-1', '1.5', '7', ''])('refuses the version %j and writes nothing', async (after) => {
  const workspace = freshWorkspace()
  const report = await importAfter(workspace, after, [fileEntry('a', 'new')])
  expect(report).toMatchObject({ status: 400, code: 'INVALID_AFTER' })
  expect(await textOf(workspace, '/in/a')).toBeNull()
})
