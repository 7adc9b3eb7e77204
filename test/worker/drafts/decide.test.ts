/** Decisions: what can be separated, what is rolled back, expiry, and drafts whose session or rules have changed. */

import { recordOf } from '#core/json.ts'
import { parsePath } from '#core/path.ts'
import { createTables } from '#worker/database/table-groups.ts'
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import {
  approveAll,
  onlyDraft,
  outcomeOf,
  REVIEW,
  shown,
  turnDownAll,
} from '../../support/worker/draft-tools.ts'
import { draftFaultsOf, expectWhole } from '../../support/worker/invariants.ts'
import { holdAlarm, stubOf } from '../../support/worker/object-life.ts'
import { act } from '../../support/worker/store-contract.ts'
import { withToolContext, type TestContext } from '../../support/worker/tool-context.ts'

const write = (context: TestContext, path: string, content: string) =>
  outcomeOf(context, 'write_file', { path, content })

describe('selection', () => {
  it('turns a change down only with the later changes of its files', () =>
    withToolContext(REVIEW, async (context) => {
      for (const text of ['a', 'b', 'c']) await write(context, '/a', text)
      const ids = (await shown(context)).changes.map(({ id }) => id)
      expect(await turnDownAll(context, { changes: ids.slice(0, 1) })).toMatchObject({
        ok: false,
        error: { reason: 'not_separable' },
      })
      expect(await turnDownAll(context, { changes: ids.slice(2) })).toMatchObject({ ok: true })
      const [, , ...middle] = ids
      expect(await approveAll(context, { changes: middle })).toMatchObject({
        ok: false,
        error: { reason: 'draft_changed' },
      })
      expect(await approveAll(context, { changes: ids.slice(0, 1) })).toMatchObject({ ok: true })
      expect(await context.text('/a')).toBe('a')
      expect(await approveAll(context)).toMatchObject({ ok: true })
      expect(await context.text('/a')).toBe('b')
    }))
})

describe('a decision on a part', () => {
  it.each([
    ['approve', approveAll],
    ['turn down', turnDownAll],
  ])('frees its share of the limits (%s), also after a restart', (_, decideOn) =>
    withToolContext(REVIEW, async (context) => {
      await write(context, '/a', 'aaa')
      const before = onlyDraft(context)
      await write(context, '/b', 'bbbbb')
      const [, second = ''] = (await shown(context)).changes.map(({ id }) => id)
      await decideOn(context, { changes: [second] })
      const { changes, bytes, length } = onlyDraft(context)
      expect({ changes, bytes, length }).toEqual({
        changes: 1,
        bytes: before.bytes,
        length: before.length,
      })
    }),
  )

  it('leaves what others wrote beside it, and creates no folder twice', () =>
    withToolContext(REVIEW, async (context) => {
      await outcomeOf(context, 'create_folder', { path: '/new' })
      await write(context, '/new/a', 'a')
      await write(context, '/new/b', 'b')
      const { changes } = await shown(context)
      expect(changes.map(({ group }) => group)).toEqual([0, 1, 2])
      expect(await approveAll(context, { groups: [1] })).toMatchObject({ ok: true })
      expect((await shown(context)).changes.map(({ conflict }) => conflict)).toEqual([null, null])
      expect(await approveAll(context)).toMatchObject({ ok: true, value: { left: 0 } })
      expect(await context.text('/new/b')).toBe('b')
    }))
})

describe('an approval of a conflict', () => {
  it('is refused, and in the audit log', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'old' })
      await outcomeOf(context, 'edit_file', {
        path: '/a',
        edits: [{ find: 'old', replace: 'new' }],
      })
      await context.write({ '/a': 'other' })
      expect(await approveAll(context)).toMatchObject({ error: { reason: 'draft_conflict' } })
      const [entry] = context.store.audit.find({ limit: 1 })
      expect(entry).toMatchObject({
        tool: 'approve_draft',
        outcome: 'refused',
        actor: { principal: 'owner' },
        decision: [{ kind: 'refused', code: 'FIND_NOT_FOUND' }],
      })
      expect(context.store.audit.check()).toMatchObject({ broken: null })
    }))
})

