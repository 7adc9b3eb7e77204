/**
 * Applied changes at the level `notify`, which are listed for the owner until they were seen. Of too many, the
 * principal with the most loses its oldest (`database/shares.ts`); the number of lost ones is listed.
 * `test/worker/drafts/notified.test.ts` has the cases.
 *
 * @module
 */

import type { ChangeRecord, Store } from '../store/store.ts'
import { readSetting, writeSetting } from '../database/schema.ts'
import { keepShares, type SharedRows } from '../database/shares.ts'
import { tablesOf, type Tables } from '../database/table-groups.ts'
import { MAX_NOTIFIED } from './limits.ts'

/** Changes of one answer, and of those that are marked as seen at once. */
export const NOTIFIED_PAGE = 50

/** The setting with the number of changes that were dropped before the owner saw them. */
const DROPPED = 'notified_dropped'

/** A change, with the time until which similar changes pass by trust; null if it did not. */
export interface NotifiedRecord {
  readonly record: ChangeRecord
  readonly trust: number | null
}

/** The changes that the owner has not seen. */
export interface Unseen {
  readonly count: number
  /** The newest, newest first. */
  readonly changes: readonly NotifiedRecord[]
  /** Number of changes that are listed no more, because there were too many. */
  readonly dropped: number
}

/** What the owner was shown. */
export interface Seen {
  readonly versions: readonly number[]
  readonly dropped: number
}

/** Opens the list. `changed` is called when the owner has seen changes of it. */
export function createNotified(
  database: SqlStorage,
  store: Pick<Store, 'listChanges'>,
  changed: () => void = () => {},
) {
  const sql = tablesOf(database, 'notified')
  return {
    /** Adds a change. `budget` is the principal whose share it uses, `trust` until when similar changes pass. */
    add: (version: number, budget: string, trust: number | null = null): void => {
      const columns = 'INSERT OR IGNORE INTO notified (version, budget, trust) VALUES (?, ?, ?)'
      sql.exec(columns, version, budget, trust)
      const dropped = keepShares(sql, NOTIFIED, MAX_NOTIFIED)
      if (dropped > 0) writeDropped(database, readDropped(database) + dropped)
    },
    /** Counts the changes that the owner has not seen, those included that are listed no more. */
    count: (): number => countOf(sql) + readDropped(database),
    list: (): Unseen => ({ ...readUnseen(sql, store), dropped: readDropped(database) }),
    /** Removes what was shown, and nothing that came meanwhile. */
    seen: ({ versions, dropped }: Seen): void => {
      for (const version of versions) sql.exec('DELETE FROM notified WHERE version = ?', version)
      if (dropped > 0) writeDropped(database, Math.max(0, readDropped(database) - dropped))
      changed()
    },
  }
}

const readDropped = (database: SqlStorage) => Number(readSetting(database, DROPPED) ?? 0)

const writeDropped = (database: SqlStorage, count: number) =>
  writeSetting(database, DROPPED, String(count))

const countOf = (sql: Tables) =>
  sql.exec<{ count: number }>('SELECT count(*) AS count FROM notified').one().count

const NOTIFIED: SharedRows = { table: 'notified', id: 'version' }

function readUnseen(sql: Tables, store: Pick<Store, 'listChanges'>): Omit<Unseen, 'dropped'> {
  const rows = sql
    .exec<{ version: number; trust: number | null }>(
      'SELECT version, trust FROM notified ORDER BY version DESC LIMIT ?',
      NOTIFIED_PAGE,
    )
    .toArray()
  const changes = rows.flatMap(({ version, trust }) => {
    const [record] = store.listChanges({ before: version + 1, limit: 1 })
    return record?.version === version ? [{ record, trust }] : []
  })
  return { count: countOf(sql), changes }
}
