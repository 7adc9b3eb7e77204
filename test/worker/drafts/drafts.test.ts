/** Drafts through the code path of a call: what waits, who sees it, and what a decision does. */

import { parsePath } from '#core/path.ts'
import { CHANGE_META, DRAFT_META } from '#core/wire.ts'
import { describe, expect, it } from 'vitest'
import {
  approveAll,
  onlyDraft,
  outcomeOf,
  REVIEW,
  shown,
} from '../../support/worker/draft-tools.ts'
import { withToolContext } from '../../support/worker/tool-context.ts'

describe('a change at the level review', () => {
  it('waits, and the answer is that of an applied change', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'old' })
      const outcome = await outcomeOf(context, 'write_file', { path: '/a', content: 'new' })
      expect(await context.text('/a')).toBe('old')
      expect(outcome.structuredContent).toMatchObject({ path: 'a', version: 2 })
      const { name } = onlyDraft(context)
      expect(outcome._meta).toMatchObject({
        [CHANGE_META]: { applied: false },
        [DRAFT_META]: { id: name, state: 'open', changes: 1 },
      })
      expect(outcome._meta?.['preview']).toBeUndefined()
    }))

  it('is read, found and searched by its own session, and by no other', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'old word' })
      await outcomeOf(context, 'write_file', { path: '/b', content: 'fresh word' })
      await outcomeOf(context, 'edit_file', {
        path: '/a',
        edits: [{ find: 'old', replace: 'new' }],
      })
      const read = await outcomeOf(context, 'read_file', { path: '/a' })
      expect(read.content[0]).toMatchObject({ text: expect.stringContaining('new word') })
      const found = await outcomeOf(context, 'search_files', { pattern: 'word' })
      expect(JSON.stringify(found.structuredContent)).toContain('fresh')
      expect(JSON.stringify(found.structuredContent)).not.toContain('old')
      expect(await context.text('/b')).toBeNull()
      expect(context.owner.store.stat(parsePath('/b'))).toBeNull()
      const other = { ...context.caller, principal: 'other', budget: 'other' }
      const theirs = context.services.openFor(other.access, other)
      expect(theirs.store.stat(parsePath('/b'))).toBeNull()
      expect(theirs.store.listChanges({ limit: 10 }).changes).toHaveLength(1)
    }))

  it('is that of the caller that opened the workspace, also if another one has the same access', () =>
    withToolContext(REVIEW, async (context) => {
      const { caller, services } = context
      const other = { ...caller, principal: 'other', budget: 'other' }
      const [theirs, mine] = [other, caller].map((one) => services.openFor(one.access, one))
      await outcomeOf(context, 'write_file', { path: '/a', content: 'new' })
      expect(mine?.draft.open()).toEqual(onlyDraft(context))
      expect(theirs?.draft.open()).toBeNull()
    }))

  it('is applied by an approval, with its session and the approver, and undone as a whole', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'old', '/c': 'c' })
      await outcomeOf(context, 'write_file', { path: '/a', content: 'new' })
      await outcomeOf(context, 'write_file', { path: '/d/e', content: 'e' })
      await outcomeOf(context, 'move_file', { from: '/c', to: '/f' })
      const done = await approveAll(context)
      expect(done).toMatchObject({ ok: true, value: { decided: 3, left: 0 } })
      expect(context.drafts.all()).toEqual([])
      expect(await context.text('/a')).toBe('new')
      expect(await context.text('/d/e')).toBe('e')
      expect(await context.text('/f')).toBe('c')
      const approval = done.ok ? (done.value.approval ?? '') : ''
      const parts = context.owner.store.changesOf(approval)
      expect(parts.map(({ tool, actor, approval: by }) => [tool, actor.principal, by?.by])).toEqual(
        [
          ['write_file', 'test', 'owner'],
          ['write_file', 'test', 'owner'],
          ['move_file', 'test', 'owner'],
        ],
      )
      const listed = await outcomeOf(context, 'list_changes', { limit: 1 })
      expect(listed.structuredContent).toMatchObject({ changes: [{ approved_by: 'owner' }] })
      const undone = await outcomeOf(context, 'undo_change', { id: approval })
      expect(undone.isError).toBeFalsy()
      await approveAll(context)
      expect(await context.text('/a')).toBe('old')
      expect(await context.text('/c')).toBe('c')
      expect(context.store.audit.check()).toMatchObject({ broken: null })
    }))

  it('is left out of a list of applied changes as long as it waits', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'old' })
      for (const content of ['one', 'two', 'three'])
        await outcomeOf(context, 'write_file', { path: '/a', content })
      const listed = async (query: object) => {
        const { structuredContent } = await outcomeOf(context, 'list_changes', query)
        const { changes, next } = structuredContent ?? {}
        return [Array.isArray(changes) && changes.length, next]
      }
      expect(await listed({ limit: 1 })).toEqual([1, expect.any(Number)])
      expect(await listed({ applied: true, limit: 1 })).toEqual([1, null])
      expect(await listed({ applied: true, path: '/a' })).toEqual([1, null])
      await approveAll(context)
      expect(await listed({ applied: true })).toEqual([4, null])
    }))

  it('is marked in lists of changes as long as it waits', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'old' })
      await outcomeOf(context, 'write_file', { path: '/a', content: 'new' })
      const marks = async () => {
        const listed = await outcomeOf(context, 'list_changes', {})
        const history = await outcomeOf(context, 'file_history', { path: '/a' })
        const waits = (list: unknown) =>
          Array.isArray(list) ? list.map((one) => Reflect.get(Object(one), 'waits')) : list
        return [listed.structuredContent?.['changes'], history.structuredContent?.['versions']].map(
          waits,
        )
      }
      expect(await marks()).toEqual([
        [true, undefined],
        [true, undefined],
      ])
      await approveAll(context)
      expect(await marks()).toEqual([
        [undefined, undefined],
        [undefined, undefined],
      ])
    }))

  it('is reported to the agent once after the decision', () =>
    withToolContext(REVIEW, async (context) => {
      await outcomeOf(context, 'write_file', { path: '/a', content: 'new' })
      const { name } = onlyDraft(context)
      const { revision } = await shown(context)
      const note = 'Keep the title.'
      await context.drafts.turnDown(name, { revision, note, by: 'owner' })
      const next = await outcomeOf(context, 'list_roots', {})
      expect(next.content.at(-1)).toMatchObject({ text: expect.stringContaining(note) })
      expect(next.structuredContent?.['news']).toEqual([expect.stringContaining(note)])
      const after = await outcomeOf(context, 'list_roots', {})
      expect(JSON.stringify(after.content)).not.toContain(note)
      const status = await outcomeOf(context, 'draft_status', {})
      expect(status.structuredContent).toMatchObject({
        draft: null,
        decisions: [{ draft: name, outcome: 'turned_down', note, changes: 1, paths: ['/a'] }],
      })
      expect(await context.text('/a')).toBeNull()
    }))

  it.each([
    ['a preview', 'write_file', { path: '/b', content: 'new' }, { preview: true }],
    ['a tool of views', 'list_folder', {}, {}],
  ])('is not reported in the result of %s, which the model does not read', (_, tool, args, meta) =>
    withToolContext(REVIEW, async (context) => {
      await outcomeOf(context, 'write_file', { path: '/a', content: 'new' })
      const { revision } = await shown(context)
      const note = 'Keep the title.'
      await context.drafts.turnDown(onlyDraft(context).name, { revision, note, by: 'owner' })
      expect(JSON.stringify(await outcomeOf(context, tool, args, meta))).not.toContain(note)
      expect(JSON.stringify(await outcomeOf(context, 'list_roots', {}))).toContain(note)
    }),
  )
})

