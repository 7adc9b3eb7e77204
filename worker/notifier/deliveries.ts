/**
 * The queue of notifications: one row for each workspace and receiver, a device or a channel. It has no text: what is
 * sent is what the workspace has reported last, so a row never says what is no longer so.
 *
 * The next attempt is in the table before one is made, so neither an eviction nor a crash loses a notification.
 * `test/worker/notifier/queue.test.ts` tests it.
 *
 * @module
 */

import { DELIVERY_RETRY_MS, MAX_DELIVERY_ATTEMPTS } from './limits.ts'
import type { News } from './summaries.ts'

/** A notification on its way to one receiver. */
export interface Claimed extends News {
  /** The id of a device, or the name of a channel. */
  readonly receiver: string
  /** Attempts that were begun, this one included. */
  readonly attempts: number
}

interface Row extends Record<string, SqlStorageValue> {
  workspace: string
  receiver: string
  notice: number
  attempts: number
}

/** The table of deliveries. */
export type Deliveries = ReturnType<typeof createDeliveries>

/** Opens the table. */
export const createDeliveries = (sql: SqlStorage) => ({
  /**
   * Adds a notification for a receiver. One that waits for another attempt keeps its time, so that news do not hurry the
   * attempts on a receiver that is not reached.
   */
  add: ({ workspace, notice }: News, receiver: string, now: number): void =>
    void sql.exec(
      `INSERT INTO deliveries (workspace, receiver, notice, attempts, due) VALUES (?, ?, ?, 0, ?)
       ON CONFLICT (workspace, receiver) DO UPDATE SET notice = excluded.notice`,
      ...[workspace, receiver, notice, now],
    ),
  /** Takes the next one that is due, for a receiver that is not busy, and notes when it is due again if it fails. */
  claim: (now: number, busy: ReadonlySet<string>): Claimed | null => claim(sql, now, busy),
  /** Ends a delivery. If there was a newer notification meanwhile, that one is due. */
  finish: (claimed: Claimed, now: number): void => finish(sql, claimed, now),
  /** Puts the next attempt off until a time. */
  postpone: ({ workspace, receiver }: Claimed, until: number): void => {
    const update = 'UPDATE deliveries SET due = max(due, ?) WHERE workspace = ? AND receiver = ?'
    sql.exec(update, until, workspace, receiver)
  },
  /** Gives what waits for one receiver to another. */
  move: (from: string, to: string): void =>
    void sql.exec('UPDATE OR REPLACE deliveries SET receiver = ? WHERE receiver = ?', to, from),
  dropReceiver: (receiver: string): void =>
    void sql.exec('DELETE FROM deliveries WHERE receiver = ?', receiver),
  dropWorkspace: (workspace: string): void =>
    void sql.exec('DELETE FROM deliveries WHERE workspace = ?', workspace),
  /** When the next attempt is due; null if nothing waits. */
  nextDue: (): number | null =>
    sql.exec<{ due: number | null }>('SELECT min(due) AS due FROM deliveries').one().due,
})

/** First attempts come before others, so that a receiver that is not reached delays nothing else. */
function claim(sql: SqlStorage, now: number, busy: ReadonlySet<string>): Claimed | null {
  // An object that ended during the last attempt leaves a notification without any attempt left.
  sql.exec('DELETE FROM deliveries WHERE due <= ? AND attempts >= ?', now, MAX_DELIVERY_ATTEMPTS)
  const row = sql
    .exec<Row>(
      `SELECT workspace, receiver, notice, attempts FROM deliveries
        WHERE due <= ? AND receiver NOT IN (SELECT value FROM json_each(?))
        ORDER BY attempts, due, workspace, receiver LIMIT 1`,
      ...[now, JSON.stringify([...busy])],
    )
    .toArray()[0]
  if (!row) return null
  const { workspace, receiver, notice, attempts } = row
  const update =
    'UPDATE deliveries SET attempts = attempts + 1, due = ? WHERE workspace = ? AND receiver = ?'
  sql.exec(update, now + retryPause(attempts), workspace, receiver)
  return { workspace, receiver, notice, attempts: attempts + 1 }
}

/** Jitter keeps many objects from sending at the same moment to a push service that recovers. */
function retryPause(attempts: number): number {
  const jitter = 0.8 + 0.4 * Math.random()
  return Math.round(DELIVERY_RETRY_MS * 4 ** attempts * jitter)
}

function finish(sql: SqlStorage, { workspace, receiver, notice }: Claimed, now: number): void {
  const where = 'WHERE workspace = ? AND receiver = ?'
  sql.exec(`DELETE FROM deliveries ${where} AND notice = ?`, workspace, receiver, notice)
  sql.exec(`UPDATE deliveries SET attempts = 0, due = ? ${where}`, now, workspace, receiver)
}
