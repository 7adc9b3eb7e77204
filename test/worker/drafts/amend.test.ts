/** Amended approvals: what may be amended, what is applied and recorded, and what becomes of later changes. */

import { hash } from 'node:crypto'
import { diffTexts } from '#core/diff/hunks.ts'
import { editOfHunk } from '#core/diff/line-edits.ts'
import { parsePath } from '#core/path.ts'
import type { Amendment } from '#worker/drafts/amend.ts'
import { MAX_AMENDMENT_BYTES, MAX_DIFF_BYTES } from '#worker/limits.ts'
import { describe, expect, it } from 'vitest'
import {
  amendTo,
  approveAll,
  digestOfChoice,
  onlyDraft,
  outcomeOf,
  REVIEW,
  shown,
} from '../../support/worker/draft-tools.ts'
import { act } from '../../support/worker/store-contract.ts'
import { withToolContext, type TestContext } from '../../support/worker/tool-context.ts'

const write = (context: TestContext, path: string, content: string) =>
  outcomeOf(context, 'write_file', { path, content })

const OLD = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n'
const NEW = OLD.replace('one\n', 'ONE\n').replace('ten\n', 'TEN\n')

/** Leaves some hunks of the difference between two texts out, by their index. */
function leaveOut(path: string, before: string, after: string, left: readonly number[]): Amendment {
  const hunks = diffTexts(before, after).hunks.filter((_, index) => left.includes(index))
  const lines = after.split(/(?<=\n)/)
  for (const { at, remove, insert } of hunks.map(editOfHunk).toReversed())
    lines.splice(at - 1, remove, insert)
  return { path, edits: hunks.map(editOfHunk), hash: hash('sha256', lines.join(''), 'hex') }
}

const lastChange = ({ store }: TestContext) => store.listChanges({ limit: 1 })[0]

describe('an amended approval', () => {
  it('applies the proposed text without a hunk, and says by whom', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': OLD })
      await write(context, '/a', NEW)
      const amended = [leaveOut('/a', OLD, NEW, [0])]
      expect(await approveAll(context, { amended })).toMatchObject({ ok: true, value: { left: 0 } })
      expect(await context.text('/a')).toBe(OLD.replace('ten\n', 'TEN\n'))
      expect(lastChange(context)).toMatchObject({
        tool: 'write_file',
        approval: { by: 'owner', amended: 1 },
      })
      const [decision, applied] = context.store.audit.find({ limit: 2 })
      expect(decision).toMatchObject({
        tool: 'approve_draft',
        decision: [{ kind: 'owner' }, { kind: 'amended', files: 1 }],
        review: { amended: ['/a'] },
      })
      expect(applied?.decision).toContainEqual({ kind: 'amended', files: 1 })
    }))

  it('leaves the file as it was without any of its hunks', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': OLD })
      const before = context.store.history(parsePath('/a'), 9).length
      await write(context, '/a', NEW)
      const amended = [leaveOut('/a', OLD, NEW, [0, 1])]
      expect(await approveAll(context, { amended })).toMatchObject({ ok: true })
      expect(await context.text('/a')).toBe(OLD)
      expect(context.store.history(parsePath('/a'), 9)).toHaveLength(before)
      expect(context.drafts.all()).toEqual([])
    }))

  it.each([
    ['endings', 'a\r\nb\nc\r\n', 'A\r\nb\nC\r\n', 'A\r\nb\nc\r\n'],
    ['a byte order mark', '\ufeffa\n', '\ufeffb\n', '\ufeffc\n'],
    ['a missing last newline', 'a\n', 'a\nb', 'a\nc'],
    ['an empty text', 'a\n', 'b\n', ''],
  ])('keeps %s', (_, old, proposed, text) =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': old })
      await outcomeOf(context, 'write_file', {
        path: '/a',
        content_base64: btoa(String.fromCharCode(...new TextEncoder().encode(proposed))),
      })
      expect(await approveAll(context, { amended: [amendTo('/a', proposed, text)] })).toMatchObject(
        { ok: true },
      )
      const file = context.store.stat(parsePath('/a'))
      if (file?.type !== 'file') throw new Error('Expected a file')
      expect(await context.store.bytes(file)).toEqual(new TextEncoder().encode(text))
    }),
  )

  it('amends what a move brings, and one of several files of a unit', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'a\n', '/d/x': 'x\n', '/d/y': 'y\n' })
      await outcomeOf(context, 'move_file', { from: '/d', to: '/e' })
      const amended = [amendTo('/e/x', 'x\n', 'z\n')]
      expect(await approveAll(context, { amended })).toMatchObject({ ok: true })
      expect([await context.text('/e/x'), await context.text('/e/y')]).toEqual(['z\n', 'y\n'])
      expect(context.store.stat(parsePath('/d'))).toBeNull()
      const approval = lastChange(context)?.approval?.id
      await outcomeOf(context, 'undo_change', { id: approval })
      expect(await approveAll(context)).toMatchObject({ ok: true })
      expect([await context.text('/d/x'), await context.text('/d/y')]).toEqual(['x\n', 'y\n'])
    }))

  it('keeps whether the file is executable', () =>
    withToolContext(REVIEW, async (context) => {
      const path = parsePath('/a')
      const content = await context.store.hold(new TextEncoder().encode('old\n'))
      act(context.store, { type: 'put', path, content, executable: true })
      await write(context, '/a', 'one\n')
      await write(context, '/a', 'two\n')
      const amended = [amendTo('/a', 'two\n', 'three\n')]
      expect(await approveAll(context, { amended })).toMatchObject({ value: { decided: 2 } })
      expect(await context.text('/a')).toBe('three\n')
      expect(context.store.stat(path)).toMatchObject({ executable: true })
    }))

  it('is taken back as a whole', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'a\n', '/b': 'b\n' })
      await write(context, '/a', 'A\n')
      await write(context, '/b', 'B\n')
      await approveAll(context, { amended: [amendTo('/a', 'A\n', 'AA\n')] })
      expect([await context.text('/a'), await context.text('/b')]).toEqual(['AA\n', 'B\n'])
      await outcomeOf(context, 'undo_change', { id: lastChange(context)?.approval?.id })
      await approveAll(context)
      expect([await context.text('/a'), await context.text('/b')]).toEqual(['a\n', 'b\n'])
    }))

  it('is no version that the agent knew', () =>
    withToolContext(REVIEW, async (context) => {
      await write(context, '/a', 'A\n')
      const version = onlyDraft(context) && (await shown(context)).changes.length
      expect(version).toBe(1)
      const draft = context.store.draft(onlyDraft(context).id).totals.version
      await approveAll(context, { amended: [amendTo('/a', 'A\n', 'B\n')] })
      expect(context.store.resolveVersion(draft)).not.toBe(context.store.totals.version)
    }))
})