describe('an approval that fails in the middle', () => {
  it('leaves workspace, draft and audit as they were', () =>
    withToolContext({ ...REVIEW, max_workspace_bytes: 10 }, async (context) => {
      await write(context, '/a', 'aaa')
      await write(context, '/b', 'bbb')
      await context.write({ '/own': 'x'.repeat(6) })
      const before = JSON.stringify([onlyDraft(context), context.store.totals])
      expect(await approveAll(context)).toMatchObject({
        ok: false,
        error: { reason: 'workspace_full' },
      })
      expect(JSON.stringify([onlyDraft(context), context.store.totals])).toBe(before)
      expect(await context.text('/a')).toBeNull()
      expect(context.store.audit.check()).toMatchObject({ broken: null })
      expect(await approveAll(context, { groups: [0] })).toMatchObject({ ok: true })
      expect(await context.text('/a')).toBe('aaa')
      expect(context.store.audit.check()).toMatchObject({ broken: null })
    }))

  it('counts the draft towards the quota of its agent', () =>
    withToolContext({ ...REVIEW, max_workspace_bytes: 10 }, async (context) => {
      await write(context, '/a', 'x'.repeat(8))
      const outcome = await write(context, '/b', 'xxx')
      expect(outcome.isError).toBe(true)
      expect(onlyDraft(context).changes).toBe(1)
      await context.write({ '/own': 'x'.repeat(9) })
      expect(context.store.totals.bytes).toBe(9)
    }))
})

describe('the drafts of several sessions', () => {
  const twoLinks = async () => {
    const workspace = freshWorkspace()
    await configure(workspace, { ...REVIEW, max_workspace_bytes: 10 })
    const [first, second] = [await linkOf(workspace, {}), await linkOf(workspace, {})]
    return { workspace, first: first.client, second: second.client }
  }
  const draftOf = (path: string, size: number) => ({ path, content: 'x'.repeat(size) })

  it('count towards the quota together, also in a preview', async () => {
    const { workspace, first, second } = await twoLinks()
    await first.text('write_file', draftOf('/a', 6))
    expect(await second.code('write_file', draftOf('/b', 5))).toBe('WORKSPACE_FULL')
    const preview = await second.call('write_file', draftOf('/b', 5), { preview: true })
    expect(JSON.stringify(preview)).toContain('limited to 10 bytes')
    await second.text('write_file', draftOf('/b', 4))
    expect(await first.code('write_file', draftOf('/c', 1))).toBe('WORKSPACE_FULL')
    await ownerOf(workspace).decide('turn-down')
    await ownerOf(workspace).decide('turn-down')
    await first.text('write_file', draftOf('/c', 10))
  })

  it('count what they add, and not what they overwrite', async () => {
    const { workspace, first, second } = await twoLinks()
    await workspace.put('/a', 'x'.repeat(6))
    for (let n = 0; n < 3; n++) await first.text('write_file', draftOf('/a', 6 - n))
    await second.text('write_file', draftOf('/b', 4))
    expect(await second.code('write_file', draftOf('/c', 1))).toBe('WORKSPACE_FULL')
  })
})

describe('a preview', () => {
  it('of what was turned down since cannot be applied', () =>
    withToolContext(REVIEW, async (context) => {
      await write(context, '/a', 'one')
      const edits = [{ find: 'one', replace: 'two' }]
      const preview = await outcomeOf(
        context,
        'edit_file',
        { path: '/a', edits },
        { preview: true },
      )
      const { id } = recordOf(recordOf(preview._meta)['dev.edgewise/change'])
      await turnDownAll(context)
      await context.write({ '/a': 'one' })
      const meta = { 'dev.edgewise/preview': id }
      const applied = await outcomeOf(context, 'edit_file', { path: '/a', edits }, meta)
      expect(applied.isError).toBe(true)
      expect(context.drafts.all()).toEqual([])
      expect(await context.text('/a')).toBe('one')
    }))
})

