/** The limits of drafts, each at its edge. Rows of the tables stand for the proposals that a test cannot make. */

import type { Problem } from '#worker/errors/problem.ts'
import { createDecisions } from '#worker/drafts/decisions.ts'
import type { Decision, DraftOwner } from '#worker/access/draft.ts'
import { describeDecision } from '#worker/tools/lib/draft-status.ts'
import { MAX_COUNTED_OWNERS, MAX_WAITING_CALLS } from '#worker/limits.ts'
import { createDecisionCounts } from '#worker/decisions/counts.ts'
import {
  MAX_ARGUMENTS_LENGTH,
  MAX_DECIDED_IDS,
  MAX_DECIDED_PATHS,
  MAX_DECISIONS,
  MAX_DRAFT_BYTES,
  MAX_DRAFT_CHANGES,
  MAX_DRAFT_STEPS_LENGTH,
  MAX_DRAFTS,
  MAX_NOTE_LENGTH,
  MAX_REPLAYS,
  MAX_STEPS_LENGTH,
  MAX_WAIT_SECONDS,
  MAX_WORKSPACE_DECISIONS,
  MAX_WORKSPACE_DRAFTS,
} from '#worker/drafts/limits.ts'
import { lengthOfSteps } from '#worker/drafts/stored-steps.ts'
import type { Proposed } from '#worker/drafts/drafts.ts'
import { parsePath } from '#core/path.ts'
import { STORE_LIMITS } from '#worker/store/limits.ts'
import type { Step } from '#worker/store/store.ts'
import { createSearch } from '#worker/search/search.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import {
  approveAll,
  onlyDraft,
  outcomeOf,
  REVIEW,
  shown,
  watchEdits,
} from '../../support/worker/draft-tools.ts'
import { createTestDrafts } from '../../support/worker/opener.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { act, TESTER } from '../../support/worker/store-contract.ts'
import { openToolContext, withToolContext } from '../../support/worker/tool-context.ts'

const ownerOf = (key: string, budget = key): DraftOwner => ({
  ...{ key, principal: key, session: null, label: null, budget },
})

/** Runs with a way to propose steps; what `sql` changes is seen after `reopen`. */
const withDrafts = <T>(
  work: (parts: {
    sql: SqlStorage
    propose: (owner: DraftOwner, steps: readonly Step[], call?: Proposed['call']) => Problem | null
    reopen: () => void
  }) => T,
) =>
  runInDurableObject(newStub(), (_, { storage }) => {
    const store = createSqliteStore(storage, createSqliteObjects(storage.sql))
    const open = () =>
      createTestDrafts({ sql: storage.sql, store, search: createSearch(storage, store) })
    let drafts = open()
    return work({
      sql: storage.sql,
      propose: (owner, steps, call = null) => {
        const note = { tool: 'test', intent: 'Test', actor: TESTER, decision: [] }
        const basis = store.totals.version
        const proposed: Proposed = {
          ...{ basis, steps, note, level: 'review', call, limits: STORE_LIMITS },
        }
        const made = drafts.propose(owner, proposed)
        return made.ok ? null : made.error
      },
      reopen: () => (drafts = open()),
    })
  })

let names = 0
const folder = (): Step => ({ type: 'folder', path: parsePath(`/f${++names}`) })
const full = (limit: number, unit: string) => ({ reason: 'draft_full', limit, unit })

