/** A draft: the store's contract, and how it overlays the workspace. */

import { parsePath } from '#core/path.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { createSqliteStore, type SqliteStore } from '#worker/store/open/sqlite.ts'
import type { DraftStore, Proposal, Store } from '#worker/store/store.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { faultsOf } from '../../support/worker/invariants.ts'
import { newStub } from '../../support/worker/object-life.ts'
import {
  act,
  describeStore,
  paths,
  put,
  TESTER,
  textOf,
} from '../../support/worker/store-contract.ts'

const DRAFT = 7

const storeIn = ({ storage }: DurableObjectState) =>
  createSqliteStore(storage, createSqliteObjects(storage.sql))

describeStore('a draft', async () => {
  const stub = newStub()
  return {
    use: (work) =>
      runInDurableObject(stub, async (_, state) => {
        const result = await work(storeIn(state).draft(DRAFT))
        expect(await faultsOf(state)).toEqual({})
        return result
      }),
    evict: () => evictDurableObject(stub),
  }
})

/** Runs with a workspace that has a few files, and a draft over it. Checks the tables afterwards. */
function withDraft(work: (store: SqliteStore, draft: DraftStore) => Promise<void>): Promise<void> {
  return runInDurableObject(newStub(), async (_, state) => {
    const store = storeIn(state)
    for (const path of ['/a/1', '/a/2', '/b']) await put(store, path, `base ${path}`)
    await work(store, store.draft(DRAFT))
    expect(await faultsOf(state)).toEqual({})
  })
}

const remove = (store: Store, path: string) => act(store, { type: 'remove', path: parsePath(path) })
const move = (store: Store, from: string, to: string) =>
  act(store, { type: 'move', from: parsePath(from), to: parsePath(to) })

const NOTE = { tool: 'test', intent: 'Test', actor: TESTER, decision: [] }

describe('a draft over a workspace', () => {
  it('shows the workspace with its own changes on top', () =>
    withDraft(async (store, draft) => {
      await put(draft, '/a/1', 'draft')
      await put(draft, '/new/x', 'draft')
      remove(draft, '/b')
      expect(paths(draft)).toEqual(['/a', '/a/1', '/a/2', '/new', '/new/x'])
      expect(await textOf(draft, '/a/1')).toBe('draft')
      expect(await textOf(draft, '/a/2')).toBe('base /a/2')
      expect(draft.totals).toMatchObject({ files: 3, folders: 2 })
      expect(paths(store)).toEqual(['/a', '/a/1', '/a/2', '/b'])
      expect(await textOf(store, '/a/1')).toBe('base /a/1')
      expect(store.totals).toMatchObject({ files: 3, folders: 1 })
      expect(store.history(parsePath('/a/1'), 9)).toHaveLength(1)
      expect(draft.history(parsePath('/a/1'), 9)).toHaveLength(2)
    }))

  it('is not visible in another draft', () =>
    withDraft(async (store, draft) => {
      await put(draft, '/x', 'draft')
      expect(paths(store.draft(DRAFT + 1))).toEqual(paths(store))
    }))

  it('uses version numbers that the workspace does not reuse', () =>
    withDraft(async (store, draft) => {
      expect(await put(draft, '/x', 'draft')).toMatchObject({ value: { version: 4 } })
      expect(await put(store, '/y', 'base')).toMatchObject({ value: { version: 5 } })
      expect(await put(draft, '/x', 'again')).toMatchObject({ value: { version: 6 } })
    }))

  it('alone has changes that are written again, with the version and time that they had', () =>
    withDraft(async (store, draft) => {
      const basis = store.totals.version
      const as = { version: basis + 1, at: 7 }
      const steps = [{ type: 'folder', path: parsePath('/new') }] as const
      expect(draft.apply({ basis, steps, note: NOTE, as })).toMatchObject({ value: as })
      // @ts-expect-error: a change of a workspace gets its next version
      const proposal: Proposal = { basis, steps, note: NOTE, as }
      expect(proposal.steps).toBe(steps)
    }))

  it('refuses a proposal if the workspace has changed one of its paths', () =>
    withDraft(async (store, draft) => {
      const basis = draft.totals.version
      const content = await draft.hold(new TextEncoder().encode('late'))
      await put(store, '/b', 'meanwhile')
      const steps = [{ type: 'put', path: parsePath('/b'), content }] as const
      expect(draft.apply({ basis, steps, note: NOTE })).toMatchObject({
        error: { reason: 'changed_meanwhile' },
      })
    }))

  it('keeps the parent folder of its file when the workspace deletes it', () =>
    withDraft(async (store, draft) => {
      await put(draft, '/a/1', 'draft')
      remove(store, '/a')
      expect(paths(draft)).toEqual(['/a', '/a/1', '/b'])
      expect(draft.totals).toMatchObject({ files: 2, folders: 1 })
    }))

  it.each([
    ['deleted', (draft: Store) => remove(draft, '/a'), ['/b']],
    ['moved', (draft: Store) => move(draft, '/a', '/c'), ['/b', '/c', '/c/1', '/c/2']],
  ])('hides files that the workspace adds to a folder that it has %s', (_, change, expected) =>
    withDraft(async (store, draft) => {
      change(draft)
      await put(store, '/a/3', 'base')
      await put(store, '/a/deep/er/4', 'base')
      move(store, '/b', '/a/b')
      expect(paths(draft)).toEqual(expected.filter((path) => path !== '/b'))
    }),
  )

  it('hides workspace files below a path that is a file in the draft', () =>
    withDraft(async (store, draft) => {
      remove(draft, '/a')
      await put(draft, '/a', 'a file')
      await put(store, '/a/3', 'base')
      expect(paths(draft)).toEqual(['/a', '/b'])
    }))

  it('moves visible files of both layers', () =>
    withDraft(async (store, draft) => {
      await put(draft, '/a/3', 'draft')
      move(draft, '/a', '/c')
      expect(paths(draft)).toEqual(['/b', '/c', '/c/1', '/c/2', '/c/3'])
      expect(await textOf(draft, '/c/1')).toBe('base /a/1')
      move(draft, '/c', '/a')
      expect(paths(draft)).toEqual(['/a', '/a/1', '/a/2', '/a/3', '/b'])
      expect(paths(store)).toEqual(['/a', '/a/1', '/a/2', '/b'])
    }))

  it('keeps content that the workspace has dropped, and drops its own content when it is deleted', () =>
    withDraft(async (store, draft) => {
      await put(draft, '/x', 'only in the draft')
      expect(await textOf(draft, '/x')).toBe('only in the draft')
      store.dropDraft(DRAFT)
      expect(paths(store.draft(DRAFT))).toEqual(paths(store))
    }))
})