const decide = async (
  workspace: ReturnType<typeof freshWorkspace>,
  what: 'approve' | 'turn-down' = 'approve',
) => {
  const { drafts } = await (
    await workspace.fetch('/drafts')
  ).json<{ drafts: { id: string; ended: boolean }[] }>()
  const [{ id, ended } = { id: '', ended: false }] = drafts
  const shown = await (
    await workspace.fetch(`/drafts/${id}`)
  ).json<{
    revision: string
    changes: { conflict: { code: string } | null }[]
  }>()
  const headers = { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' }
  const body = JSON.stringify({ revision: shown.revision })
  const init = { method: 'POST', headers, body }
  const done = await workspace.fetch(`/drafts/${id}/${what}`, init)
  const conflicts = shown.changes.map(({ conflict }) => conflict?.code ?? null)
  return { ended, conflicts, status: done.status, answer: recordOf(await done.json()) }
}

async function configure({ fetch }: ReturnType<typeof freshWorkspace>, config: object) {
  const answer = await fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(answer.status, await answer.text()).toBe(200)
}

describe('rules that changed after a proposal', () => {
  it.each([
    ['read_only', { read_only: true }, 'READ_ONLY'],
    ['a denied path', { roots: [{ path: '/', deny: ['docs/**'] }] }, 'PATH_BLOCKED'],
    ['an immutable path', { roots: [{ path: '/', immutable: ['docs/**'] }] }, 'PATH_IMMUTABLE'],
    ['other roots', { roots: [{ path: '/else' }] }, 'PATH_BLOCKED'],
  ])('%s makes it a conflict, also after its session has ended', async (_, rules, code) => {
    for (const isEnded of [false, true]) {
      const workspace = freshWorkspace()
      await configure(workspace, REVIEW)
      const { client, session } = await linkOf(workspace)
      await client.text('write_file', { path: '/docs/a', content: 'x' })
      await configure(workspace, { ...REVIEW, ...rules })
      if (isEnded)
        await (await workspace.fetch(`/sessions/${session}`, { method: 'DELETE' })).body?.cancel()
      const done = await decide(workspace)
      expect(done).toMatchObject({
        ended: isEnded,
        status: 409,
        answer: { code: 'DRAFT_CONFLICT' },
      })
      expect(done.conflicts).toEqual([code])
      expect((await workspace.fetch('/files/docs/a')).status).toBe(404)
      await configure(workspace, REVIEW)
      expect(await decide(workspace)).toMatchObject({ ended: isEnded, status: 200 })
      expect((await workspace.fetch('/files/docs/a')).status).toBe(200)
      await expectWhole(stubOf(workspace))
    }
  })
})

describe('an eviction', () => {
  it('keeps drafts, decisions and their order in every state', async () => {
    const workspace = freshWorkspace()
    const stub = stubOf(workspace)
    await configure(workspace, REVIEW)
    await workspace.text('write_file', { path: '/a', content: 'one' })
    await evictDurableObject(stub)
    expect(await workspace.text('read_file', { path: '/a' })).toBe('1: one')
    await workspace.text('edit_file', { path: '/a', edits: [{ find: 'one', replace: 'two' }] })
    await workspace.put('/b', 'own')
    await evictDurableObject(stub)
    expect(await decide(workspace)).toMatchObject({ status: 200, answer: { decided: 2, left: 0 } })
    await evictDurableObject(stub)
    const { result } = await workspace.call('read_file', { path: '/a' })
    expect(JSON.stringify(result?.content)).toContain('2 changes approved')
    const again = await workspace.call('read_file', { path: '/a' })
    expect(JSON.stringify(again.result?.content)).not.toContain('approved')
    await runInDurableObject(stub, (_, state) => expect(draftFaultsOf(state)).toEqual({}))
    await expectWhole(stub)
  })

  it('leaves no layer of a review behind', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'x')
    await runInDurableObject(stubOf(workspace), (_, { storage: { sql } }) => {
      createTables(sql, 'drafts')
      sql.exec(
        `INSERT INTO draft_changes (draft, version, id, tool, intent, principal, at, files, folders, bytes, paths)
         VALUES (-3, 9, 'x', 't', 'i', 'p', 0, 0, 0, 0, 0)`,
      )
      sql.exec(
        `INSERT INTO draft_files (draft, path, blob, size, mime, version, mtime)
         VALUES (-3, '/left', NULL, 0, 'inode/directory', 9, 0)`,
      )
    })
    await evictDurableObject(stubOf(workspace))
    await workspace.fetch('/status')
    await runInDurableObject(stubOf(workspace), (_, state) =>
      expect(draftFaultsOf(state)).toEqual({}),
    )
  })
})

