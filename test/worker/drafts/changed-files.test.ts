/** The list of changed files: risky ones first, a move as one, a deleted folder as one with its files below it. */

import { recordOf } from '#core/json.ts'
import { MAX_COUNTED_BYTES } from '#worker/limits.ts'
import { describe, expect, it } from 'vitest'
import {
  approve,
  configure,
  held,
  listOf,
  read,
  show,
  textOf,
  write,
  type Workspace,
} from '../../support/worker/held-draft.ts'

const REVIEW = { approval: 'review' }

const pathsOf = (files: readonly Record<string, unknown>[]) => files.map(({ path }) => path)

it('has risky files first, each part in path order', async () => {
  const workspace = await held({ '/m.md': 'm\n' }, REVIEW)
  for (const path of ['/b.md', '/z.sh', '/a.md', '/.env']) await write(workspace, path, 'x\n')
  await workspace.call('delete_file', { path: '/m.md' })
  expect(pathsOf((await show(workspace)).files)).toEqual([
    '/.env',
    '/m.md',
    '/z.sh',
    '/a.md',
    '/b.md',
  ])
})

it('has a moved file once, with where it was, and no lines', async () => {
  const workspace = await held({ '/from.md': 'text\n' }, REVIEW)
  await workspace.call('move_file', { from: '/from.md', to: '/sub/to.md' })
  const { files } = await show(workspace)
  expect(files).toMatchObject([
    { path: '/sub/to.md', from: '/from.md', change: 'added', risks: [] },
  ])
  expect(files).toHaveLength(1)
  expect(files[0]).not.toHaveProperty('added')
})

it('does not call a copy of what was deleted elsewhere a move, if its content is another', async () => {
  const workspace = await held({ '/from.md': 'text\n' }, REVIEW)
  await workspace.call('delete_file', { path: '/from.md' })
  await write(workspace, '/to.md', 'other\n')
  expect(pathsOf((await show(workspace)).files)).toEqual(['/from.md', '/to.md'])
})

it('has a deleted folder as one row, and its files below it', async () => {
  const workspace = await held(
    { '/old/a.md': '1\n2\n', '/old/in/b.md': 'b\n', '/c.md': 'c\n' },
    REVIEW,
  )
  await workspace.call('delete_file', { path: '/old' })
  await write(workspace, '/c.md', 'C\n')
  const shown = await show(workspace)
  expect(shown.files).toMatchObject([
    { path: '/old', type: 'folder', change: 'deleted', files: 2, risks: ['deletion'] },
    { path: '/c.md', type: 'file' },
  ])
  const below = await read(
    workspace,
    `${shown.path}/files?revision=${String(shown.revision)}&below=/old&offset=0`,
  )
  expect(listOf(recordOf(below)['files'])).toMatchObject([
    { path: '/old/a.md', change: 'deleted', removed: 2, below: '/old' },
    { path: '/old/in/b.md', change: 'deleted', removed: 1 },
  ])
  expect(await approve(workspace, shown, { revision: shown.revision })).toMatchObject({
    status: 200,
  })
  expect(await textOf(workspace, '/old/a.md')).toBeNull()
})

it('sums up a draft for its card', async () => {
  const workspace = await held({ '/a.md': 'a\n' }, REVIEW)
  await write(workspace, '/a.md', 'A\nB\n')
  for (const name of ['b', 'c', 'd']) await write(workspace, `/${name}.sh`, 'x\n')
  const { path } = await show(workspace)
  expect(await read(workspace, path)).toMatchObject({ risky: 3, added: 5, removed: 1 })
  const sum = await read(workspace, `${path}/summary`)
  expect(sum).toMatchObject({ status: 200, files: 4, risky: 3, added: 5, removed: 1 })
  expect(pathsOf(listOf(recordOf(sum)['first']))).toEqual(['/b.sh', '/c.sh', '/d.sh'])
})

