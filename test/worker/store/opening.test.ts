/** Opening: one statement that writes nothing, and finds whatever rare rows there are. */

import { openTables } from '#worker/store/open/opening.ts'
import { RARE_TABLES } from '#worker/database/rare-tables.ts'
import { SCHEMA, readMeta } from '#worker/database/schema.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { REVIEW } from '../../support/worker/draft-tools.ts'
import { newStub, stubOf } from '../../support/worker/object-life.ts'
import { configure } from '../../support/worker/passkeys.ts'

/** A storage that notes each statement, with the rows that it wrote. */
function noteStatements(storage: DurableObjectStorage) {
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []
  const exec = (query: string, ...bindings: unknown[]) => {
    const cursor = storage.sql.exec(query, ...bindings)
    cursors.push(cursor)
    return cursor
  }
  const proxy = new Proxy(storage, {
    get: (target, key): unknown => {
      if (key === 'sql') return { exec }
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { storage: proxy, cursors }
}

it('takes one statement, which writes nothing', () =>
  runInDurableObject(newStub(), (_, { storage }) => {
    openTables(storage)
    const noted = noteStatements(storage)
    openTables(noted.storage)
    expect(noted.cursors.map(({ rowsWritten }) => rowsWritten)).toEqual([0])
  }))

it('creates the tables of a new workspace', () =>
  runInDurableObject(newStub(), (_, { storage }) => {
    expect(openTables(storage)).toEqual({
      totals: { version: 0, files: 0, folders: 0, bytes: 0 },
      version: 0,
      config: null,
      isCovered: false,
      has: { drafts: false, requests: false, apps: false, skills: false, checkpoints: false },
    })
    expect(readMeta(storage.sql, 'schema')).toBe(SCHEMA)
  }))

it('finds totals, rules and rare rows', () =>
  runInDurableObject(newStub(), (_, { storage }) => {
    openTables(storage)
    storage.sql.exec(`
      INSERT INTO changes (version, id, tool, intent, principal, at, files, folders, bytes, paths,
          seq, hash, applied)
        VALUES (3, 'a', '', '', '', 0, 4, 5, 6, 1, 0, '', 0), (2, 'b', '', '', '', 0, 1, 1, 1, 1, 0, '', 0);
      INSERT INTO meta (name, value) VALUES ('version', 7);
      INSERT INTO settings (name, value) VALUES ('config', '{}');
      ${RARE_TABLES.apps} ${RARE_TABLES.checkpoints} ${RARE_TABLES.drafts}
      INSERT INTO apps VALUES ('chart', 'approved', '', '{}', 1, 0, '');
      INSERT INTO checkpoints (id, name, version, at, principal) VALUES ('c', '', 1, 0, '');
      INSERT INTO drafts (name, owner, principal, budget, opened, touched)
        VALUES ('d', 'o', '', '', 0, 0);
      DELETE FROM drafts;
    `)
    expect(openTables(storage)).toEqual({
      totals: { version: 3, files: 4, folders: 5, bytes: 6 },
      version: 7,
      config: '{}',
      isCovered: false,
      // Decisions may be left of a draft that is gone.
      has: { drafts: true, requests: false, apps: true, skills: false, checkpoints: true },
    })
  }))

it('a waking object still knows its draft', async () => {
  const workspace = freshWorkspace()
  await configure(workspace, REVIEW)
  await workspace.text('write_file', { path: 'a.md', content: 'words' })
  const before = await workspace.text('draft_status', {})
  await evictDurableObject(stubOf(workspace))
  expect(await workspace.text('draft_status', {})).toBe(before)
  expect(await workspace.text('read_file', { path: 'a.md' })).toContain('words')
})
