/**
 * The queue of what leaves a workspace: the table `notices`. `test/platform/outbox/outbox.test.ts` tests it.
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

/** Who takes a notice: the webhook of the operator, or the object that notifies the person. */
export type Receiver = 'webhook' | 'notifier'

/** What the webhook is notified of. It has no content: no path, no intent, no label and no argument. */
export interface Notice {
  readonly type:
    | 'draft.waiting'
    | 'draft.decided'
    | 'change.applied'
    | 'access.requested'
    | 'file.changed'
  /** The name of the workspace. */
  readonly workspace: string
  /** The id of the draft. */
  readonly draft?: string
  /** What became of changes of the draft. */
  readonly outcome?: 'approved' | 'turned_down' | 'expired'
  /** The version of the workspace. */
  readonly version?: number
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
  readonly outcome: string | null
  readonly version: number | null
  readonly url: string
  readonly at: number
  /** Attempts that were begun. */
  readonly attempts: number
}

/** Returns when the next attempt of a receiver is due, in milliseconds since 1970, or null. */
export function nextDue(sql: Tables, receiver: Receiver): number | null {
  return sql
    .exec<{ due: number | null }>(
      'SELECT min(due) AS due FROM notices WHERE receiver = ?',
      receiver,
    )
    .one().due
}

/** Adds a notice, or replaces the waiting one of the same type, draft and outcome. */
export function queueNotice(sql: Tables, notice: Notice, now: number): void {
  if (replace(sql, notice, now)) return
  insert(sql, 'webhook', notice, now)
  if (keepShares(sql, NOTICES, MAX_NOTICES) > 0) console.warn('Webhook notice dropped: queue full')
}

const NOTICES: SharedRows = { table: 'notices', id: 'seq', where: "receiver = 'webhook'" }

/**
 * Replaces the waiting notice of the same type, draft and outcome; returns false if there is none. A notice that was sent
 * before gets a new id: its receiver may know the old one, and would take this event for a repetition. Its next attempt
 * stays where it is, so that events do not hurry the attempts on an unreachable receiver. The link of changed files stays as
 * well, because it begins before the first of them.
 */
function replace(
  sql: Tables,
  { type, draft, outcome, version, url }: Notice,
  now: number,
): boolean {
  const replaced = sql.exec(
    `UPDATE notices SET id = iif(attempts > 0, ?, id), attempts = 0, version = ?, at = ?,
        url = iif(type = 'file.changed', url, ?)
      WHERE receiver = 'webhook' AND type = ? AND draft IS ? AND outcome IS ? RETURNING seq`,
    ...[newId(), version ?? null, now, url, type, draft ?? null, outcome ?? null],
  )
  return replaced.toArray().length > 0
}

/**
 * Queues the state of the workspace for the notifier. There is one row, because the state is read when it is sent. While no
 * attempt was begun, a further event adds only that it is news.
 */
export function queueState(sql: Tables, isNews: boolean, now: number): void {
  const [row] = sql
    .exec<{ type: string; attempts: number }>(
      "SELECT type, attempts FROM notices WHERE receiver = 'notifier'",
    )
    .toArray()
  const type = isNews || row?.type === 'news' ? 'news' : 'counts'
  if (!row) return insert(sql, 'notifier', { type, workspace: '', url: '' }, now)
  if (row.attempts === 0 && row.type === type) return
  // An attempt that was begun may have sent an older state.
  sql.exec(
    "UPDATE notices SET id = ?, type = ?, attempts = 0, at = ? WHERE receiver = 'notifier'",
    ...[newId(), type, now],
  )
}

interface Queued extends Omit<Notice, 'type'> {
  readonly type: string
}

function insert(sql: Tables, receiver: Receiver, notice: Queued, now: number): void {
  const { type, workspace, draft, outcome, version, url, budget } = notice
  sql.exec(
    `INSERT INTO notices
       (id, receiver, type, workspace, draft, outcome, version, url, at, attempts, due, budget)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
    ...[newId(), receiver, type, workspace, draft ?? null, outcome ?? null, version ?? null],
    ...[url, now, now + NOTICE_DELAY_MS, budget ?? ''],
  )
}

const newId = () => `msg_${crypto.randomUUID()}`

/** Takes the notices that are due. Notes when each is to be sent again if this attempt fails. */
export function claimDue(
  sql: Tables,
  receiver: Receiver,
  now: number,
): { readonly rows: NoticeRow[]; readonly dropped: number } {
  // An object that ended during the last attempt leaves a notice without any attempt left.
  const dropped = sql.exec(
    'DELETE FROM notices WHERE receiver = ? AND due <= ? AND attempts >= ? RETURNING seq',
    ...[receiver, now, MAX_NOTICE_ATTEMPTS],
  )
  return { dropped: dropped.toArray().length, rows: claim(sql, receiver, now) }
}

const claim = (sql: Tables, receiver: Receiver, now: number): NoticeRow[] =>
  sql
    .exec<{ seq: number; attempts: number }>(
      `SELECT seq, attempts FROM notices WHERE receiver = ? AND due <= ? ORDER BY due, seq LIMIT ?`,
      ...[receiver, now, MAX_NOTICE_BATCH],
    )
    .toArray()
    .map(({ seq, attempts }) =>
      sql
        .exec<NoticeRow>(
          `UPDATE notices SET attempts = attempts + 1, due = ? WHERE seq = ?
            RETURNING id, type, workspace, draft, outcome, version, url, at, attempts`,
          ...[now + retryPause(attempts), seq],
        )
        .one(),
    )

/** Jitter keeps many workspaces from sending at the same moment to a receiver that recovers. */
function retryPause(attempts: number): number {
  const jitter = 0.8 + 0.4 * Math.random()
  return Math.round(NOTICE_RETRY_MS * 4 ** attempts * jitter)
}

/** Deletes a notice, unless an event has replaced it since. */
export function dropNotice(sql: Tables, id: string): void {
  sql.exec('DELETE FROM notices WHERE id = ?', id)
}
