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
import { NO_DRAFT, selectTouched } from '../touched-paths.ts'

/** Number of changes between two checks of those that became old. */
const PAGE = 500

/** SQL: the version that the id of a change names, which the other changes with this id have in common. */
const NAMED = 'ifnull(changes.first, changes.version)'

const UNNAMED = `NOT EXISTS (${selectTouched('1', {
  where: `(c.version = ${NAMED} OR c.first = ${NAMED})`,
})})`

/** Deletes changes that became old with the change `newest`. Before that they lose their entries of the audit log. */
export function pruneOld(sql: SqlStorage, newest: number): void {
  if (newest % PAGE !== 0) return
  moveOldEntries(sql, newest)
  const old = newest - MAX_CHANGES
  if (old <= 0) return
  remove(sql, 'version > ? AND version <= ?', old - PAGE, old)
}

/** Deletes old changes with the id of a change that lost a version. */
export function pruneDropped(sql: SqlStorage, version: number, newest: number): void {
  const old = newest - MAX_CHANGES
  if (version > old) return
  const [row] = sql
    .exec<{ named: number }>(`SELECT ${NAMED} AS named FROM changes WHERE version = ?`, version)
    .toArray()
  if (row) remove(sql, '(version = ?1 OR first = ?1) AND version <= ?2', row.named, old)
}

/** Deletes changes of which history has no version left. */
function remove(sql: SqlStorage, condition: string, ...bindings: number[]): void {
  const deleted = sql
    .exec<{ version: number }>(
      `DELETE FROM changes WHERE ${condition} AND ${UNNAMED} RETURNING version`,
      ...bindings,
    )
    .toArray()
  for (const { version } of deleted)
    sql.exec('DELETE FROM touched_paths WHERE draft = ? AND version = ?', NO_DRAFT, version)
}
