/**
 * Reports: the decisions of one table of which their callers have not learned yet. Each is in the next answer.
 * `test/worker/call/news.test.ts` has the cases.
 *
 * @module
 */

import type { Tables } from '../database/table-groups.ts'
import { deliver, isNew, isNews, wholeDelivery, type Delivery, type NewsRow } from './delivery.ts'

/** The table of a kind of decisions, with the columns that a report reads: its mark, the time, and the keys of a row. */
interface Decided<T> {
  readonly table: string
  readonly mark: string
  readonly decided: string
  readonly key: string
  readonly id: string
  /** Decisions in the order of this column are reported in that order. */
  readonly order: string
  /** Reads the rows that follow `WHERE`. */
  readonly read: (where: string, key: string) => readonly NewsRow<T>[]
  /** How many callers are kept in memory before those without a row are forgotten. */
  readonly most: number
}

/** Opens the reports of a table. `isEmpty` says that it has no row yet. */
export function createReports<T>(sql: Tables, decided: Decided<T>, isEmpty: boolean) {
  const { table, mark, key, order, read, most } = decided
  /** Callers with a decision to report: every call asks, and most have none. */
  let waiting = isEmpty ? new Set<string>() : readWaiting(sql, decided)
  return {
    add: (caller: string): void => {
      waiting.add(caller)
      // Old decisions of sessions that never call again are deleted.
      if (waiting.size > most) waiting = readWaiting(sql, decided)
    },
    forget: (caller: string): void => void waiting.delete(caller),
    /** Whether something is to be reported to a caller. */
    hasNews: (caller: string): boolean =>
      waiting.has(caller) &&
      sql
        .exec(`SELECT 1 FROM ${table} WHERE ${key} = ? AND ${isNew(mark)} LIMIT 1`, caller)
        .toArray().length > 0,
    /** Returns what is to be reported to a caller, oldest first, and marks it. */
    takeNews: (caller: string, delivery: Delivery<T> = wholeDelivery()): T[] => {
      if (!waiting.has(caller)) return []
      const rows = read(`${key} = ? AND ${isNews(mark)} ORDER BY ${order}`, caller)
      const { news, isLeft } = deliver(sql, decided, caller, rows, delivery)
      if (!isLeft) waiting.delete(caller)
      return news
    },
  }
}

function readWaiting<T>(sql: Tables, { table, mark, key }: Decided<T>): Set<string> {
  const rows = sql.exec<{ caller: string }>(
    `SELECT DISTINCT ${key} AS caller FROM ${table} WHERE ${isNews(mark)}`,
  )
  return new Set(Array.from(rows, ({ caller }) => caller))
}
