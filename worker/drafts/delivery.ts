/**
 * The delivery of news: what is marked once an answer contained a decision. A disconnect does not reach the object, so
 * an answer whose client had to wait for it may be lost. Its news stays, and is repeated once, in the next answer.
 *
 * `test/platform/call/given-up.test.ts` has the cases.
 *
 * @module
 */

import type { Tables } from '../store/table-groups.ts'

/** Milliseconds after which a client may have given up its request. */
const PATIENCE_MS = 1_000

/** The mark of a row whose decision was in an answer. One that is to be repeated has 2, a new one 0. */
const DELIVERED = 1

/** SQL: whether the decision of a row is still to be reported, by its mark. */
export const isNews = (mark: string) => `${mark} <> ${DELIVERED}`

/** The columns of a table with decisions: the mark, the time of the decision, and what the rows are found by. */
interface Columns {
  readonly table: string
  readonly mark: string
  readonly decided: string
  readonly key: string
}

/**
 * Marks the decisions that an answer contains. `began` is the time of its request: what was decided since is repeated,
 * and so is all that is new where the answer took long. Returns whether anything is to be repeated.
 */
export function markDelivered(
  sql: Tables,
  { table, mark, decided, key }: Columns,
  value: string,
  began: number,
): boolean {
  const rows = sql.exec<{ mark: number }>(
    `UPDATE ${table}
     SET ${mark} = CASE WHEN ${decided} > ? OR (${mark} = 0 AND ?) THEN 2 ELSE ${DELIVERED} END
     WHERE ${key} = ? AND ${isNews(mark)} AND ${decided} IS NOT NULL RETURNING ${mark} AS mark`,
    began,
    Date.now() - began >= PATIENCE_MS ? 1 : 0,
    value,
  )
  return rows.toArray().some(({ mark: now }) => now !== DELIVERED)
}
