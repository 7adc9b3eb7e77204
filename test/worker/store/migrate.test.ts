/** Migrations: stores of earlier releases are migrated with all their data; those of later releases are not touched. */

import type { MaybePromise } from '#worker/maybe-promise.ts'
import { RARE_TABLES } from '#worker/database/rare-tables.ts'
import {
  MIGRATIONS,
  migrate,
  NEWER_RELEASE,
  readMeta,
  runMigration,
  writeMeta,
} from '#worker/database/schema.ts'
import { dropUnusedTables } from '#worker/database/table-groups.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { expectWhole } from '../../support/worker/invariants.ts'
import { newStub, stubOf } from '../../support/worker/object-life.ts'
import {
  createOldTables,
  LARGE,
  LINK_SECRET,
  OLD_STORES,
  PREVIEW,
  TRIMMED,
} from '../../support/worker/old-stores.ts'

/** A workspace whose object opens the store of an earlier release. */
async function oldWorkspace(version: number, before = '') {
  const workspace = freshWorkspace()
  await runInDurableObject(stubOf(workspace), async (_, { id, storage }) => {
    await createOldTables(storage, version)
    storage.sql.exec(`${OLD_STORES[version - 1]} ${before}`)
    await env.FILES.put(`${id.toString()}/large`, LARGE)
  })
  await evictDurableObject(stubOf(workspace))
  return workspace
}

const linkTo = ({ base }: { readonly base: string }) =>
  `http://localhost/s/${base.slice(base.lastIndexOf('/') + 1)}.${LINK_SECRET}`

it('there is a test store of every version', () => {
  expect(OLD_STORES.length).toBe(MIGRATIONS.length)
})

describe.each(OLD_STORES.map((_, index) => index + 1))('a store of version %d', (version) => {
  it('is migrated, and keeps all invariants', async () => {
    const workspace = await oldWorkspace(version)
    expect((await workspace.fetch('/status')).status).toBe(200)
    await runInDurableObject(stubOf(workspace), (_, { storage }) => {
      expect(readMeta(storage.sql, 'schema')).toBe(MIGRATIONS.length)
    })
    await expectWhole(stubOf(workspace))
  })

  it('keeps its files with their times, and finds them', async () => {
    const { fetch, text } = await oldWorkspace(version)
    const small = await fetch('/files/docs/a.md')
    expect(await small.text()).toBe('second words\n')
    expect(small.headers.get('last-modified')).toBe(new Date(1795279577552).toUTCString())
    expect(await (await fetch('/files/large')).text()).toBe(LARGE)
    // The draft of a store of version 7 has used the number 4.
    const newest = version < 7 ? 3 : 4
    expect(await (await fetch('/status')).json()).toMatchObject({ version: newest, files: 2 })
    expect(await text('search_files', { pattern: 'second' })).toContain('1: second words')
    expect(await text('search_files', { pattern: 'x$', root: '/large' })).toContain('1: xxx')
  })

  it('keeps its history, and can undo changes', async () => {
    const { text, fetch } = await oldWorkspace(version)
    expect(await text('list_changes')).toContain('Write to /docs/a.md')
    await text('undo_change', { id: 'afa54a62-6e02-4ca8-84b1-c4d4655b8c74' })
    expect(await (await fetch('/files/docs/a.md')).text()).toBe('first words\n')
  })

  it('keeps its audit log, whose chain continues', async () => {
    const { fetch, put } = await oldWorkspace(version)
    await put('/docs/new', 'x')
    expect(await (await fetch('/audit/check')).json()).toEqual({
      entries: 6,
      dropped: 0,
      broken: null,
    })
    // Releases before wrote the grounds of a decision as one text.
    const { entries } = await (await fetch('/audit')).json<{ entries: { decision: unknown }[] }>()
    expect(entries.map(({ decision }) => decision)).toEqual([
      [{ kind: 'owner' }],
      'configuration',
      expect.any(String),
      'the person',
      'configuration',
      'the person',
    ])
  })

  it('keeps its configuration, its link and its preview', async () => {
    const workspace = await oldWorkspace(version)
    expect(await workspace.code('read_file', { path: '/secret' })).toBe('PATH_OUTSIDE_ROOT')
    const guest = freshWorkspace(linkTo(workspace))
    expect(await guest.text('read_file', { path: '/docs/a.md' })).toBe('1: second words')
    expect(await guest.code('read_file', { path: '/large' })).toBe('INSUFFICIENT_SCOPE')
    const args = { path: '/docs/b.md', content: 'b' }
    const applied = await workspace.call('write_file', args, { 'dev.edgewise/preview': PREVIEW })
    expect(applied.result?.isError).not.toBe(true)
    expect(await workspace.text('read_file', { path: '/docs/b.md' })).toBe('1: b')
  })
})

