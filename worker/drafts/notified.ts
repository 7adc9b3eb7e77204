/**
 * Applied changes at the level `notify`, which are listed for the owner until they were seen.
 * `test/worker/drafts/notified.test.ts` has the cases.
 *
 * @module
 */

import type { ChangeRecord, Store } from '../store/store.ts'
import { tablesOf, type Tables } from '../store/table-groups.ts'
import { MAX_NOTIFIED } from './limits.ts'

/** Changes of one answer. */
const PAGE = 20

/** The changes that the owner has not seen. */
export interface Unseen {
  readonly count: number
  /** The newest, newest first. */
  readonly changes: readonly ChangeRecord[]
}

/** Opens the list. */
export function createNotified(database: SqlStorage, store: Pick<Store, 'listChanges'>) {
  const sql = tablesOf(database, 'notified')
  return {
    add: (version: number): void => {
      sql.exec('INSERT OR IGNORE INTO notified (version) VALUES (?)', version)
      sql.exec(
        `DELETE FROM notified WHERE version <=
           (SELECT version FROM notified ORDER BY version DESC LIMIT 1 OFFSET ?)`,
        MAX_NOTIFIED,
      )
    },
    list: (): Unseen => readUnseen(sql, store),
    /** Removes the changes up to a version. */
    seen: (version: number): void => {
      sql.exec('DELETE FROM notified WHERE version <= ?', version)
    },
  }
}

function readUnseen(sql: Tables, store: Pick<Store, 'listChanges'>): Unseen {
  const { count } = sql.exec<{ count: number }>('SELECT count(*) AS count FROM notified').one()
  const rows = sql
    .exec<{ version: number }>('SELECT version FROM notified ORDER BY version DESC LIMIT ?', PAGE)
    .toArray()
  const changes = rows.flatMap(({ version }) => {
    const [change] = store.listChanges({ before: version + 1, limit: 1 })
    return change?.version === version ? [change] : []
  })
  return { count, changes }
}