describe('a draft', () => {
  it('has MAX_DRAFT_CHANGES changes', () =>
    withDrafts(({ sql, propose, reopen }) => {
      const one = ownerOf('one')
      expect(propose(one, [folder()])).toBeNull()
      sql.exec(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO proposals (draft, version, id, at, level, basis, bytes, length, note, steps)
         SELECT 1, 100000 + i, i, 0, 'review', 0, 0, 2, '{}', '[]' FROM n`,
        MAX_DRAFT_CHANGES - 2,
      )
      reopen()
      expect(propose(one, [folder()])).toBeNull()
      expect(propose(one, [folder()])).toEqual(full(MAX_DRAFT_CHANGES, 'changes'))
      expect(propose(ownerOf('other'), [folder()])).toBeNull()
    }))

  it('writes MAX_DRAFT_BYTES bytes', () =>
    withDrafts(({ sql, propose, reopen }) => {
      const one = ownerOf('one')
      expect(propose(one, [folder()])).toBeNull()
      const put = (size: number): Step => {
        const place = { type: 'inline', bytes: new Uint8Array(size) } as const
        const content = {
          hash: new Uint8Array(32).fill(size),
          size,
          encoding: 'binary',
          place,
        } as const
        return { type: 'put', path: parsePath('/a'), content }
      }
      sql.exec('UPDATE proposals SET bytes = ?', MAX_DRAFT_BYTES - 1)
      reopen()
      expect(propose(one, [put(2)])).toEqual(full(MAX_DRAFT_BYTES, 'bytes'))
      expect(propose(ownerOf('of the same', 'one'), [put(2)])).toEqual(
        full(MAX_DRAFT_BYTES, 'bytes'),
      )
      expect(propose(ownerOf('other'), [put(2)])).toBeNull()
      expect(propose(one, [put(1)])).toBeNull()
    }))

  it('counts the calls that it stores to MAX_DRAFT_BYTES, which can be longer than what they write', () =>
    withDrafts(({ sql, propose, reopen }) => {
      const one = ownerOf('one')
      const call = (size: number) => ({ args: { text: 'x'.repeat(size) }, places: [] })
      expect(propose(one, [folder()], call(1_000))).toBeNull()
      const bytes = sql.exec<{ bytes: number }>('SELECT bytes FROM proposals').one().bytes
      expect(bytes).toBeGreaterThan(1_000)
      sql.exec('UPDATE proposals SET bytes = ?', MAX_DRAFT_BYTES - bytes)
      reopen()
      expect(propose(one, [folder()], call(1_001))).toEqual(full(MAX_DRAFT_BYTES, 'bytes'))
      expect(propose(one, [folder()], call(1_000))).toBeNull()
      expect(propose(ownerOf('other'), [folder()], call(1_001))).toBeNull()
    }))

  it('has steps of MAX_STEPS_LENGTH in one change, counted in bytes', () =>
    withDrafts(({ propose }) => {
      const steps: Step[] = []
      const wide = 'ü'.repeat(400)
      for (let length = 0; length <= MAX_STEPS_LENGTH;) {
        const step: Step = { type: 'folder', path: parsePath(`/${steps.length}${wide}`) }
        steps.push(step)
        length += lengthOfSteps([step])
      }
      expect(propose(ownerOf('one'), steps)).toEqual(full(MAX_STEPS_LENGTH, 'path_bytes'))
      expect(propose(ownerOf('one'), steps.slice(1))).toBeNull()
    }))

  it('has steps of MAX_DRAFT_STEPS_LENGTH in all changes', () =>
    withDrafts(({ sql, propose, reopen }) => {
      const one = ownerOf('one')
      expect(propose(one, [folder()])).toBeNull()
      const step = folder()
      sql.exec('DELETE FROM proposals')
      const fill = (version: number, length: number) =>
        sql.exec(
          `INSERT INTO proposals (draft, version, id, at, level, basis, bytes, length, note, steps)
           VALUES (1, ?, '', 0, 'review', 0, 0, ?, '{}', '[]')`,
          100_000 + version,
          length,
        )
      const most = MAX_DRAFT_STEPS_LENGTH - lengthOfSteps([step])
      for (let index = 0; index < 7; index++) fill(index, 1_000_000)
      fill(7, most - 7_000_000)
      reopen()
      expect(propose(one, [step, folder()])).toEqual(full(MAX_DRAFT_STEPS_LENGTH, 'path_bytes'))
      expect(propose(one, [step])).toBeNull()
      expect(propose(one, [folder()])).toEqual(full(MAX_DRAFT_STEPS_LENGTH, 'path_bytes'))
    }))

  it('is one of MAX_DRAFTS of a principal, and of MAX_WORKSPACE_DRAFTS', () =>
    withDrafts(({ propose }) => {
      for (let index = 0; index < MAX_WORKSPACE_DRAFTS; index++) {
        const budget = `budget ${Math.floor(index / MAX_DRAFTS)}`
        expect(propose(ownerOf(`owner ${index}`, budget), [folder()])).toBeNull()
        if (index === MAX_DRAFTS - 1)
          expect(propose(ownerOf('more', budget), [folder()])).toEqual(full(MAX_DRAFTS, 'drafts'))
      }
      // All but the new one have as many, so none of them may have one more.
      const more = ownerOf('more', 'budget 1')
      expect(propose(ownerOf('new'), [folder()])).toBeNull()
      expect(propose(ownerOf('owner 1', 'budget 0'), [folder()])).toBeNull()
      expect(propose(ownerOf('owner 0', 'budget 0'), [folder()])).toEqual(
        full(MAX_WORKSPACE_DRAFTS, 'drafts'),
      )
      expect(propose(more, [folder()])).toEqual(full(MAX_WORKSPACE_DRAFTS, 'drafts'))
    }))

  it('stores arguments of MAX_ARGUMENTS_LENGTH, and does not plan longer ones again', () =>
    withToolContext(REVIEW, async (context) => {
      const frame = JSON.stringify({
        args: { path: '/a', content: '', mode: 'append' },
        places: ['/a'],
        meta: {},
        isFree: true,
      }).length
      for (const [more, code] of [
        [0, null],
        [1, 'DRAFT_CONFLICT'],
      ] as const) {
        await context.write({ '/a': 'x' })
        const content = 'y'.repeat(MAX_ARGUMENTS_LENGTH - frame + more)
        await outcomeOf(context, 'write_file', { path: '/a', content, mode: 'append' })
        await context.write({ '/a': 'other' })
        const { changes, revision } = await shown(context)
        expect(changes[0]?.conflict?.code ?? null).toBe(code)
        const [draft] = context.drafts.all()
        await context.drafts.turnDown(draft?.name ?? '', { revision, note: '', by: 'owner' })
      }
    }))
})

const decision = (at: number, more: object = {}) => ({
  ...{
    draft: 'd',
    outcome: 'approved',
    approver: 'owner',
    note: '',
    at,
    changes: 1,
    paths: [],
    ids: [],
  },
  ...{ outcome: 'approved' as const, ...more },
})

describe('decisions', () => {
  it('MAX_DECISIONS of a session and MAX_WORKSPACE_DECISIONS are kept', () =>
    withDrafts(({ sql }) => {
      const decisions = createDecisions(sql)
      for (let at = 0; at <= MAX_DECISIONS; at++) decisions.add(ownerOf('one'), decision(at))
      expect(decisions.of('one').map(({ at }) => at)).toEqual(
        Array.from({ length: MAX_DECISIONS }, (_, index) => MAX_DECISIONS - index),
      )
      for (let at = 0; at < MAX_WORKSPACE_DECISIONS - 1; at++)
        decisions.add(ownerOf(`o${at}`), decision(at))
      expect(decisions.of('one')).toHaveLength(1)
      decisions.add(ownerOf('last'), decision(0))
      expect(decisions.of('one')).toHaveLength(0)
      expect(decisions.takeNews('one')).toEqual([])
      expect(decisions.takeNews('last')).toHaveLength(1)
      expect(decisions.takeNews('last')).toEqual([])
    }))

  it('that were reported are dropped first, then approvals, and the number of lost ones is reported', () =>
    withDrafts(({ sql }) => {
      const decisions = createDecisions(sql)
      const add = (at: number, more = {}) =>
        decisions.add(ownerOf('one'), { ...decision(at), ...more })
      add(0, { outcome: 'turned_down', note: 'Reported.' })
      decisions.takeNews('one')
      add(1, { outcome: 'turned_down', note: 'Keep the title.' })
      for (let at = 2; at <= MAX_DECISIONS + 1; at++) add(at)
      const shown = decisions.of('one').map(({ at }) => at)
      expect(shown).toHaveLength(MAX_DECISIONS)
      expect(shown.slice(-2)).toEqual([3, 1])
      const lost = (news: readonly Decision[]) => news.filter(({ outcome }) => outcome === 'lost')
      const news = decisions.takeNews('one')
      expect(news.map(({ note }) => note)).toContain('Keep the title.')
      expect(lost(news)).toMatchObject([{ changes: 1 }])
      expect(describeDecision(lost(news)[0] ?? decision(0))).toContain(
        '1 earlier decision was dropped',
      )
      for (let at = 0; at < MAX_DECISIONS + 2; at++) add(at)
      expect(lost(decisions.takeNews('one'))).toMatchObject([{ changes: 2 }])
      expect(decisions.takeNews('one')).toEqual([])
    }))

  it('are reported twice where the answer took so long that its client may have given up', () =>
    withDrafts(({ sql }) => {
      const decisions = createDecisions(sql)
      decisions.add(ownerOf('one'), decision(0))
      const waited = () => ({ began: Date.now() - 5_000, isWhole: () => true })
      expect(decisions.takeNews('one', waited())).toHaveLength(1)
      expect(createDecisions(sql).hasNews('one')).toBe(true)
      expect(decisions.takeNews('one', waited())).toHaveLength(1)
      expect(decisions.takeNews('one', waited())).toEqual([])
      expect(createDecisions(sql).hasNews('one')).toBe(false)
    }))

  it('have a note of MAX_NOTE_LENGTH characters, MAX_DECIDED_PATHS paths and MAX_DECIDED_IDS ids', () =>
    withDrafts(({ sql }) => {
      const decisions = createDecisions(sql)
      const paths = Array.from({ length: MAX_DECIDED_PATHS + 1 }, (_, index) => `/${index}`)
      const note = 'x'.repeat(MAX_NOTE_LENGTH - 1)
      const ids = Array.from({ length: MAX_DECIDED_IDS + 1 }, (_, index) => `${index}`)
      decisions.add(ownerOf('one'), decision(0, { note: `${note}😀`, paths, ids }))
      expect(decisions.of('one')).toMatchObject([
        {
          note: `${note}\uFFFD`,
          paths: paths.slice(0, MAX_DECIDED_PATHS),
          ids: ids.slice(0, MAX_DECIDED_IDS),
        },
      ])
    }))

  it('are counted for MAX_COUNTED_OWNERS, and the count of the others changes with them', () => {
    const counts = createDecisionCounts()
    const before = counts.count('one')
    counts.add('one')
    const counted = counts.count('one')
    expect(counted).not.toBe(before)
    for (let index = 1; index < MAX_COUNTED_OWNERS; index++) counts.add(`o${index}`)
    expect(counts.count('one')).toBe(counted)
    expect(counts.count('new')).toBe(before)
    counts.add('last')
    expect(counts.count('one')).not.toBe(before)
    expect(counts.count('new')).not.toBe(before)
  })

  it('MAX_WAITING_CALLS calls of a session wait for one', async () => {
    const counts = createDecisionCounts()
    const waits = Array.from({ length: MAX_WAITING_CALLS }, () => counts.next('one', 60_000))
    await counts.next('one', 60_000)
    counts.add('one')
    await Promise.all(waits)
  })
})

describe('MAX_WAIT_SECONDS', () => {
  it('is the longest time that draft_status accepts', () =>
    withToolContext({}, async (context) => {
      const wait = (wait_seconds: number) => outcomeOf(context, 'draft_status', { wait_seconds })
      expect((await wait(MAX_WAIT_SECONDS)).isError ?? false).toBe(false)
      expect((await wait(MAX_WAIT_SECONDS + 1)).isError).toBe(true)
    }))

  it('ends a wait without a decision', async () => {
    vi.useFakeTimers()
    let isOver = false
    const wait = createDecisionCounts().next('one', MAX_WAIT_SECONDS * 1000)
    void wait.then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(MAX_WAIT_SECONDS * 1000 - 1)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(isOver).toBe(true)
    vi.useRealTimers()
  })
})

it.each([
  [0, 'as planned again'],
  [1, 'as proposed'],
])('what stays is written as planned again up to MAX_DRAFT_BYTES: %i more, %s', (more, second) =>
  runInDurableObject(newStub(), async (_, { storage }) => {
    const context = openToolContext(storage, REVIEW)
    const files = Array.from({ length: 16 }, (_each, at) => `/from/${at}`)
    const fill = (text: string) => context.write(Object.fromEntries(files.map((at) => [at, text])))
    await fill('old')
    for (const to of ['/one', '/two']) await outcomeOf(context, 'copy_file', { from: '/from', to })
    await outcomeOf(context, 'write_file', { path: '/other', content: 'y' })
    // The copies are planned again, because the workspace had other files in their place.
    await context.write({ '/one': '', '/two': '' })
    for (const path of ['/one', '/two'])
      act(context.store, { type: 'remove', path: parsePath(path) })
    await fill('newer')
    const size = MAX_DRAFT_BYTES / 2 / files.length + more
    storage.sql.exec(`UPDATE files SET size = ? WHERE path >= '/from/' AND path < '/from0'`, size)
    const approved = await approveAll(context, { groups: [2] })
    expect(approved).toMatchObject({ ok: true, value: { left: 2 } })
    const layer = context.store.draft(onlyDraft(context).id)
    const copies = ['/one/0', '/two/0'].map((path) => layer.stat(parsePath(path)))
    const sizes = [size, second === 'as proposed' ? 'old'.length : size]
    expect(copies).toMatchObject(sizes.map((one) => ({ size: one })))
  }),
)

it.each([
  ['/a', MAX_REPLAYS - 1, MAX_REPLAYS, true],
  ['/a', MAX_REPLAYS, MAX_REPLAYS, false],
  ['/elsewhere', Infinity, 1, true],
])(
  'an approval during which %s is written, %d times: planned %d times, %s',
  (path, times, most, isDone) =>
    runInDurableObject(newStub(), async (_, { storage }) => {
      const context = openToolContext(storage, REVIEW)
      const { store } = context
      await context.write({ '/a': 'one\ntwo' })
      const edits = [{ find: 'one', replace: 'ONE' }]
      await outcomeOf(context, 'edit_file', { path: '/a', edits })
      await context.write({ '/a': 'one\nTWO' })
      const { revision } = await shown(context)
      const plans = watchEdits(async (before) => {
        if (before < times) await context.write({ [path]: 'one\nTWO' })
      })
      const drafts = createTestDrafts({
        ...{ sql: storage.sql, store, search: createSearch(storage, store), tools: plans.tools },
      })
      const request = { revision, note: '', by: 'owner' }
      const done = await drafts.approve(onlyDraft(context).name, request)
      expect(done.ok || done.error.reason).toBe(isDone || 'draft_changed')
      expect(plans.count()).toBe(most)
      expect(await context.text('/a')).toBe(isDone ? 'ONE\nTWO' : 'one\nTWO')
    }),
)
