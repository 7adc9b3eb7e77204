/**
 * The sweep: deletes large objects that are in the trash and old enough.
 *
 * An object is deleted before its row, so after a crash in between the next sweep deletes an object that no
 * longer exists, which is harmless. A key that a version claimed is no longer in the trash, and the deletion
 * of an object that is still being uploaded is postponed.
 *
 * @module
 */

import { SWEEP_GRACE_MS } from '../../limits.ts'
import type { Objects } from './objects.ts'

/** Maximum number of keys that one sweep deletes; R2 accepts 1,000 in one request. */
const BATCH = 500

/** Creates the sweep. `arriving` has the keys of objects that are still being uploaded. */
export function createSweep(sql: SqlStorage, objects: Objects, arriving: ReadonlySet<string>) {
  /** Resolves to when the next key is due, in milliseconds since 1970, or null. */
  return async function sweep(now: number): Promise<number | null> {
    for (const key of arriving)
      sql.exec('UPDATE trash SET at = ? WHERE key = ? AND at <= ?', now + SWEEP_GRACE_MS, key, now)
    const due = sql
      .exec<{ key: string }>('SELECT key FROM trash WHERE at <= ? LIMIT ?', now, BATCH)
      .toArray()
      .map(({ key }) => key)
    // From here on no blob can claim these keys: a claim requires a row whose time is above 0.
    for (const key of due) sql.exec('UPDATE trash SET at = -1 WHERE key = ?', key)
    if (due.length > 0) await objects.delete(due)
    for (const key of due) sql.exec('DELETE FROM trash WHERE key = ? AND at = -1', key)
    return sql.exec<{ at: number | null }>('SELECT min(at) AS at FROM trash').one().at
  }
}
