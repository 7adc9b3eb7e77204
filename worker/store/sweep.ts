/**
 * The sweep: deletes large objects that stand in the trash and are old enough.
 *
 * An object is deleted first and its row after, so a crash in between only means that the next
 * sweep deletes what is already gone. A key that a version claimed meanwhile is no longer here, and
 * one whose object is still arriving, however slowly, is put off.
 *
 * @module
 */

import { SWEEP_GRACE_MS } from '../limits.ts'
import type { Objects } from './objects.ts'

/** Keys that one sweep deletes; R2 takes 1,000 in one request. */
const BATCH = 500

export function createSweep(sql: SqlStorage, objects: Objects, arriving: ReadonlySet<string>) {
  /** Answers when the next key is due, in milliseconds since 1970, or null. */
  return async function sweep(now: number): Promise<number | null> {
    for (const key of arriving)
      sql.exec('UPDATE trash SET at = ? WHERE key = ? AND at <= ?', now + SWEEP_GRACE_MS, key, now)
    const due = sql
      .exec<{ key: string }>('SELECT key FROM trash WHERE at <= ? LIMIT ?', now, BATCH)
      .toArray()
      .map(({ key }) => key)
    // Claimed from here on, nobody can name them: naming takes the row away, and so does this.
    for (const key of due) sql.exec('UPDATE trash SET at = -1 WHERE key = ?', key)
    if (due.length > 0) await objects.delete(due)
    for (const key of due) sql.exec('DELETE FROM trash WHERE key = ? AND at = -1', key)
    return sql.exec<{ at: number | null }>('SELECT min(at) AS at FROM trash').one().at
  }
}
