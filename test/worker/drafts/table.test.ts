/** The drafts in memory: a decision that is being planned knows its draft by the object. */

import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { parsePath } from '#core/path.ts'
import { createDraftTable } from '#worker/drafts/table.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import type { Step } from '#worker/store/store.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { TESTER } from '../../support/worker/store-contract.ts'

/** Runs with a table that has two drafts of one change each. */
const withTable = (work: (table: ReturnType<typeof createDraftTable>) => void) =>
  runInDurableObject(newStub(), (_, { storage }) => {
    const store = createSqliteStore(storage, createSqliteObjects(storage.sql))
    const table = createDraftTable(storage.sql, store)
    for (const key of ['one', 'other']) {
      const owner = { key, principal: key, session: null, label: null, budget: key }
      const note = { tool: 'test', intent: 'Test', actor: TESTER, decision: [] }
      table.add(table.open(owner, 0), {
        ...{ version: 1, id: key, at: 0, level: 'review', basis: 0, note, call: null },
        steps: [FOLDER],
      })
    }
    work(table)
  })

const FOLDER: Step = { type: 'folder', path: parsePath('/f') }

it('keeps all drafts when no change of one was planned again', () =>
  withTable((table) => {
    const [one, other] = [table.of('one'), table.of('other')]
    if (one) table.replan(one, new Map())
    expect(table.of('one')).toBe(one)
    expect(table.of('other')).toBe(other)
  }))

it('keeps the other drafts when a change of one was planned again', () =>
  withTable((table) => {
    const [one, other] = [table.of('one'), table.of('other')]
    if (one) table.replan(one, new Map([[1, [FOLDER, FOLDER]]]))
    expect(table.of('one')).not.toBe(one)
    expect(table.of('one')?.length).toBeGreaterThan(one?.length ?? 0)
    expect(table.of('other')).toBe(other)
  }))

it('keeps a reason with its own draft alone', () =>
  withTable((table) => {
    const [one, other] = [table.of('one'), table.of('other')]
    if (!one || !other) throw new Error('Expected two drafts')
    table.explain(one, 'Because.')
    expect([table.reasonOf(one), table.reasonOf(other)]).toEqual(['Because.', ''])
    expect(table.of('one')).toBe(one)
  }))

it('reads what the drafts sum up to as it keeps it, also after a part was decided', () =>
  withTable((table) => {
    const one = table.of('one')
    if (!one) throw new Error('Expected a draft')
    const note = { tool: 'test', intent: 'Test', actor: TESTER, decision: [] }
    const call = { args: { text: 'text' }, places: [] }
    const added = table.add(one, {
      ...{ version: 2, id: 'two', at: 5, level: 'review', basis: 0, note, call },
      steps: [FOLDER],
    })
    expect(added).toMatchObject({ touched: 5, changes: 2 })
    const left = table.remove(added, [2])
    table.reload()
    expect(table.of('one')).toEqual(left)
    expect(left).toMatchObject({ touched: 5, changes: 1, bytes: one.bytes, length: one.length })
  }))
