/** Groups of tables: created with their first row, empty until then, and forgotten when that is rolled back. */

import { parsePath } from '#core/path.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { openTables } from '#worker/store/open/opening.ts'
import { RARE_TABLES } from '#worker/database/rare-tables.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import {
  createTables,
  forgetGroups,
  hasTables,
  readTables,
  tablesOf,
  transaction,
  type TableGroup,
} from '#worker/database/table-groups.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { REVIEW } from '../../support/worker/draft-tools.ts'
import { newStub, runAlarm, stubOf } from '../../support/worker/object-life.ts'
import { configure } from '../../support/worker/passkeys.ts'
import { act } from '../../support/worker/store-contract.ts'

const GROUPS = Object.keys(RARE_TABLES) as TableGroup[]

/** Runs a test in a new workspace. */
const inNewStore = (test: (storage: DurableObjectStorage) => void) =>
  runInDurableObject(newStub(), (_, { storage }) => {
    openTables(storage)
    test(storage)
  })

const namesOf = (sql: SqlStorage) =>
  sql
    .exec<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .toArray()
    .map(({ name }) => name)

const ADD = 'INSERT INTO notified (version) VALUES (?)'
const COUNT = 'SELECT count(*) AS count, max(version) AS newest FROM notified'

it('no group exists in a new workspace', () =>
  inNewStore(({ sql }) => expect(GROUPS.filter((group) => hasTables(sql, group))).toEqual([])))

it('several groups are read at once, and none is created', () =>
  inNewStore(({ sql }) => {
    createTables(sql, 'notified')
    sql.exec(ADD, 7)
    const query = `SELECT (SELECT count(*) FROM text_parts) + count(*) AS count FROM notified`
    const rows = readTables(sql, 'notified', 'texts').exec(query).toArray()
    expect(rows).toEqual([{ count: 1 }])
    expect(hasTables(sql, 'texts')).toBe(false)
  }))

describe.each(GROUPS)('the group %s', (group) => {
  it('is complete once it was created, also twice', () =>
    inNewStore(({ sql }) => {
      createTables(sql, group)
      forgetGroups(sql)
      expect(hasTables(sql, group)).toBe(true)
      sql.exec(RARE_TABLES[group])
      createTables(sql, group)
    }))

  it('is empty before, with the same columns', () =>
    inNewStore(({ sql }) => {
      const tables = [...RARE_TABLES[group].matchAll(/TABLE IF NOT EXISTS (\w+)/g)]
      expect(tables.length).toBeGreaterThan(0)
      const read = () =>
        tables.map(([, name]) => tablesOf(sql, group).exec(`SELECT * FROM ${name}`))
      const before = read()
      expect(before.map((cursor) => cursor.toArray())).toEqual(tables.map(() => []))
      createTables(sql, group)
      const columns = read().map(({ columnNames }) => columnNames)
      expect(before.map(({ columnNames }) => columnNames)).toEqual(columns)
    }))
})

it('reads, updates and deletions create no table', () =>
  inNewStore((storage) => {
    const { sql } = storage
    const before = namesOf(sql)
    const tables = tablesOf(sql, 'notified')
    expect(tables.exec(COUNT).one()).toEqual({ count: 0, newest: null })
    expect(tables.exec('SELECT version FROM notified WHERE version > ?', 1).toArray()).toEqual([])
    const query = 'DELETE FROM notified WHERE version = ? RETURNING version'
    expect(tables.exec(query, 1).toArray()).toEqual([])
    expect(tables.exec('UPDATE notified SET version = ?', 1).rowsWritten).toBe(0)
    expect(namesOf(sql)).toEqual(before)
  }))

it('the first row creates the group', () =>
  inNewStore(({ sql }) => {
    const tables = tablesOf(sql, 'notified')
    tables.exec(ADD, 7)
    expect(tables.exec(COUNT).one()).toEqual({ count: 1, newest: 7 })
    tables.exec('DELETE FROM notified')
    expect(hasTables(sql, 'notified')).toBe(true)
  }))

it('a statement can use other tables beside a group that does not exist', () =>
  inNewStore(({ sql }) => {
    const query = 'SELECT count(*) AS count FROM blobs LEFT JOIN draft_files ON blob = id'
    expect(tablesOf(sql, 'drafts').exec(query).one()).toEqual({ count: 0 })
  }))

