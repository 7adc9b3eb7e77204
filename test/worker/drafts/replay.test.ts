/** Replay: a draft on a workspace that has changed since, and calls that overlap with each other and with decisions. */

import { recordOf } from '#core/json.ts'
import { parsePath } from '#core/path.ts'
import { describe, expect, it } from 'vitest'
import {
  approveAll,
  onlyDraft,
  outcomeOf,
  REVIEW,
  shown,
  turnDownAll,
} from '../../support/worker/draft-tools.ts'
import { act, TESTER } from '../../support/worker/store-contract.ts'
import { withToolContext, type TestContext } from '../../support/worker/tool-context.ts'

const edit = (context: TestContext, path: string, find: string, replace: string) =>
  outcomeOf(context, 'edit_file', { path, edits: [{ find, replace }] })
const write = (context: TestContext, path: string, content: string) =>
  outcomeOf(context, 'write_file', { path, content })
const read = async (context: TestContext, path: string) =>
  recordOf((await outcomeOf(context, 'read_file', { path })).structuredContent)['content']
const conflictsOf = async (context: TestContext) =>
  (await shown(context)).changes.map(({ conflict }) => conflict?.code ?? null)

describe('calls at the same time', () => {
  it('lose no change of the other, when the first opens the draft', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'one\ntwo\nthree\n' })
      const done = await Promise.all([
        edit(context, '/a', 'one', 'ONE'),
        edit(context, '/a', 'two', 'TWO'),
        edit(context, '/a', 'three', 'THREE'),
      ])
      expect(done.map(({ isError }) => isError)).toEqual([undefined, undefined, undefined])
      expect(await approveAll(context)).toMatchObject({ ok: true, value: { decided: 3 } })
      expect(await context.text('/a')).toBe('ONE\nTWO\nTHREE\n')
    }))

  it('plan again when a decision ends the draft under them', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'one\ntwo\n' })
      await edit(context, '/a', 'one', 'ONE')
      const { name } = onlyDraft(context)
      const { revision } = await shown(context)
      const during = edit(context, '/a', 'two', 'TWO')
      const done = await context.drafts.turnDown(name, { revision, note: '', by: 'owner' })
      expect(done).toMatchObject({ ok: true })
      expect((await during).isError).toBeUndefined()
      expect(await approveAll(context)).toMatchObject({ ok: true })
      expect(await context.text('/a')).toBe('one\nTWO\n')
    }))
})

describe('what depended on a change that was turned down', () => {
  it('is planned again, also for a file that the workspace never had', () =>
    withToolContext(REVIEW, async (context) => {
      await write(context, '/a', 'old')
      const { revision } = await shown(context)
      const { name } = onlyDraft(context)
      await edit(context, '/a', 'old', 'new')
      await outcomeOf(context, 'copy_file', { from: '/a', to: '/b' })
      await outcomeOf(context, 'move_file', { from: '/a', to: '/c' })
      const done = await context.drafts.turnDown(name, { revision, note: '', by: 'owner' })
      expect(done).toMatchObject({ ok: true, value: { left: 3 } })
      expect(await conflictsOf(context)).toEqual([
        'FILE_NOT_FOUND',
        'FILE_NOT_FOUND',
        'FILE_NOT_FOUND',
      ])
      expect(await approveAll(context)).toMatchObject({ ok: false })
      expect(await turnDownAll(context)).toMatchObject({ ok: true })
      expect(context.store.totals.files).toBe(0)
    }))

  it('keeps its content while it is in conflict', () =>
    withToolContext(REVIEW, async (context) => {
      await write(context, '/a', 'old')
      const { revision } = await shown(context)
      const { name } = onlyDraft(context)
      await outcomeOf(context, 'delete_file', { path: '/a' })
      await write(context, '/a/b', 'fresh content')
      await context.drafts.turnDown(name, { revision, note: '', by: 'owner' })
      await context.write({ '/a': 'mine' })
      expect(await conflictsOf(context)).toEqual([null, null])
      expect(await approveAll(context)).toMatchObject({ ok: true })
      expect(await context.text('/a/b')).toBe('fresh content')
    }))
})

describe('a change that did not fit when others were decided', () => {
  it('is shown with its file when it fits again', () =>
    withToolContext(REVIEW, async (context) => {
      await write(context, '/b/x', 'one')
      await write(context, '/a', 'one')
      await context.write({ '/b': 'in the way' })
      await turnDownAll(context, { groups: [1] })
      expect(await conflictsOf(context)).toEqual(['NOT_A_FOLDER'])
      act(context.store, { type: 'remove', path: parsePath('/b') })
      const { changes, files } = await shown(context)
      expect(changes).toMatchObject([{ conflict: null }])
      expect(files).toMatchObject([{ path: '/b/x', change: 'added' }])
      expect(await approveAll(context)).toMatchObject({ ok: true })
      expect(await context.text('/b/x')).toBe('one')
    }))
})

describe('a change that was planned again when another was approved', () => {
  it('is what its agent sees, where the plan of before does not fit any more', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'old' })
      context.store.checkpoints.create('before', TESTER)
      await context.write({ '/a': 'new', '/more': 'x' })
      await outcomeOf(context, 'restore_checkpoint', { checkpoint: 'before' })
      await write(context, '/other', 'y')
      act(context.store, { type: 'remove', path: parsePath('/more') })
      expect(await approveAll(context, { groups: [1] })).toMatchObject({ ok: true })
      expect(await read(context, '/a')).toBe('1: old')
      expect(await approveAll(context)).toMatchObject({ ok: true })
      expect(await context.text('/a')).toBe('old')
    }))

  it('is what its agent sees, also where the plan of before would fit', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'one\ntwo\n' })
      await edit(context, '/a', 'one', 'ONE')
      await write(context, '/other', 'y')
      await context.write({ '/a': 'one\nTWO\n' })
      expect(await approveAll(context, { groups: [1] })).toMatchObject({ ok: true })
      expect(await read(context, '/a')).toBe('1: ONE\n2: TWO')
      await edit(context, '/a', 'ONE', 'First')
      expect(await conflictsOf(context)).toEqual([null, null])
      expect(await approveAll(context)).toMatchObject({ ok: true })
      expect(await context.text('/a')).toBe('First\nTWO\n')
    }))

  it('is as it was proposed after the change that it was planned over is turned down', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'one\n' })
      await edit(context, '/a', 'one', 'two')
      const { revision } = await shown(context)
      await write(context, '/a', 'three\n')
      const { name } = onlyDraft(context)
      const done = await context.drafts.turnDown(name, { revision, note: '', by: 'owner' })
      expect(done).toMatchObject({ ok: true, value: { left: 1 } })
      expect(await read(context, '/a')).toBe('1: three')
    }))
})

describe('a workspace that has changed', () => {
  it('shows a conflict for a file below what became a file', () =>
    withToolContext(REVIEW, async (context) => {
      await write(context, '/a/b', 'x')
      await context.write({ '/a': 'a file' })
      expect(await conflictsOf(context)).toEqual(['NOT_A_FOLDER'])
      expect(await approveAll(context)).toMatchObject({
        ok: false,
        error: { reason: 'draft_conflict' },
      })
    }))
})