describe('approving a part', () => {
  it('applies the chosen files, and the rest waits', () =>
    withToolContext(REVIEW, async (context) => {
      for (const name of ['a', 'b', 'c'])
        await outcomeOf(context, 'write_file', { path: `/x/${name}`, content: name })
      await outcomeOf(context, 'edit_file', { path: '/x/b', edits: [{ find: 'b', replace: 'B' }] })
      const { files, changes } = await shown(context)
      expect(files.map(({ path, group }) => [path, group])).toEqual([
        ['/x/a', 0],
        ['/x/b', 1],
        ['/x/c', 2],
      ])
      expect(changes).toHaveLength(4)
      expect(await approveAll(context, { groups: [0, 1] })).toMatchObject({
        ok: true,
        value: { decided: 3, left: 1 },
      })
      expect(await context.text('/x/b')).toBe('B')
      expect(await context.text('/x/c')).toBeNull()
      const read = await outcomeOf(context, 'read_file', { path: '/x/c' })
      expect(read.content[0]).toMatchObject({ text: expect.stringContaining('1: c') })
      expect(await approveAll(context)).toMatchObject({ ok: true, value: { decided: 1, left: 0 } })
    }))

  it('is refused without the earlier changes of the same file', () =>
    withToolContext(REVIEW, async (context) => {
      await outcomeOf(context, 'write_file', { path: '/a', content: 'a' })
      await outcomeOf(context, 'edit_file', { path: '/a', edits: [{ find: 'a', replace: 'b' }] })
      const { changes } = await shown(context)
      const second = changes.slice(1).map(({ id }) => id)
      expect(await approveAll(context, { changes: second })).toMatchObject({
        ok: false,
        error: { reason: 'not_separable' },
      })
      expect(await context.text('/a')).toBeNull()
    }))
})

