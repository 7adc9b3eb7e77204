/** The preview of an undo or a restore: each file once, as what it is, with the right totals. */

import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'

type Workspace = ReturnType<typeof freshWorkspace>

/** Previews a call, and returns what its review page is drawn from. */
async function previewOf({ call, send }: Workspace, tool: string, args: Record<string, unknown>) {
  const { result } = await call(tool, args, { preview: true })
  const { id, stats } = Object(result?._meta['dev.edgewise/change'])
  const { result: read } = await send('resources/read', { uri: `ui://${tool}/${id}.json` })
  const { files, more, bytes } = JSON.parse(Object(read?.['contents'])[0].text)
  const pairs: unknown[] = Object(files)
    .map(Object)
    .map(({ from, to }: Record<string, unknown>) => [from, to])
  return { pairs, more, bytes, stats }
}

it.each([1, 6])('counts each of %d files in new folders once', async (count) => {
  const workspace = freshWorkspace()
  const names = Array.from({ length: count }, (_, at) => `deep/deeper/${at}`)
  for (const name of names) await workspace.put(`/from/${name}`, 'text')
  const { result } = await workspace.call('copy_file', { from: '/from', to: '/to' })
  const { id } = Object(result?._meta['dev.edgewise/change'])
  await workspace.put('/to/deep/mine', 'of others')
  const shown = await previewOf(workspace, 'undo_change', { id })
  expect(shown).toMatchObject({ more: 0, bytes: 4 * count, stats: { files: count } })
  expect(shown.pairs).toHaveLength(count)
  expect(shown.pairs).toEqual(expect.arrayContaining(names.map((name) => [`/to/${name}`, null])))
})

it('shows a file in place of a folder as a new one', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/a', 'file')
  await workspace.text('create_checkpoint', { name: 'file' })
  await workspace.text('delete_file', { path: '/a' })
  await workspace.put('/a/b', 'below')
  const { pairs } = await previewOf(workspace, 'restore_checkpoint', { checkpoint: 'file' })
  expect(pairs).toEqual([
    ['/a/b', null],
    [null, '/a'],
  ])
})
