/**
 * The schema of a workspace: the baseline that a new store begins with, and the migrations after it. `SCHEMA.md`
 * describes each table and how long its rows are kept.
 *
 * `test/worker/store/migrate.test.ts` tests it.
 *
 * @module
 */

import { BASELINE } from './baseline.ts'
import { forgetGroups, transaction, type Tables } from './table-groups.ts'

/** Statements, or what runs them where they depend on the rows. */
export type Migration = string | ((sql: SqlStorage) => void)

/** Schema 1 kept parts of texts by blob and part, and not by id. Every text is extracted again when it is needed. */
const DROP_TEXTS = `
  DROP TABLE IF EXISTS text_parts;
  DROP TABLE IF EXISTS texts;
  DELETE FROM meta WHERE name = 'kept_text';
`

/** What migrates a store after the baseline, each to the next schema. Never edit one that has been released. */
export const MIGRATIONS: readonly Migration[] = [DROP_TEXTS]

/** The schema of a store with the baseline alone. */
const FIRST = 1

/** The schema that this release reads and writes. */
export const SCHEMA = FIRST + MIGRATIONS.length

/**
 * Makes the tables of a new store, or migrates those of an older one, in one transaction.
 *
 * @throws Error if a newer release wrote the store, whose tables this release cannot interpret.
 */
export function migrate(storage: DurableObjectStorage, migrations = MIGRATIONS): void {
  transaction(storage, () => {
    const { sql } = storage
    sql.exec(
      'CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT',
    )
    const newest = FIRST + migrations.length
    const at = readMeta(sql, 'schema')
    if (at > newest) throw new Error(tooNew(at, newest))
    if (at === 0) sql.exec(BASELINE)
    for (const migration of migrations.slice(Math.max(at, FIRST) - FIRST))
      if (typeof migration === 'string') sql.exec(migration)
      else migration(sql)
    if (at < newest) writeMeta(sql, { schema: newest })
  })
  forgetGroups(storage.sql)
}

/** Whether nothing was ever written to this database. */
export function isUnused(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'meta'").toArray().length === 0
}

/** The start of the message of {@link migrate} for a store of a newer release. */
export const NEWER_RELEASE = 'This workspace was written by a newer release'

const tooNew = (at: number, known: number) =>
  `${NEWER_RELEASE}: its schema is ${at}, and this one knows ${known}. ` +
  'Nothing was changed. Deploy the newer release again'

/** The values of `blobs.indexed`: whether a blob is in the trigram index, and if not, why. */
export const INDEX = {
  /** It waits for its turn until {@link INDEXED_TO} has reached its id, and was indexed or passed over then. */
  inTurn: 0,
  /** It cannot be searched. */
  never: 1,
  /** It is text, but too large to be searched. A search counts it as skipped. */
  large: 2,
} as const

/** SQL: the blob up to which all had their turn to be indexed. Blobs are indexed in the order of their ids. */
export const INDEXED_TO = "(SELECT value FROM meta WHERE name = 'indexed_to')"

/** Reads a number from `meta`; 0 if it was never written. */
export function readMeta(sql: Tables, name: string): number {
  const row = sql
    .exec<{ value: number }>('SELECT value FROM meta WHERE name = ?', name)
    .toArray()[0]
  return row?.value ?? 0
}

/** Writes numbers to `meta`, by their names. */
export function writeMeta(sql: SqlStorage, numbers: Readonly<Record<string, number>>): void {
  const rows = Object.entries(numbers)
  sql.exec(
    `INSERT INTO meta (name, value) VALUES ${rows.map(() => '(?, ?)').join(', ')}
     ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE value <> excluded.value`,
    ...rows.flat(),
  )
}

/** Reads a setting of the workspace; null if it was never written. */
export function readSetting(sql: SqlStorage, name: string): string | null {
  const rows = sql.exec<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)
  return rows.toArray()[0]?.value ?? null
}

/** Writes a setting of the workspace. */
export function writeSetting(sql: SqlStorage, name: string, value: string): void {
  sql.exec('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', name, value)
}
