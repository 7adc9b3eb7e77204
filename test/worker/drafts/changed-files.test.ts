/** The list of changed files: risky ones first, a move as one, a deleted folder as one with its files below it. */

import { recordOf } from '#core/json.ts'
import { expect, it } from 'vitest'
import {
  approve,
  held,
  listOf,
  read,
  show,
  textOf,
  write,
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
  const sum = await read(workspace, `${path}/summary`)
  expect(sum).toMatchObject({ status: 200, files: 4, risky: 3, added: 5, removed: 1 })
  expect(pathsOf(listOf(recordOf(sum)['first']))).toEqual(['/b.sh', '/c.sh', '/d.sh'])
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
