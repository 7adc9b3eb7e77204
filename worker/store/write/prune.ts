/**
 * Pruning: deletes old changes of which history has no version left.
 *
 * The newest {@link MAX_CHANGES} are always kept. An older change is kept while a version names it or another
 * change with the same id, because the rest of an import must not look like the whole of it. So a change is
 * checked twice: when it becomes old, and when its last version is dropped.
 *
 * @module
 */

import { moveOldEntries } from '../../audit/log.ts'
import { MAX_CHANGES } from '../../limits.ts'

/** Number of changes between two checks of those that became old. */
const PAGE = 500

/** SQL: the version that the id of a change names, which the other changes with this id have in common. */
const NAMED = 'ifnull(changes.first, changes.version)'

const UNNAMED = `NOT EXISTS (SELECT 1 FROM changes o JOIN versions v ON v.version = o.version
  WHERE o.version = ${NAMED} OR o.first = ${NAMED})`

/** Deletes changes that became old with the change `newest`. Before that they lose their entries of the audit log. */
export function pruneOld(sql: SqlStorage, newest: number): void {
  if (newest % PAGE !== 0) return
  moveOldEntries(sql, newest)
  const old = newest - MAX_CHANGES
  if (old <= 0) return
  sql.exec(`DELETE FROM changes WHERE version > ? AND version <= ? AND ${UNNAMED}`, old - PAGE, old)
}

/** Deletes old changes with the id of a change that lost a version. */
export function pruneDropped(sql: SqlStorage, version: number, newest: number): void {
  const old = newest - MAX_CHANGES
  if (version > old) return
  sql.exec(
    `WITH named AS (SELECT ${NAMED} AS version FROM changes WHERE version = ?1)
     DELETE FROM changes WHERE (version = (SELECT version FROM named) OR first = (SELECT version FROM named))
       AND version <= ?2 AND ${UNNAMED}`,
    version,
    old,
  )
}