it('counts the lines of texts up to MAX_COUNTED_BYTES of a list', async () => {
  const text = `${'z'.repeat(1_000)}\n`.repeat(400)
  const room = Math.floor(MAX_COUNTED_BYTES / text.length)
  const workspace = await held({}, REVIEW)
  for (let at = 0; at <= room; at++)
    await write(workspace, `/${String(at).padStart(2, '0')}.md`, text)
  const { files, path } = await show(workspace)
  expect(files.map(({ added }) => added)).toEqual([...Array<number>(room).fill(400), undefined])
  expect(await read(workspace, path)).toMatchObject({ added: 400 * room })
})

it('has a moved folder as its moved files, also where all have one content', async () => {
  const files = { '/old/a.md': 'x\n', '/old/b.md': 'x\n', '/old/in/c.md': 'x\n' }
  const workspace = await held(files, REVIEW)
  await workspace.call('move_file', { from: '/old', to: '/new' })
  expect((await show(workspace)).files.map(({ from, path }) => [from, path])).toEqual([
    ['/old/a.md', '/new/a.md'],
    ['/old/b.md', '/new/b.md'],
    ['/old/in/c.md', '/new/in/c.md'],
  ])
})

it('keeps the row of a deleted folder in which something was left', async () => {
  const next = await held({ '/old/a.md': 'a\n' }, REVIEW)
  await configure(next, {})
  await next.call('create_folder', { path: '/old/inbox' })
  await configure(next, REVIEW)
  await next.call('move_file', { from: '/old/a.md', to: '/a.md' })
  await next.call('delete_file', { path: '/old' })
  const rows = (await show(next)).files.map(({ path, change, files }) => [path, change, files])
  expect(rows).toEqual([
    ['/old', 'deleted', 0],
    ['/a.md', 'added', undefined],
  ])
})

describe('the mark of a row', () => {
  const markOf = async (workspace: Workspace, path: string) =>
    (await show(workspace)).files.find((file) => file['path'] === path)?.['mark']

  it('is another one when the row becomes a move, which deletes the source', async () => {
    const workspace = await held({ '/important.md': 'text\n' }, REVIEW)
    await workspace.call('copy_file', { from: '/important.md', to: '/note.md' })
    const copied = await markOf(workspace, '/note.md')
    await workspace.call('delete_file', { path: '/note.md' })
    await workspace.call('move_file', { from: '/important.md', to: '/note.md' })
    expect(copied).toMatch(/^[0-9a-f]{64}$/)
    expect(await markOf(workspace, '/note.md')).not.toBe(copied)
  })

  it('is another one when more goes with a deleted folder', async () => {
    const files = { '/old/a.md': 'a\n', '/old/in/b.md': 'b\n', '/x.md': 'x\n' }
    const workspace = await held(files, REVIEW)
    await workspace.call('move_file', { from: '/old/in/b.md', to: '/b.md' })
    await workspace.call('delete_file', { path: '/old' })
    const one = await markOf(workspace, '/old')
    await workspace.call('delete_file', { path: '/b.md' })
    expect(await markOf(workspace, '/old')).not.toBe(one)
  })
})

it('names the risks of where a file was, and of what is in it', async () => {
  const files = { '/.env': 'KEY=1\n', '/odd.md': 'a\u202eb\n', '/plain.md': 'plain\n' }
  const workspace = await held(files, REVIEW)
  for (const [from, to] of [
    ['/.env', '/sub/readme.md'],
    ['/odd.md', '/sub/odd.md'],
    ['/plain.md', '/sub/plain.md'],
  ])
    await workspace.call('move_file', { from, to })
  expect((await show(workspace)).files.map(({ path, risks }) => [path, risks])).toEqual([
    ['/sub/odd.md', ['hidden']],
    ['/sub/readme.md', ['secret']],
    ['/sub/plain.md', []],
  ])
})

it('sums the lines of deleted folders, and lists deep paths without their square', async () => {
  const workspace = await held({ '/old/a.md': '1\n2\n', '/old/b.md': '1\n2\n' }, REVIEW)
  await workspace.call('delete_file', { path: '/old' })
  const { path } = await show(workspace)
  expect(await read(workspace, `${path}/summary`)).toMatchObject({ removed: 4, added: 0 })
  for (let at = 0; at < 10; at++) await write(workspace, `/${at}${'/a'.repeat(450)}/f`, 'x\n')
  const started = performance.now()
  await show(workspace)
  expect(performance.now() - started).toBeLessThan(4_000)
})