describe('a workspace that changes meanwhile', () => {
  it('plans an edit again', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'one\ntwo\n' })
      await outcomeOf(context, 'edit_file', {
        path: '/a',
        edits: [{ find: 'two', replace: 'TWO' }],
      })
      await context.write({ '/a': 'ONE\ntwo\n' })
      const { changes } = await shown(context)
      expect(changes).toMatchObject([{ conflict: null }])
      expect(await approveAll(context)).toMatchObject({ ok: true })
      expect(await context.text('/a')).toBe('ONE\nTWO\n')
    }))

  it('shows a change that no longer fits as a conflict, and applies nothing of it', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'one', '/b': 'b' })
      await outcomeOf(context, 'edit_file', {
        path: '/a',
        edits: [{ find: 'one', replace: 'ONE' }],
      })
      await outcomeOf(context, 'write_file', { path: '/b', content: 'B' })
      await context.write({ '/a': 'other' })
      const { changes } = await shown(context)
      expect(changes.map(({ conflict }) => conflict?.code ?? null)).toEqual([
        'FIND_NOT_FOUND',
        null,
      ])
      // The person who decides cannot take the next step of the agent.
      expect(changes[0]?.conflict?.message).toMatch(/^Cannot make edit 1: [^.]+\.$/)
      expect(await approveAll(context)).toMatchObject({
        ok: false,
        error: { reason: 'draft_conflict' },
      })
      expect(await context.text('/b')).toBe('b')
      expect(await approveAll(context, { groups: [1] })).toMatchObject({ ok: true })
      expect(await context.text('/b')).toBe('B')
      expect(await context.text('/a')).toBe('other')
    }))

  it('refuses a revision that was shown before', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'old' })
      await outcomeOf(context, 'write_file', { path: '/a', content: 'new' })
      const { revision } = await shown(context)
      await context.write({ '/a': 'swapped' })
      const { name } = onlyDraft(context)
      const stale = await context.drafts.approve(name, { revision, note: '', by: 'owner' })
      expect(stale).toMatchObject({ ok: false, error: { reason: 'draft_changed' } })
      expect(await context.text('/a')).toBe('swapped')
    }))

  it('leaves in the draft what joined after the shown revision', () =>
    withToolContext(REVIEW, async (context) => {
      await outcomeOf(context, 'write_file', { path: '/a', content: 'seen' })
      const { revision } = await shown(context)
      await outcomeOf(context, 'write_file', { path: '/a', content: 'unseen' })
      const { name } = onlyDraft(context)
      const done = await context.drafts.approve(name, { revision, note: '', by: 'owner' })
      expect(done).toMatchObject({ ok: true, value: { decided: 1, left: 1 } })
      expect(await context.text('/a')).toBe('seen')
      expect(await approveAll(context)).toMatchObject({ ok: true })
      expect(await context.text('/a')).toBe('unseen')
    }))
})

describe('levels', () => {
  it.each([
    ['none', 'new', 0],
    ['notify', 'new', 0],
    ['review', 'old', 1],
    ['confirm', 'old', 1],
  ])('%s', (approval, text, waiting) =>
    withToolContext({ approval }, async (context) => {
      await context.write({ '/a': 'old' })
      await outcomeOf(context, 'write_file', { path: '/a', content: 'new' })
      expect(await context.text('/a')).toBe(text)
      expect(context.drafts.all()).toHaveLength(waiting)
    }),
  )

  it('holds a folder alone, and what touches the files of a draft', () => {
    const config = { roots: [{ path: '/' }, { path: '/contracts', approval: 'review' }] }
    return withToolContext(config, async (context) => {
      await context.write({ '/contracts/a': 'a', '/free': 'f' })
      await outcomeOf(context, 'write_file', { path: '/free', content: 'F' })
      expect(await context.text('/free')).toBe('F')
      await outcomeOf(context, 'move_file', { from: '/contracts/a', to: '/moved' })
      expect(await context.text('/moved')).toBeNull()
      await outcomeOf(context, 'write_file', { path: '/moved', content: 'mine' })
      expect(await context.text('/moved')).toBeNull()
      await outcomeOf(context, 'write_file', { path: '/free', content: 'again' })
      expect(await context.text('/free')).toBe('again')
      expect(onlyDraft(context).changes).toBe(2)
    })
  })

  it('is raised by the policy of a call', () =>
    withToolContext({}, async (context) => {
      await outcomeOf(
        context,
        'write_file',
        { path: '/a', content: 'x' },
        { policy: { approval: 'review' } },
      )
      expect(await context.text('/a')).toBeNull()
      expect(onlyDraft(context).changes).toBe(1)
    }))

  it('confirm is approved one change at a time', () =>
    withToolContext({ approval: 'confirm' }, async (context) => {
      await outcomeOf(context, 'write_file', { path: '/a', content: 'x' })
      await outcomeOf(context, 'write_file', { path: '/b', content: 'x' })
      expect(await approveAll(context)).toMatchObject({
        ok: false,
        error: { reason: 'one_at_a_time' },
      })
      expect(await approveAll(context, { groups: [0] })).toMatchObject({ ok: true })
      expect(await approveAll(context)).toMatchObject({ ok: true, value: { left: 0 } })
    }))
})
