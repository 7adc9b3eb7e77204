/**
 * What each workspace has reported last, and when its next notification is due. `test/worker/notifier/queue.test.ts` tests it.
 *
 * @module
 */

import { MAX_COUNTED_WORKSPACES, MAX_NEWS_BATCH } from './limits.ts'
import type { Summary } from './summary.ts'

/** A workspace of which a notification is due. */
export interface News {
  readonly workspace: string
  /** The number of the notification. */
  readonly notice: number
}

/** When the last notification of a workspace became due, and when the next will; null for none. */
export interface Times {
  readonly notified: number | null
  readonly due: number | null
}

/** The table of summaries. */
export type Summaries = ReturnType<typeof createSummaries>

/** Opens the table. */
export const createSummaries = (sql: SqlStorage) => ({
  find: (workspace: string): Summary | null => findSummary(sql, workspace),
  timesOf: (workspace: string): Times => findTimes(sql, workspace),
  /** Keeps what a workspace has reported, and when its next notification is due. */
  save: (summary: Summary, due: number | null): void => saveSummary(sql, summary, due),
  /** Takes the notifications that are due. */
  claimDue: (now: number): News[] => claimNews(sql, now),
  /** When the next notification is due; null if none waits. */
  nextDue: (): number | null =>
    sql.exec<{ due: number | null }>('SELECT min(due) AS due FROM summaries').one().due,
  /** Counts what waits for a decision, in all workspaces but one. */
  countElsewhere: (workspace: string | null): number =>
    sql
      .exec<{ count: number }>(
        'SELECT coalesce(sum(waiting), 0) AS count FROM summaries WHERE workspace IS NOT ?',
        workspace,
      )
      .one().count,
})

/** Counts what waits for a decision. */
const countWaiting = ({ changes, requests, apps, skills }: Summary) =>
  changes + requests + apps + skills

/** Whether anything waits for the person: a decision, or an applied change that was not seen. */
export const isWaiting = (summary: Summary): boolean => countWaiting(summary) + summary.applied > 0

function findSummary(sql: SqlStorage, workspace: string): Summary | null {
  const query = 'SELECT summary FROM summaries WHERE workspace = ?'
  const row = sql.exec<{ summary: string }>(query, workspace).toArray()[0]
  // Only `saveSummary` writes it; before there were skills, without their number.
  return row ? { skills: 0, ...JSON.parse(row.summary) } : null
}

interface TimesRow extends Record<string, SqlStorageValue> {
  notified: number | null
  due: number | null
}

function findTimes(sql: SqlStorage, workspace: string): Times {
  const query = 'SELECT notified, due FROM summaries WHERE workspace = ?'
  return sql.exec<TimesRow>(query, workspace).toArray()[0] ?? { notified: null, due: null }
}

function saveSummary(sql: SqlStorage, summary: Summary, due: number | null): void {
  sql.exec(
    `INSERT INTO summaries (workspace, summary, waiting, at, notice, notified, due)
     VALUES (?, ?, ?, ?, 0, NULL, ?)
     ON CONFLICT (workspace) DO UPDATE SET summary = excluded.summary,
       waiting = excluded.waiting, at = excluded.at, due = excluded.due`,
    ...[summary.workspace, JSON.stringify(summary), countWaiting(summary), Date.now(), due],
  )
  dropOldest(sql)
}

/** Drops workspaces beyond the limit: first those in which nothing waits. */
function dropOldest(sql: SqlStorage): void {
  const dropped = sql.exec<{ workspace: string }>(
    `DELETE FROM summaries WHERE workspace IN (
       SELECT workspace FROM summaries ORDER BY waiting > 0 OR due IS NOT NULL DESC, at DESC
       LIMIT -1 OFFSET ?) RETURNING workspace`,
    MAX_COUNTED_WORKSPACES,
  )
  for (const { workspace } of dropped.toArray())
    sql.exec('DELETE FROM deliveries WHERE workspace = ?', workspace)
}

interface NewsRow extends Record<string, SqlStorageValue> {
  workspace: string
  notice: number
}

function claimNews(sql: SqlStorage, now: number): News[] {
  return sql
    .exec<NewsRow>(
      `UPDATE summaries SET notice = notice + 1, notified = ?, due = NULL
        WHERE workspace IN (
          SELECT workspace FROM summaries WHERE due <= ? ORDER BY due, workspace LIMIT ?)
        RETURNING workspace, notice`,
      ...[now, now, MAX_NEWS_BATCH],
    )
    .toArray()
}
