/**
 * The queue of notices: the table `notices`. `test/platform/outbox/outbox.test.ts` tests it.
 *
 * @module
 */

import { keepShares, type SharedRows } from '../database/shares.ts'
import type { Tables } from '../database/table-groups.ts'
import {
  MAX_NOTICE_ATTEMPTS,
  MAX_NOTICE_BATCH,
  MAX_NOTICES,
  NOTICE_DELAY_MS,
  NOTICE_RETRY_MS,
} from './limits.ts'

/** What the owner is notified of. It has no content: no path, no intent, no label and no argument. */
export interface Notice {
  readonly type: 'draft.waiting' | 'change.applied' | 'access.requested'
  /** The name of the workspace. */
  readonly workspace: string
  /** The id of the draft. */
  readonly draft?: string
  /** The principal whose share of the queue it uses, which is not sent; absent where all have one notice together. */
  readonly budget?: string
  /** The page of the console that shows it. Its host must not come from the request of a client. */
  readonly url: string
}

/** A waiting notice. */
export interface NoticeRow extends Record<string, SqlStorageValue> {
  readonly id: string
  readonly type: string
  readonly workspace: string
  readonly draft: string | null
  readonly url: string
  readonly at: number
  /** Attempts that were begun. */
  readonly attempts: number
}

/** Returns when the next attempt is due, in milliseconds since 1970, or null. */
export function nextDue(sql: Tables): number | null {
  return sql.exec<{ due: number | null }>('SELECT min(due) AS due FROM notices').one().due
}

/** Adds a notice, or replaces the waiting one of the same type and draft. */
export function queueNotice(sql: Tables, notice: Notice, now: number): void {
  if (replace(sql, notice, now)) return
  const { type, workspace, draft, url, budget } = notice
  sql.exec(
    `INSERT INTO notices (id, type, workspace, draft, url, at, attempts, due, budget)
     VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)`,
    ...[newId(), type, workspace, draft ?? null, url, now, now + NOTICE_DELAY_MS, budget ?? ''],
  )
  if (keepShares(sql, NOTICES, MAX_NOTICES) > 0) console.warn('Webhook notice dropped: queue full')
}

const NOTICES: SharedRows = { table: 'notices', id: 'seq' }

/**
 * Replaces the waiting notice of the same type and draft; returns false if there is none. A notice that was
 * sent before gets a new id: its receiver may know the old one, and would take this event for a repetition.
 * Its next attempt stays where it is, so that events do not hurry the attempts on an unreachable receiver.
 */
function replace(sql: Tables, { type, draft, url }: Notice, now: number): boolean {
  const replaced = sql.exec(
    `UPDATE notices SET id = iif(attempts > 0, ?, id), attempts = 0, url = ?, at = ?
      WHERE type = ? AND draft IS ? RETURNING seq`,
    ...[newId(), url, now, type, draft ?? null],
  )
  return replaced.toArray().length > 0
}

const newId = () => `msg_${crypto.randomUUID()}`

/** Takes the notices that are due, and notes when each is to be sent again if this attempt fails. */
export function claimDue(sql: Tables, now: number): NoticeRow[] {
  // An object that ended during the last attempt leaves a notice without any attempt left.
  const ended = 'DELETE FROM notices WHERE due <= ? AND attempts >= ? RETURNING seq'
  if (sql.exec(ended, now, MAX_NOTICE_ATTEMPTS).toArray().length > 0)
    console.warn('Webhook notice dropped: failed')
  return sql
    .exec<{ seq: number; attempts: number }>(
      'SELECT seq, attempts FROM notices WHERE due <= ? ORDER BY due, seq LIMIT ?',
      ...[now, MAX_NOTICE_BATCH],
    )
    .toArray()
    .map(({ seq, attempts }) =>
      sql
        .exec<NoticeRow>(
          `UPDATE notices SET attempts = attempts + 1, due = ? WHERE seq = ?
            RETURNING id, type, workspace, draft, url, at, attempts`,
          ...[now + retryPause(attempts), seq],
        )
        .one(),
    )
}

/** Jitter keeps many workspaces from sending at the same moment to a receiver that recovers. */
function retryPause(attempts: number): number {
  const jitter = 0.8 + 0.4 * Math.random()
  return Math.round(NOTICE_RETRY_MS * 4 ** attempts * jitter)
}

/** Deletes a notice, unless an event has replaced it since. */
export function dropNotice(sql: Tables, id: string): void {
  sql.exec('DELETE FROM notices WHERE id = ?', id)
}
