/**
 * The migration to schema 21: rows that share a limit with those of other principals name the principal whose share
 * they use (`shares.ts`). The rows that are there are of one principal. The tables of rare features may be missing.
 *
 * `test/worker/store/migrate.test.ts` has the cases.
 *
 * @module
 */

import { RARE_TABLES } from './rare-tables.ts'
import type { Tables } from './table-groups.ts'

/** Adds the columns. */
export function addShares(sql: Tables): void {
  sql.exec('ALTER TABLE audit ADD COLUMN share TEXT')
  sql.exec('ALTER TABLE audit_shares ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0')
  const tables = sql.exec<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE name IN
       ('decisions', 'waiting_calls', 'notified', 'notices', 'checkpoints', 'passkey_challenges') ORDER BY name`,
  )
  for (const { name } of tables.toArray()) {
    sql.exec(`ALTER TABLE ${name} ADD COLUMN budget TEXT NOT NULL DEFAULT ''`)
    // What is missing is the indexes of the new columns.
    if (name === 'waiting_calls') sql.exec(RARE_TABLES.drafts)
  }
}
