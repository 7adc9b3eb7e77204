/** Comparing, restoring and undoing in a draft, whose files cover what the owner has changed since. */

import { recordOf } from '#core/json.ts'
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

/** What an agent was given for a proposal: the id of the change, and the version that it has in the draft. */
async function propose(
  name: string,
  args: Record<string, unknown>,
): Promise<{ id: string; version: number }> {
  const { result } = await workspace.call(name, args)
  const { id } = recordOf(result?._meta['dev.edgewise/change'])
  return { id: String(id), version: Number(result?.structuredContent['version']) }
}

const undone = async (id: string) => (await workspace.call('undo_change', { id })).result

it.each([
  ['as it was proposed', 'other'],
  ['planned again', 'q'],
])(
  'a change is undone by the id of its proposal, at another version now: %s',
  async (_, meanwhile) => {
    await workspace.fetch('/config', { method: 'PUT', body: '{}' })
    await workspace.put('/q', 'one\n')
    await workspace.fetch('/config', { method: 'PUT', body: '{"approval":"review"}' })
    const edits = [{ find: 'one', replace: 'mine' }]
    const { id, version } = await propose('edit_file', { path: '/q', edits })
    expect(id).toMatch(new RegExp(`^${version}-`))
    await workspace.put(`/${meanwhile}`, 'one\nby the owner\n')
    const before = await workspace.raw('/q')
    await approveAll()
    await workspace.fetch('/config', { method: 'PUT', body: '{}' })
    const listed = recordOf((await workspace.call('list_changes', {})).result?.structuredContent)
    const change = Array(listed['changes'])
      .flat()
      .map(recordOf)
      .find((one) => one['id'] === id)
    expect(change?.['version']).toBeGreaterThan(version)
    expect(
      (await workspace.send('resources/read', { uri: `ui://edit_file/${id}.diff` })).error,
    ).toBe(undefined)
    for (const wrong of [
      `${version}-000000000000`,
      id.replace(/^\d+/, String(change?.['version'])),
    ])
      expect(await workspace.code('undo_change', { id: wrong })).toBe('CHANGE_NOT_FOUND')
    expect((await undone(id))?.isError).toBeFalsy()
    expect(await workspace.raw('/q')).toEqual(before)
  },
)

it('a proposal that waits is undone in its draft by its id, and is unknown once it was turned down', async () => {
  const { id } = await propose('write_file', { path: '/q', content: 'mine' })
  expect((await undone(id))?.isError).toBeFalsy()
  expect(await workspace.text('find_files')).not.toContain('q')
  const { drafts } = await (await workspace.fetch('/drafts')).json<{ drafts: { id: string }[] }>()
  const url = `/drafts/${drafts[0]?.id}`
  const { revision } = await (await workspace.fetch(url)).json<{ revision: string }>()
  const init = { method: 'POST', body: JSON.stringify({ revision }), headers: FROM_OWN_PAGE }
  expect((await workspace.fetch(`${url}/turn-down`, init)).status).toBe(200)
  expect(await workspace.code('undo_change', { id })).toBe('CHANGE_NOT_FOUND')
})