describe('expiry', () => {
  it('turns a draft down by the alarm, with a note for the agent', async () => {
    const workspace = freshWorkspace()
    await holdAlarm(stubOf(workspace))
    await configure(workspace, { ...REVIEW, draft_ttl_seconds: 60 })
    await workspace.text('write_file', { path: '/a', content: 'x' })
    await runDurableObjectAlarm(stubOf(workspace))
    expect(await (await workspace.fetch('/drafts')).json()).toMatchObject({ waiting: 1 })
    const later = Date.now() + 61_000
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => later)
    await runDurableObjectAlarm(stubOf(workspace))
    clock.mockRestore()
    expect(await (await workspace.fetch('/drafts')).json()).toMatchObject({ waiting: 0 })
    const { result } = await workspace.call('list_roots')
    expect(JSON.stringify(result?.content)).toContain('The time to decide is over')
    expect((await workspace.fetch('/files/a')).status).toBe(404)
    await expectWhole(stubOf(workspace))
  })
})

describe('a shorter draft_ttl_seconds', () => {
  const expired = async (workspace: ReturnType<typeof freshWorkspace>) =>
    recordOf(await (await workspace.fetch('/drafts')).json())

  it('ends drafts and requests at once that have waited longer', async () => {
    const workspace = freshWorkspace()
    await configure(workspace, REVIEW)
    await workspace.text('write_file', { path: '/a', content: 'x' })
    const { client } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
    await client.call('read_file', { path: '/other' })
    expect(await expired(workspace)).toMatchObject({ waiting: 2, requests: 1 })
    const later = Date.now() + 61_000
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => later)
    await configure(workspace, { ...REVIEW, draft_ttl_seconds: 3600 })
    expect(await expired(workspace)).toMatchObject({ waiting: 2 })
    await configure(workspace, { ...REVIEW, draft_ttl_seconds: 60 })
    clock.mockRestore()
    expect(await expired(workspace)).toMatchObject({ waiting: 0, requests: 0, drafts: [] })
    const { result } = await workspace.call('list_roots')
    expect(JSON.stringify(result?.content)).toContain('The time to decide is over')
    await expectWhole(stubOf(workspace))
  })

  it('sets the alarm for those that will have', async () => {
    const workspace = freshWorkspace()
    const stub = stubOf(workspace)
    await holdAlarm(stub)
    await configure(workspace, REVIEW)
    await workspace.text('write_file', { path: '/a', content: 'x' })
    // A notice that waits sets the alarm as well.
    await runInDurableObject(stub, (_, { storage }) => storage.sql.exec('DELETE FROM notices'))
    await runDurableObjectAlarm(stub)
    await configure(workspace, { ...REVIEW, draft_ttl_seconds: 60 })
    const alarm = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())
    expect(alarm).toBeLessThanOrEqual(Date.now() + 60_000)
    expect(alarm).toBeGreaterThan(Date.now() + 50_000)
  })
})

it('a review and an approval at the same time agree, while the workspace changes', () =>
  withToolContext(REVIEW, async (context) => {
    await context.write({ '/a': 'one\ntwo' })
    await outcomeOf(context, 'edit_file', { path: '/a', edits: [{ find: 'one', replace: 'ONE' }] })
    await context.write({ '/a': 'one\nTWO' })
    const { revision } = await shown(context)
    const { name } = onlyDraft(context)
    const request = { revision, note: '', by: 'owner' }
    const both = [context.drafts.approve(name, request), shown(context)] as const
    act(context.store, { type: 'folder', path: parsePath('/other') })
    const [done, seen] = await Promise.all(both)
    expect(done).toMatchObject({ ok: true })
    expect(seen.changes).toHaveLength(1)
    expect(await context.text('/a')).toBe('ONE\nTWO')
  }))
