/**
 * Pruning: forgets old changes of which history has nothing left.
 *
 * The newest {@link MAX_CHANGES} stay in any case. An older one stays while a version names it, or
 * another change of the same id: what is left of an import must not look like the whole of it. So an
 * old change is looked at twice, when it becomes old and when its last version is dropped.
 *
 * @module
 */

import { MAX_CHANGES } from '../limits.ts'

/** Changes after which those that have become old meanwhile are looked at. */
const PAGE = 500

const UNNAMED = `NOT EXISTS (
  SELECT 1 FROM changes o JOIN versions v ON v.version = o.version WHERE o.id = changes.id)`

export function createPrune(sql: SqlStorage) {
  /** Forgets what has become old by the change `newest`. */
  function pruneOld(newest: number): void {
    const old = newest - MAX_CHANGES
    if (old <= 0 || newest % PAGE !== 0) return
    sql.exec(
      `DELETE FROM changes WHERE version > ? AND version <= ? AND ${UNNAMED}`,
      old - PAGE,
      old,
    )
  }

  /** Forgets a change that has lost a version, with all of its id, where they are old. */
  function pruneDropped(version: number, newest: number): void {
    const old = newest - MAX_CHANGES
    if (version > old) return
    sql.exec(
      `DELETE FROM changes WHERE id = (SELECT id FROM changes WHERE version = ?)
         AND version <= ? AND ${UNNAMED}`,
      version,
      old,
    )
  }

  return { pruneOld, pruneDropped }
}
