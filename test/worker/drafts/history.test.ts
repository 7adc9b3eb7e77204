/** Comparing, restoring and undoing in a draft, whose files cover what the owner has changed since. */

import { beforeEach, expect, it } from 'vitest'
import { bytesOf, freshWorkspace } from '../../support/worker/client.ts'
import { FROM_OWN_PAGE } from '../../support/worker/requests.ts'

let workspace: ReturnType<typeof freshWorkspace>

/** A draft with a change of `/p`, which was `one` at the checkpoint. */
beforeEach(async () => {
  workspace = freshWorkspace()
  await workspace.put('/p', 'one')
  await workspace.text('create_checkpoint', { name: 'start' })
  await workspace.fetch('/config', { method: 'PUT', body: '{"approval":"review"}' })
  await workspace.text('write_file', { path: '/p', content: 'mine' })
})

const read = () => workspace.text('read_file', { path: '/p' })

async function approveAll(): Promise<void> {
  const { drafts } = await (await workspace.fetch('/drafts')).json<{ drafts: { id: string }[] }>()
  const url = `/drafts/${drafts[0]?.id}`
  const { revision } = await (await workspace.fetch(url)).json<{ revision: string }>()
  const init = { method: 'POST', body: JSON.stringify({ revision }), headers: FROM_OWN_PAGE }
  expect((await workspace.fetch(`${url}/approve`, init)).status).toBe(200)
}

it('a checkpoint is restored although the owner has changed the file and taken that back', async () => {
  for (const text of ['two', 'one']) await workspace.put('/p', text)
  expect(await read()).toBe('1: mine')
  const { result } = await workspace.call('compare_checkpoints', { from: 'start' })
  expect(result?.structuredContent).toMatchObject({ files: [{ path: 'p', status: 'modified' }] })
  expect(await workspace.text('restore_checkpoint', { checkpoint: 'start' })).toContain(
    'Restored 1 path',
  )
  expect(await read()).toBe('1: one')
  await approveAll()
  expect(await workspace.raw('/p')).toEqual(bytesOf('one'))
})

it('a newer change of the owner is not undone over what the draft has', async () => {
  const init = { method: 'PUT', body: 'two' }
  const written = await workspace.fetch('/files/p', init)
  const { version } = await written.json<{ version: number }>()
  expect(await workspace.code('undo_change', { version })).toBe('CHANGED_SINCE')
  expect(await read()).toBe('1: mine')
})