describe('a refused amendment', () => {
  const ok = amendTo('/a', 'new\n', 'other\n')
  const edit = (at: number, remove: number, insert = '') => ({ at, remove, insert })
  const long = 'x'.repeat(MAX_AMENDMENT_BYTES + 1)
  it.each<[string, readonly Amendment[], object]>([
    [
      'another path',
      [{ ...ok, path: '/other' }],
      { reason: 'not_amendable', detail: 'not_decided' },
    ],
    ['a path of another form', [{ ...ok, path: 'a' }], { detail: 'not_decided' }],
    ['a path twice', [ok, ok], { detail: 'twice' }],
    ['a deletion', [{ ...ok, path: '/gone' }], { detail: 'no_file' }],
    ['a folder', [{ ...ok, path: '/folder' }], { detail: 'no_file' }],
    ['bytes', [{ ...ok, path: '/bytes' }], { detail: 'no_text' }],
    ['a large file', [{ ...ok, path: '/large' }], { detail: 'too_large' }],
    [
      'no such line',
      [{ ...ok, edits: [edit(3, 1)] }],
      { reason: 'bad_amendment', detail: 'no_line', edit: 1 },
    ],
    ['an overlap', [{ ...ok, edits: [edit(1, 1), edit(1, 1)] }], { detail: 'overlap', edit: 2 }],
    ['another hash', [{ ...ok, hash: 'f'.repeat(64) }], { detail: 'other_hash', edit: null }],
    ['edits without effect', [{ ...ok, edits: [edit(1, 1, 'new\n')] }], { detail: 'no_change' }],
    ['no edits', [{ ...ok, edits: [] }], { detail: 'no_change' }],
    ['half a character', [{ ...ok, edits: [edit(1, 1, '\ud83d')] }], { detail: 'no_text' }],
    ['a NUL', [{ ...ok, edits: [edit(1, 1, '\0')] }], { detail: 'no_text' }],
    ['too much text', [{ ...ok, edits: [edit(1, 1, long)] }], { detail: 'too_long' }],
  ])('of %s changes nothing', (_, amended, error) =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/gone': 'x' })
      await write(context, '/a', 'new\n')
      await outcomeOf(context, 'delete_file', { path: '/gone' })
      await outcomeOf(context, 'create_folder', { path: '/folder' })
      await outcomeOf(context, 'write_file', { path: '/bytes', content_base64: 'AAEC' })
      await write(context, '/large', 'x'.repeat(MAX_DIFF_BYTES + 1))
      const before = JSON.stringify([onlyDraft(context), context.store.totals])
      expect(await approveAll(context, { amended })).toMatchObject({ ok: false, error })
      expect(JSON.stringify([onlyDraft(context), context.store.totals])).toBe(before)
      expect(context.store.audit.check()).toMatchObject({ broken: null })
    }),
  )

  it('beyond the limit of a file leaves nothing half done', () =>
    withToolContext({ ...REVIEW, max_file_bytes: 10 }, async (context) => {
      await write(context, '/a', 'a\n')
      await write(context, '/b', 'b\n')
      const amended = [amendTo('/b', 'b\n', 'b'.repeat(11))]
      expect(await approveAll(context, { amended })).toMatchObject({
        error: { reason: 'file_too_large' },
      })
      expect([await context.text('/a'), await context.text('/b')]).toEqual([null, null])
      expect(context.drafts.all()).toHaveLength(1)
    }))

  it('of what was not shown is none of the decision: another group, a later change, another revision', () =>
    withToolContext(REVIEW, async (context) => {
      await write(context, '/a', 'a\n')
      await write(context, '/b', 'b\n')
      const one = { groups: [0], amended: [amendTo('/b', 'b\n', 'c\n')] }
      expect(await approveAll(context, one)).toMatchObject({ error: { detail: 'not_decided' } })
      const draft = onlyDraft(context)
      const { revision } = await shown(context)
      const stale = await digestOfChoice(context, draft, { groups: [0] })
      await write(context, '/a', 'a\nmore\n')
      await write(context, '/c', 'c\n')
      const base = { revision, note: '', by: 'owner' }
      // The later text of the path is not the one that was shown.
      const later = { ...base, amended: [amendTo('/a', 'a\nmore\n', 'a\nother\n')] }
      expect(await context.drafts.approve(draft.name, later)).toMatchObject({
        ok: false,
        error: { detail: 'no_line' },
      })
      const added = { ...base, amended: [amendTo('/c', 'c\n', 'd\n')] }
      expect(await context.drafts.approve(draft.name, added)).toMatchObject({
        error: { detail: 'not_decided' },
      })
      await context.write({ '/a': 'own\n' })
      const old = { ...base, groups: [0], digest: stale, amended: [amendTo('/a', 'a\n', 'x\n')] }
      expect(await context.drafts.approve(draft.name, old)).toMatchObject({
        error: { reason: 'draft_changed' },
      })
      expect(await context.text('/a')).toBe('own\n')
    }))
})

