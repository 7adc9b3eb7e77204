/** Migrations: a new store has the baseline, an older one is migrated as a whole, one of a later release is left alone. */

import {
  migrate,
  MIGRATIONS,
  NEWER_RELEASE,
  readMeta,
  SCHEMA,
  writeMeta,
} from '#worker/database/schema.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { expectWhole } from '../../support/worker/invariants.ts'
import { newStub, stubOf } from '../../support/worker/object-life.ts'

type Rows = Readonly<Record<string, readonly unknown[]>>

const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'`

/** All rows of all tables except the index, whose format is internal to SQLite. */
function rowsOf(sql: SqlStorage): Rows {
  const tables = sql.exec<{ name: string }>(TABLES).toArray()
  const readable = tables.filter(({ name }) => !name.startsWith('trigrams'))
  return Object.fromEntries(
    readable.map(({ name }) => [name, sql.exec(`SELECT * FROM ${name}`).toArray()]),
  )
}

/** Runs work in an object without tables. */
const inEmptyStore = (work: (storage: DurableObjectStorage) => void) =>
  runInDurableObject(newStub(), async (_, { storage }) => {
    await storage.deleteAll()
    work(storage)
  })

/** A workspace with a file, a version of it and an audit log. */
async function usedWorkspace() {
  const workspace = freshWorkspace()
  await workspace.put('/a.md', 'first words\n')
  await workspace.put('/a.md', 'second words\n')
  return workspace
}

const ADD_NOTES = 'CREATE TABLE notes (text TEXT NOT NULL) STRICT'
const FILL_NOTES = (sql: SqlStorage) =>
  void sql.exec('INSERT INTO notes SELECT path FROM files ORDER BY path')

describe('a new store', () => {
  it('has the baseline and every migration', () =>
    inEmptyStore((storage) => {
      migrate(storage, [ADD_NOTES, FILL_NOTES])
      expect(readMeta(storage.sql, 'schema')).toBe(3)
      expect(rowsOf(storage.sql)).toMatchObject({ files: [], notes: [] })
    }))

  it('is left as it was by a migration that fails', () =>
    inEmptyStore((storage) => {
      storage.sql.exec(`CREATE TABLE settings (mine TEXT); INSERT INTO settings VALUES ('kept')`)
      expect(() => migrate(storage)).toThrow('settings')
      expect(rowsOf(storage.sql)).toEqual({ settings: [{ mine: 'kept' }] })
    }))
})

describe('an older store', () => {
  it('gets the migrations that it lacks, once each, and keeps its rows', async () => {
    const workspace = await usedWorkspace()
    await runInDurableObject(stubOf(workspace), (_, { storage }) => {
      const { files, versions, audit } = rowsOf(storage.sql)
      migrate(storage, [...MIGRATIONS, ADD_NOTES])
      migrate(storage, [...MIGRATIONS, ADD_NOTES, FILL_NOTES])
      migrate(storage, [...MIGRATIONS, ADD_NOTES, FILL_NOTES])
      const after = rowsOf(storage.sql)
      expect(after).toMatchObject({ files, versions, audit, notes: [{ text: '/a.md' }] })
      storage.sql.exec('DROP TABLE notes')
      writeMeta(storage.sql, { schema: SCHEMA })
    })
    await evictDurableObject(stubOf(workspace))
    expect(await workspace.text('read_file', { path: '/a.md' })).toBe('1: second words')
    await expectWhole(stubOf(workspace))
  })

  it('is left as it was where one of several migrations fails', async () => {
    const workspace = await usedWorkspace()
    await runInDurableObject(stubOf(workspace), (_, { storage }) => {
      const before = rowsOf(storage.sql)
      const fails = 'UPDATE files SET size = NULL'
      expect(() => migrate(storage, [...MIGRATIONS, ADD_NOTES, FILL_NOTES, fails])).toThrow(
        'NOT NULL',
      )
      expect(rowsOf(storage.sql)).toEqual(before)
    })
  })
})

describe('a store of a later release', () => {
  const laterWorkspace = async () => {
    const workspace = await usedWorkspace()
    await runInDurableObject(stubOf(workspace), (_, { storage: { sql } }) =>
      writeMeta(sql, { schema: SCHEMA + 1 }),
    )
    return workspace
  }

  it('is refused with an instruction and left unchanged', async () => {
    const workspace = await laterWorkspace()
    await runInDurableObject(stubOf(workspace), (_, { storage }) => {
      const before = rowsOf(storage.sql)
      expect(() => migrate(storage)).toThrow(NEWER_RELEASE)
      expect(rowsOf(storage.sql)).toEqual(before)
    })
  })

  it('is not served, and the response and the log have the reason', async () => {
    const workspace = await laterWorkspace()
    await evictDurableObject(stubOf(workspace))
    const log = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => log.mockRestore())
    const answer = await workspace.fetch('/files/a.md')
    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({
      code: 'NEWER_RELEASE',
      message: expect.stringContaining(NEWER_RELEASE),
    })
    expect(String(log.mock.calls)).toContain(NEWER_RELEASE)
  })
})
