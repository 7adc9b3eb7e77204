/** Drafts that have to be planned again: they can be turned down at any time, and others have turns meanwhile. */

import { createSearch } from '#worker/search/search.ts'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { outcomeOf, REVIEW, watchEdits } from '../../support/worker/draft-tools.ts'
import { createTestDrafts } from '../../support/worker/opener.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { openToolContext } from '../../support/worker/tool-context.ts'
import { approve, decide, held, idOf, show, textOf } from '../../support/worker/held-draft.ts'

const edit = (path: string, find: string, replace: string) => ({ path, edits: [{ find, replace }] })

/** A draft of an edit in each of two files, the second of which the owner changes afterwards. */
async function disturbed() {
  const workspace = await held({ '/a': 'one', '/b': 'one\ntwo' }, { approval: 'review' })
  await workspace.call('edit_file', edit('/a', 'one', 'ONE'))
  await workspace.call('edit_file', edit('/b', 'one', 'ONE'))
  const shown = await show(workspace)
  await workspace.put('/b', 'one\nTWO')
  return {
    workspace,
    shown,
    turnDown: (body: object) => decide(workspace, `${shown.path}/turn-down`, body),
  }
}

describe('turning down', () => {
  it('is carried out although the workspace has changed since', async () => {
    const { workspace, shown, turnDown } = await disturbed()
    expect(await turnDown({ revision: shown.revision })).toMatchObject({ status: 200, left: 0 })
    expect((await show(workspace)).changes).toEqual([])
  })

  it('of one change leaves the others to be planned on the workspace of now', async () => {
    const { workspace, shown, turnDown } = await disturbed()
    const changes = [idOf(shown, 0)]
    const done = await turnDown({ revision: shown.revision, changes })
    expect(done).toMatchObject({ status: 200, left: 1 })
    const { revision } = await show(workspace)
    expect(await approve(workspace, shown, { revision })).toMatchObject({ status: 200 })
    expect([await textOf(workspace, '/a'), await textOf(workspace, '/b')]).toEqual([
      'one',
      'ONE\nTWO',
    ])
  })

  it('names what was shown, and no later change', async () => {
    const { workspace, shown, turnDown } = await disturbed()
    await workspace.call('write_file', { path: '/later', content: '' })
    expect(await turnDown({ revision: shown.revision })).toMatchObject({ status: 200, left: 1 })
    expect(await turnDown({ revision: shown.revision })).toMatchObject({ code: 'DRAFT_CHANGED' })
    expect(await turnDown({ revision: '1-2' })).toMatchObject({ code: 'DRAFT_CHANGED' })
  })

  it('refuses a change on which another one depends', async () => {
    const { workspace, turnDown } = await disturbed()
    await workspace.call('edit_file', edit('/a', 'ONE', 'two'))
    const shown = await show(workspace)
    const changes = [idOf(shown, 0)]
    expect(await turnDown({ revision: shown.revision, changes })).toMatchObject({
      code: 'DRAFT_NOT_SEPARABLE',
    })
  })
})

it('conflicts are found once for all who ask, until something changes', () =>
  runInDurableObject(newStub(), async (_, { storage }) => {
    const context = openToolContext(storage, REVIEW)
    await context.write({ '/a': 'one\ntwo' })
    const call = edit('/a', 'one', 'ONE')
    await outcomeOf(context, 'edit_file', call)
    await context.write({ '/a': 'one\nTWO' })
    const { store } = context
    const plans = watchEdits()
    const drafts = createTestDrafts({
      ...{ sql: storage.sql, store, search: createSearch(storage, store), tools: plans.tools },
    })
    const [draft] = drafts.all()
    if (!draft) throw new Error('Expected a draft')
    await Promise.all([1, 2, 3].map(() => drafts.conflicts(draft)))
    expect(await drafts.conflicts(draft)).toEqual([])
    expect(plans.count()).toBe(1)
    await context.write({ '/a': 'nothing to edit' })
    expect(await drafts.conflicts(draft)).toMatchObject([{ code: 'FIND_NOT_FOUND' }])
    expect(plans.count()).toBe(2)
  }))
