/** The numbers that an agent got for changes of its draft, after a person has decided on them. */

import { recordOf } from '#core/json.ts'
import { describe, expect, it } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { errorOf, freshWorkspace } from '../../support/worker/client.ts'

/** An agent whose changes wait, and its owner. */
async function held() {
  const workspace = freshWorkspace()
  const owner = ownerOf(workspace)
  await workspace.put('/a', 'old')
  await owner.demand('review')
  const { client } = await linkOf(workspace)
  /** Makes a change, and returns the version in its result and its id. */
  async function change(name: string, args: Record<string, unknown>) {
    const { result } = await client.call(name, args)
    expect(result?.isError, JSON.stringify(result)).toBeFalsy()
    const { version, id } = recordOf(result?._meta['dev.edgewise/change'])
    return { version: Number(version), id: String(id) }
  }
  const write = (path: string, content: string, if_version?: number) =>
    change('write_file', { path, content, ...(if_version !== undefined && { if_version }) })
  const errorFor = async (name: string, args: Record<string, unknown>) =>
    errorOf((await client.call(name, args)).result)
  const text = (path: string) => client.text('read_file', { path })
  return { workspace, owner, client, change, write, errorFor, text }
}

describe('after an approval', () => {
  it('if_version accepts the version that the change had in the draft', async () => {
    const { owner, write, change, text } = await held()
    const { version } = await write('/a', 'one')
    await owner.decide('approve')
    await change('edit_file', {
      path: '/a',
      edits: [{ find: 'one', replace: 'two' }],
      if_version: version,
    })
    expect(await text('/a')).toBe('1: two')
  })

  it('if_version accepts it for a folder, and for a part of the draft that was approved', async () => {
    const { owner, write, change } = await held()
    const { version } = await write('/docs/a', 'one')
    const other = await write('/b', 'one')
    const [id = ''] = await owner.drafts()
    const { changes } = await owner.show(id)
    await owner.decide('approve', { changes: changes.slice(0, 1).map((one) => one.id) })
    await write('/b', 'two', other.version)
    await change('move_file', { from: '/docs', to: '/moved', if_version: version })
  })

  it('if_version refuses it once another change was applied, and names the current version', async () => {
    const { workspace, owner, write, errorFor } = await held()
    const { version } = await write('/a', 'one')
    await owner.decide('approve')
    const put = recordOf(await workspace.put('/a', 'other'))
    expect(await errorFor('write_file', { path: '/a', content: 'x', if_version: version })).toEqual(
      {
        code: 'VERSION_CONFLICT',
        path: '/a',
        if_version: version,
        version: put['version'],
      },
    )
  })

  it('if_version refuses it for a change that was planned again, because its content is another', async () => {
    const { workspace, owner, change, errorFor } = await held()
    await workspace.put('/a', 'one\ntwo')
    const edits = [{ find: 'one', replace: 'ONE' }]
    const { version } = await change('edit_file', { path: '/a', edits })
    await workspace.put('/a', 'one\nTWO')
    await owner.decide('approve')
    const call = { path: '/a', content: 'x', if_version: version }
    expect(await errorFor('write_file', call)).toMatchObject({ code: 'VERSION_CONFLICT' })
    expect(await errorFor('restore_file', { path: '/a', version })).toMatchObject({
      code: 'VERSION_NOT_FOUND',
    })
  })

  it('restore_file restores what the version had, and never a state that no person was shown', async () => {
    const { workspace, owner, write, change, errorFor } = await held()
    const between = await write('/a', 'one')
    const { version } = await write('/a', 'two')
    await owner.decide('approve')
    await workspace.put('/a', 'other')
    const call = { path: '/a', version: between.version }
    expect(await errorFor('restore_file', call)).toMatchObject({ code: 'VERSION_NOT_FOUND' })
    await change('restore_file', { path: '/a', version })
    await owner.decide('approve')
    expect(new TextDecoder().decode(await workspace.raw('/a'))).toBe('two')
  })

  it('undo_change undoes the version', async () => {
    const { workspace, owner, write, change } = await held()
    const { version } = await write('/a', 'one')
    await owner.decide('approve')
    await change('undo_change', { version })
    await owner.decide('approve')
    expect(new TextDecoder().decode(await workspace.raw('/a'))).toBe('old')
  })
})

describe('after a change was turned down', () => {
  it('if_version refuses its version and names the one of the file', async () => {
    const { owner, write, errorFor, text } = await held()
    const { version } = await write('/a', 'one')
    await owner.decide('turn-down')
    const call = { path: '/a', content: 'x', if_version: version }
    expect(await errorFor('write_file', call)).toMatchObject({
      code: 'VERSION_CONFLICT',
      version: 1,
    })
    expect(await text('/a')).toBe('1: old')
    expect(await errorFor('restore_file', { path: '/a', version })).toMatchObject({
      code: 'VERSION_NOT_FOUND',
    })
    expect(await errorFor('undo_change', { version })).toMatchObject({ code: 'CHANGE_NOT_FOUND' })
  })
})

it('another caller cannot use a version of a draft', async () => {
  const { workspace, write } = await held()
  const { version } = await write('/a', 'one')
  const { client } = await linkOf(workspace)
  const call = { path: '/a', content: 'x', if_version: version }
  expect(errorOf((await client.call('write_file', call)).result)).toMatchObject({
    code: 'VERSION_CONFLICT',
    version: 1,
  })
})