describe('later changes of the draft', () => {
  it('are planned again on the amended state', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': OLD, '/b': 'b\n' })
      await write(context, '/a', NEW)
      const { revision } = await shown(context)
      const edit = (find: string, replace: string) =>
        outcomeOf(context, 'edit_file', { path: '/a', edits: [{ find, replace }] })
      await edit('five', 'FIVE')
      await edit('ONE', 'First')
      await outcomeOf(context, 'copy_file', { from: '/a', to: '/copy' })
      await write(context, '/b', 'B\n')
      const { name } = onlyDraft(context)
      const amended = [leaveOut('/a', OLD, NEW, [0])]
      const done = await context.drafts.approve(name, { revision, note: '', by: 'owner', amended })
      expect(done).toMatchObject({ ok: true, value: { left: 4 } })
      const now = await shown(context)
      expect(now.changes.map(({ conflict }) => conflict?.code ?? null)).toEqual([
        null,
        'FIND_NOT_FOUND',
        null,
        null,
      ])
      const [five, , copy] = now.changes.map(({ id }) => id)
      expect(await approveAll(context, { changes: [String(five)] })).toMatchObject({ ok: true })
      const amendedText = OLD.replace('ten', 'TEN').replace('five', 'FIVE')
      expect(await context.text('/a')).toBe(amendedText)
      expect(await approveAll(context, { changes: [String(copy)] })).toMatchObject({ ok: true })
      expect(await context.text('/copy')).toBe(amendedText)
    }))
})
