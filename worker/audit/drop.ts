/**
 * Dropping entries of the audit log: finds whose, and writes tombstones.
 *
 * @module
 */

import { cutLargest, type Share } from '../database/shares.ts'
import type { Tables } from '../database/table-groups.ts'
import { NO_ENTRY } from './chain.ts'

/** Entries that share a limit. */
export interface EntryKind {
  /** The table that counts them for each budget. */
  readonly shares: 'applied_shares' | 'audit_shares'
  /** The column of `audit_state` that counts them all. */
  readonly column: 'applied' | 'notes'
  /** SQL: which they are of the budget `?1`. */
  readonly where: string
}

/** Drops entries one by one, each the oldest of the largest budget at that point. */
export function dropLargest(sql: Tables, kind: EntryKind, over: number): void {
  const largest = sql.exec<{ budget: string; entries: number }>(
    `SELECT budget, entries FROM ${kind.shares} ORDER BY entries DESC, rowid LIMIT ?`,
    over + 1,
  )
  for (const share of cutLargest(largest.toArray(), over)) dropOldest(sql, kind, share)
}

/** Drops the oldest entries of one budget. */
export function dropOldest(
  sql: Tables,
  { shares, column, where }: EntryKind,
  { budget, entries }: Share,
): void {
  const query = `SELECT seq FROM audit WHERE ${where} ORDER BY seq LIMIT ?2`
  const rows = sql.exec<{ seq: number }>(query, budget, entries).toArray()
  for (const { seq } of rows) replaceByTombstone(sql, seq)
  sql.exec(
    `UPDATE audit_state SET ${column} = ${column} - ?1, dropped = dropped + ?1 WHERE id = 1`,
    rows.length,
  )
  // Subtracts `entries` even if fewer rows exist; otherwise a wrong count would never reach 0.
  sql.exec(
    `UPDATE ${shares} SET entries = entries - ?, dropped = ? WHERE budget = ?`,
    ...[entries, rows.at(-1)?.seq ?? 0, budget],
  )
  sql.exec(`DELETE FROM ${shares} WHERE budget = ? AND entries <= 0`, budget)
}

/** Replaces an entry by a tombstone, joined with adjacent tombstones before and after it. */
function replaceByTombstone(sql: Tables, seq: number): void {
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
      `UPDATE audit SET first_seq = ?, entry = '${NO_ENTRY}', principal = '', session = NULL, budget = NULL,
         share = NULL
       WHERE seq = ?`,
      first,
      seq,
    )
}
