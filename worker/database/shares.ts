/**
 * Shares: where a limit is for the rows of several principals together, the principal with the most rows loses its
 * oldest, so that none takes the room of the others.
 *
 * Every such limit uses this module. `test/worker/shares.test.ts` fills each of them for one principal, and
 * `test/limits.test.ts` checks that none is left out.
 *
 * @module
 */

import type { Tables } from './table-groups.ts'

/** The rows of one principal: its budget, and how many there are. */
export interface Share {
  readonly budget: string
  readonly entries: number
}

/** Rows of a table that share a limit. Each text is SQL. */
export interface SharedRows {
  readonly table: string
  /** What identifies a row; `id` by default. */
  readonly id?: string
  /** The principal whose share a row uses; `budget` by default. */
  readonly budget?: string
  /** The age of a row: the oldest has the smallest. By default what identifies it. */
  readonly age?: string
  /** Which rows there are; all by default. */
  readonly where?: string
  /** The values of `where`. */
  readonly values?: readonly string[]
}

type RowId = string | number

/** Deletes rows beyond `most`: the oldest of the largest shares. Returns how many. */
export function keepShares(sql: Tables, rows: SharedRows, most: number): number {
  return deleteRows(sql, rows, findExcess(sql, rows, most))
}

/** Deletes the rows of one principal beyond its newest ones. */
export function keepNewest(sql: Tables, rows: SharedRows, budget: string, most: number): void {
  deleteRows(sql, rows, findOld(sql, rows, budget, most))
}

function deleteRows(sql: Tables, { table, id = 'id' }: SharedRows, ids: readonly RowId[]): number {
  for (const each of ids) sql.exec(`DELETE FROM ${table} WHERE ${id} = ?`, each)
  return ids.length
}

/** Finds the rows that {@link keepShares} would delete. Of equal shares, the one with the oldest row loses first. */
export function findExcess(sql: Tables, rows: SharedRows, most: number): RowId[] {
  const { table, id = 'id', budget = 'budget', age = id, where = 'true', values = [] } = rows
  const from = `FROM ${table} WHERE ${where}`
  const { count } = sql.exec<{ count: number }>(`SELECT count(*) AS count ${from}`, ...values).one()
  const over = count - most
  if (over <= 0) return []
  const shares = sql
    .exec<{ budget: string; entries: number }>(
      `SELECT ${budget} AS budget, count(*) AS entries ${from}
       GROUP BY 1 ORDER BY entries DESC, min(${age}) LIMIT ?`,
      ...values,
      over + 1,
    )
    .toArray()
  return cutLargest(shares, over).flatMap((cut) => {
    const all = shares.find((share) => share.budget === cut.budget)?.entries ?? 0
    return findOld(sql, rows, cut.budget, all - cut.entries)
  })
}

/** Finds the rows that {@link keepNewest} would delete. */
function findOld(sql: Tables, rows: SharedRows, owner: string, most: number): RowId[] {
  const { table, id = 'id', budget = 'budget', age = id, where = 'true', values = [] } = rows
  const found = sql.exec<{ id: RowId }>(
    `SELECT ${id} AS id FROM ${table} WHERE ${where} AND ${budget} = ?
     ORDER BY ${age} DESC LIMIT -1 OFFSET ?`,
    ...values,
    owner,
    most,
  )
  return Array.from(found, (row) => row.id)
}

/** Counts what is in memory by its budgets, the largest share first. */
export function countShares(budgets: Iterable<string>): Share[] {
  const counts = new Map<string, number>()
  for (const budget of budgets) counts.set(budget, (counts.get(budget) ?? 0) + 1)
  const shares = Array.from(counts, ([budget, entries]) => ({ budget, entries }))
  return shares.toSorted((a, b) => b.entries - a.entries)
}

/**
 * Returns who loses its oldest for one more row of `budget` where there is no room. Null if none would have more
 * than `budget`, which then has to be refused.
 *
 * @param shares The largest first.
 */
export function findLoser(shares: readonly Share[], budget: string): string | null {
  const own = shares.find((share) => share.budget === budget)?.entries ?? 0
  const [largest] = shares
  return largest && largest.entries > own + 1 ? largest.budget : null
}

/**
 * Computes how many rows each budget loses if `over` rows are dropped one by one, each from the largest budget at
 * that point.
 *
 * @param shares The largest first; of equal ones the first loses first.
 */
export function cutLargest(shares: readonly Share[], over: number): Share[] {
  let left = over
  let level = shares[0]?.entries ?? 0
  let many = 1
  for (; many <= shares.length; many++) {
    const next = shares[many]?.entries ?? 0
    if ((level - next) * many >= left) break
    left -= (level - next) * many
    level = next
  }
  const top = shares.slice(0, many)
  const [each, rest] = [Math.floor(left / many), left % many]
  return top
    .map(({ budget, entries }, at) => ({
      budget,
      entries: entries - level + each + (at < rest ? 1 : 0),
    }))
    .filter(({ entries }) => entries > 0)
}
