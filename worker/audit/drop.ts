/**
 * Dropping entries of the audit log: writes tombstones, and divides the entries to drop among budgets.
 *
 * @module
 */

import { NO_ENTRY } from './chain.ts'

/** Replaces an entry by a tombstone, joined with adjacent tombstones before and after it. */
export function replaceByTombstone(sql: SqlStorage, seq: number): void {
  const before = sql.exec<{ first_seq: number }>(
    'DELETE FROM audit WHERE seq = ? AND first_seq IS NOT NULL RETURNING first_seq',
    seq - 1,
  )
  const first = before.toArray()[0]?.first_seq ?? seq
  const behind = sql.exec(
    `UPDATE audit SET first_seq = ?1 WHERE first_seq = ?2 + 1
       AND seq = (SELECT min(seq) FROM audit WHERE seq > ?2) RETURNING seq`,
    first,
    seq,
  )
  if (behind.toArray().length > 0) sql.exec('DELETE FROM audit WHERE seq = ?', seq)
  else
    sql.exec(
      `UPDATE audit SET first_seq = ?, entry = '${NO_ENTRY}', principal = '', session = NULL, budget = NULL
       WHERE seq = ?`,
      first,
      seq,
    )
}

interface Share {
  readonly budget: string
  readonly entries: number
}

/**
 * Computes how many entries each budget loses if `over` entries are dropped one by one, each from the
 * largest budget at that point.
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