/** Under rules, a change is hidden if history may have dropped a part of it. */
async function withoutRules({ fetch }: Awaited<ReturnType<typeof oldWorkspace>>): Promise<void> {
  expect((await fetch('/config', { method: 'PUT', body: '{}' })).status).toBe(200)
}

describe('a store of version 2 that has dropped old versions', () => {
  it.each([
    ['overwrote a file', 6],
    ['deleted a file', 8],
  ])('does not undo what %s without the state before', async (_, change) => {
    const workspace = await oldWorkspace(2, TRIMMED)
    await withoutRules(workspace)
    const code = await workspace.code('undo_change', { id: `change-${change}` })
    expect(code).toBe('VERSION_NOT_FOUND')
    expect(await workspace.text('read_file', { path: '/docs/cut' })).toBe('1: second words')
    await expectWhole(stubOf(workspace))
  })

  it('undoes the creation of a file', async () => {
    const workspace = await oldWorkspace(2, TRIMMED)
    await withoutRules(workspace)
    const { text, fetch } = workspace
    await text('undo_change', { id: 'change-4' })
    expect((await fetch('/files/docs/made')).status).toBe(404)
  })
})

describe('a store with an audit log without tombstones', () => {
  /** The first version whose audit has tombstones. */
  const BUDGETS = 5

  const stateOf = (workspace: { readonly base: string }) =>
    runInDurableObject(stubOf(workspace), (_, { storage: { sql } }) => ({
      ...sql.exec('SELECT applied, notes, dropped FROM audit_state').one(),
      shares: sql.exec('SELECT budget, entries FROM audit_shares').toArray(),
    }))

  it('counts its entries by principal', async () => {
    const workspace = await oldWorkspace(BUDGETS - 1)
    await workspace.fetch('/status')
    expect(await stateOf(workspace)).toEqual({
      ...{ applied: 3, notes: 2, dropped: 0 },
      shares: [{ budget: 'local', entries: 2 }],
    })
  })

  it('continues its chain after its oldest entries were dropped', async () => {
    const workspace = await oldWorkspace(BUDGETS - 1, 'DELETE FROM audit WHERE seq < 3')
    const check = async () => (await workspace.fetch('/audit/check')).json()
    expect(await check()).toEqual({ entries: 2, dropped: 3, broken: null })
    expect(await stateOf(workspace)).toMatchObject({ applied: 0, notes: 2, dropped: 3 })
    await workspace.put('/docs/new', 'x')
    expect(await check()).toEqual({ entries: 3, dropped: 3, broken: null })
  })

  it('detects changed and removed entries', async () => {
    const checkOf = async (statement: string) => {
      const workspace = await oldWorkspace(BUDGETS - 1, statement)
      return (await workspace.fetch('/audit/check')).json()
    }
    expect(await checkOf('DELETE FROM audit WHERE seq = 3')).toMatchObject({ broken: 4 })
    const changed = `UPDATE audit SET entry = 'no JSON' WHERE seq = 2`
    expect(await checkOf(changed)).toMatchObject({ broken: 2 })
  })
})

