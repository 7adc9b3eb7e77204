/** The row of a change tells what a workspace that wakes up has to know, and no other row is written for that. */

import { CHANGES_WITH_ENTRIES } from '#worker/limits.ts'
import { createR2Objects } from '#worker/store/content/objects.ts'
import { createSqliteStore, type SqliteStore } from '#worker/store/open/sqlite.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { newStub } from '../../support/worker/object-life.ts'
import { act, put } from '../../support/worker/store-contract.ts'

interface Opened {
  readonly sql: SqlStorage
  /** Opens the store as it is opened after an eviction. */
  readonly open: () => SqliteStore
}

function withStores(work: (opened: Opened) => Promise<void>): Promise<void> {
  return runInDurableObject(newStub(), (_, { storage }) =>
    work({
      sql: storage.sql,
      open: () => createSqliteStore(storage, createR2Objects(env.FILES, 'change-row')),
    }),
  )
}

const idsOf = (sql: SqlStorage) =>
  sql
    .exec<{ id: number }>('SELECT id FROM blobs ORDER BY id')
    .toArray()
    .map(({ id }) => id)

it('no id of a blob is given twice, also after an eviction', () =>
  withStores(async ({ sql, open }) => {
    const before = open()
    await put(before, '/a', 'one')
    await put(before.draft(1), '/b', 'two')
    await put(before.draft(1), '/c', 'three')
    expect(idsOf(sql)).toEqual([1, 2, 3])
    before.dropDraft(1)
    expect(idsOf(sql)).toEqual([1])
    const after = open()
    await put(after, '/b', 'four')
    expect(idsOf(sql)).toEqual([1, 4])
    await put(open(), '/c', 'five')
    expect(idsOf(sql)).toEqual([1, 4, 5])
    // A draft whose version is the newest, and whose content is.
    const draft = open().draft(1)
    await put(draft, '/d', 'six')
    const { version } = draft.totals
    open().dropDraft(1)
    expect(open().totals.version).toBe(version)
    await put(open(), '/d', 'seven')
    expect([idsOf(sql), open().totals.version]).toEqual([[1, 4, 5, 7], version + 1])
  }))

it('the audit log ends where the newest change says, or entries after it', () =>
  withStores(async ({ sql, open }) => {
    const store = open()
    await put(store, '/a', 'one')
    await put(store, '/a', 'two')
    const noted = () => sql.exec('SELECT head, applied FROM audit_state').one()
    expect(noted()).toEqual({ head: 0, applied: 0 })
    expect(open().audit.check()).toEqual({ entries: 2, dropped: 0, broken: null })
    const actor = { principal: 'p', session: null, label: null }
    const refused = { outcome: 'refused', version: null, at: 0, paths: [], decision: [] } as const
    store.audit.record({ ...refused, id: '', tool: '', intent: '', digest: '', actor })
    expect(noted()).toEqual({ head: 3, applied: 2 })
    await put(store, '/a', 'three')
    expect(open().audit.check()).toEqual({ entries: 4, dropped: 0, broken: null })
    for (const missing of ['UPDATE changes SET entry = NULL', 'DELETE FROM changes']) {
      sql.exec(`${missing} WHERE seq = 4`)
      expect(open().audit.check().broken).toBe(4)
    }
  }))

it('the entries of old changes leave their rows for the audit log, with those of older ones', () =>
  withStores(async ({ sql, open }) => {
    const store = open()
    const withEntries = () =>
      sql
        .exec<{ version: number }>('SELECT version FROM changes WHERE entry IS NOT NULL')
        .toArray()
        .map(({ version }) => version)
    for (const path of ['/a', '/b', '/c']) await put(store, path, path)
    // As if many changes of drafts had gone by before the third one.
    const newest = CHANGES_WITH_ENTRIES + 498
    for (const table of ['changes', 'files', 'versions'])
      sql.exec(`UPDATE ${table} SET version = ? WHERE version = 3`, newest)

    const later = open()
    act(later)
    expect(withEntries()).toEqual([1, 2, newest, newest + 1])
    act(later)
    expect(withEntries()).toEqual([newest, newest + 1, newest + 2])
    const { audit } = later
    expect(audit.check()).toEqual({ entries: 5, dropped: 0, broken: null })
    const find = (limit: number, before?: number) =>
      audit.find({ limit, before }).map(({ seq }) => seq)
    expect([find(9), find(2, 4), find(2, 2)]).toEqual([[5, 4, 3, 2, 1], [3, 2], [1]])
  }))
