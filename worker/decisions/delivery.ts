/**
 * The delivery of news: what is marked once an answer contained a decision. A disconnect does not reach the object, so
 * an answer whose client had to wait for it may be lost. Its news stays, and is repeated once, in the next answer.
 *
 * `test/platform/call/given-up.test.ts` has the cases.
 *
 * @module
 */

import type { Tables } from '../database/table-groups.ts'

/** Milliseconds after which a client may have given up its request. */
const PATIENCE_MS = 1_000

/** The mark of a row whose decision was in an answer. One that is to be repeated has 2, a new one 0. */
const DELIVERED = 1

/** The mark of a row whose decision was reported only to requests that may not learn all of it. */
const REDUCED = 3

/** SQL: whether the decision of a row is still to be reported, by its mark. */
export const isNews = (mark: string) => `${mark} <> ${DELIVERED}`

/** SQL: the same, without what was reported in part. */
export const isNew = (mark: string) => `${mark} NOT IN (${DELIVERED}, ${REDUCED})`

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

/** A decision to report, with its row. */
export interface NewsRow<T> {
  readonly id: string | number
  readonly mark: number
  readonly one: T
}

/** How an answer reports decisions: when its request came, and whether it may learn all of one. */
export interface Delivery<T> {
  readonly began: number
  readonly isWhole: (one: T) => boolean
}

/** A report of all of every decision, now. */
export const wholeDelivery = () => ({ began: Date.now(), isWhole: () => true })

/**
 * Marks the decisions that an answer contains, and returns them. What its request learns in part only is reported again
 * to one that may learn all of it, and to no other.
 */
export function deliver<T>(
  sql: Tables,
  columns: Columns & { readonly id: string },
  owner: string,
  rows: readonly NewsRow<T>[],
  { began, isWhole }: Delivery<T>,
): { readonly news: T[]; readonly isLeft: boolean } {
  const { table, mark, id } = columns
  const isLeft = markDelivered(sql, columns, owner, began)
  const reduced = rows.filter(({ one }) => !isWhole(one))
  for (const row of reduced)
    sql.exec(
      `UPDATE ${table} SET ${mark} = ${REDUCED} WHERE ${id} = ? AND ${mark} = ${DELIVERED}`,
      row.id,
    )
  const news = rows.filter((row) => row.mark !== REDUCED || !reduced.includes(row))
  return { news: news.map(({ one }) => one), isLeft: isLeft || reduced.length > 0 }
}