it('a group that was created in a transaction is gone with it', () =>
  inNewStore((storage) => {
    const { sql } = storage
    const tables = tablesOf(sql, 'notified')
    const fail = () => {
      tables.exec(ADD, 1)
      throw new Error('rolled back')
    }
    expect(() => transaction(storage, fail)).toThrow('rolled back')
    expect(tables.exec(COUNT).one()).toEqual({ count: 0, newest: null })
    // Also where only an inner transaction fails.
    transaction(storage, () => {
      expect(() => transaction(storage, fail)).toThrow('rolled back')
      tables.exec(ADD, 2)
    })
    expect(tables.exec(COUNT).one()).toEqual({ count: 1, newest: 2 })
    // And where only the outer one does.
    const requests = tablesOf(sql, 'apps')
    const failLater = () => {
      transaction(storage, () => createTables(sql, 'apps'))
      throw new Error('rolled back')
    }
    expect(() => transaction(storage, failLater)).toThrow('rolled back')
    expect(hasTables(sql, 'apps')).toBe(false)
    expect(requests.exec('SELECT * FROM apps').toArray()).toEqual([])
  }))

it('a group that was created only in part is completed', () =>
  inNewStore(({ sql }) => {
    const [first = ''] = RARE_TABLES.previews.split(';')
    sql.exec(first)
    expect(hasTables(sql, 'previews')).toBe(false)
    expect(tablesOf(sql, 'previews').exec('SELECT id FROM previews').toArray()).toEqual([])
    createTables(sql, 'previews')
    forgetGroups(sql)
    expect(hasTables(sql, 'previews')).toBe(true)
  }))

it('a draft whose first change was rolled back can be opened again', () =>
  inNewStore((storage) => {
    const store = createSqliteStore(storage, createSqliteObjects(storage.sql))
    const path = parsePath('/folder')
    const change = () => expect(act(store.draft(1), { type: 'folder', path }).ok).toBe(true)
    const fail = () => {
      change()
      throw new Error('rolled back')
    }
    expect(() => store.transaction(fail)).toThrow('rolled back')
    expect(hasTables(storage.sql, 'drafts')).toBe(false)
    store.transaction(change)
    expect([store.stat(path), store.draft(1).stat(path)?.type]).toEqual([null, 'folder'])
  }))

describe('in a workspace', () => {
  const groupsOf = (workspace: ReturnType<typeof freshWorkspace>) =>
    runInDurableObject(stubOf(workspace), (_, { storage: { sql } }) => {
      forgetGroups(sql)
      return GROUPS.filter((group) => hasTables(sql, group))
    })

  const ROUTES =
    'status audit audit/check config notices sessions checkpoints apps drafts requests passkeys export'

  it('requests that only read create no table, nor do writes, refusals and the alarm', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'text')
    await workspace.put('/a', 'other text')
    for (const route of ROUTES.split(' '))
      expect((await (await workspace.fetch(`/${route}`)).arrayBuffer()).byteLength).toBeGreaterThan(
        0,
      )
    const calls: Readonly<Record<string, Record<string, unknown>>> = {
      ...{ draft_status: {}, list_roots: {}, list_changes: {}, list_checkpoints: {} },
      ...{ read_file: { path: 'a' }, search_files: { pattern: 'text' }, find_files: {} },
      delete_file: { path: 'a' },
    }
    for (const [tool, args] of Object.entries(calls)) await workspace.call(tool, args)
    expect(await workspace.code('read_file', { path: 'none' })).toBe('FILE_NOT_FOUND')
    await runAlarm(stubOf(workspace))
    expect(await groupsOf(workspace)).toEqual([])
  })

  it('a preview of a change that would wait creates no draft', async () => {
    const workspace = freshWorkspace()
    await configure(workspace, REVIEW)
    const args = { path: 'a.md', content: 'words' }
    await workspace.call('write_file', args, { preview: true })
    expect(await groupsOf(workspace)).toEqual(['previews'])
    await workspace.call('write_file', args)
    expect(await groupsOf(workspace)).toEqual(['drafts', 'notices', 'previews'])
  })

  it('a waking object knows what was created before', async () => {
    const workspace = freshWorkspace()
    const create = () =>
      workspace.fetch('/checkpoints', { method: 'POST', body: JSON.stringify({ name: 'first' }) })
    expect(await (await create()).json()).toMatchObject({ name: 'first' })
    await evictDurableObject(stubOf(workspace))
    expect(await (await create()).json()).toMatchObject({ name: 'first' })
    const { checkpoints } = await (
      await workspace.fetch('/checkpoints')
    ).json<{ checkpoints: unknown[] }>()
    expect(checkpoints).toHaveLength(2)
  })
})