type Rows = Readonly<Record<string, readonly unknown[]>>

const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'`

/** All rows of all tables except the index, whose format is internal to SQLite. */
function rowsOf(sql: SqlStorage): Rows {
  const tables = sql.exec<{ name: string }>(TABLES).toArray()
  const readable = tables.filter(({ name }) => name !== 'trigrams')
  return Object.fromEntries(
    readable.map(({ name }) => [name, sql.exec(`SELECT * FROM ${name}`).toArray()]),
  )
}

describe('a store of a later release', () => {
  it('is refused with an instruction and left unchanged', async () => {
    const workspace = await oldWorkspace(OLD_STORES.length)
    await runInDurableObject(stubOf(workspace), (_, { storage }) => {
      writeMeta(storage.sql, { schema: MIGRATIONS.length + 1 })
      const before = rowsOf(storage.sql)
      expect(() => migrate(storage)).toThrow(NEWER_RELEASE)
      expect(rowsOf(storage.sql)).toEqual(before)
    })
  })

  it('is not served, and the response and the log have the reason', async () => {
    const workspace = await oldWorkspace(OLD_STORES.length)
    await runInDurableObject(stubOf(workspace), (_, { storage: { sql } }) =>
      writeMeta(sql, { schema: MIGRATIONS.length + 1 }),
    )
    await evictDurableObject(stubOf(workspace))
    const log = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => log.mockRestore())
    const answer = await workspace.fetch('/files/docs/a.md')
    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({
      code: 'NEWER_RELEASE',
      message: expect.stringContaining(NEWER_RELEASE),
    })
    expect(String(log.mock.calls)).toContain(NEWER_RELEASE)
  })
})

it('a new store has the tables and rows of all migrations', async () => {
  const opened = (store: (storage: DurableObjectStorage) => MaybePromise<void>) =>
    runInDurableObject(newStub(), async (_, { storage }) => {
      await storage.deleteAll()
      await store(storage)
      return { schema: schemaOf(storage.sql), rows: rowsOf(storage.sql) }
    })
  const upTo = (version: number) =>
    opened(async (storage) => {
      await createOldTables(storage, version)
      writeMeta(storage.sql, { schema: MIGRATIONS.length })
    })
  expect(await opened(migrate)).toEqual(await upTo(MIGRATIONS.length))
  // What the migrations made of the tables that are created when they are used, had none of them dropped those.
  const create = (storage: DurableObjectStorage) => {
    for (const statements of Object.values(RARE_TABLES)) storage.sql.exec(statements)
  }
  const whole = await opened((storage) => {
    const { sql } = storage
    sql.exec('CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT')
    for (const one of MIGRATIONS) if (one !== dropUnusedTables) runMigration(sql, one)
    writeMeta(sql, { schema: MIGRATIONS.length })
    create(storage)
  })
  expect(Object.keys(whole.schema).length).toBeGreaterThan(50)
  const used = await opened((storage) => {
    migrate(storage)
    create(storage)
  })
  expect(used).toEqual(whole)
})

/** The statement of each table and index, without white space that means nothing. */
function schemaOf(sql: SqlStorage): Readonly<Record<string, string>> {
  const made = sql.exec<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name`,
  )
  const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/ ?([(),]) ?/g, '$1')
  return Object.fromEntries(made.toArray().map((row) => [row.name, tidy(row.sql)]))
}

it('a migration that fails leaves the store as it was', async () => {
  await runInDurableObject(stubOf(freshWorkspace()), async (_, { storage }) => {
    await storage.deleteAll()
    storage.sql.exec(`CREATE TABLE settings (mine TEXT); INSERT INTO settings VALUES ('kept')`)
    expect(() => migrate(storage)).toThrow('settings')
    expect(rowsOf(storage.sql)).toEqual({ settings: [{ mine: 'kept' }] })
  })
})
