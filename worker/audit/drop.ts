/**
 * Dropping entries of the audit log: finds whose, and writes tombstones.
 *
 * @module
 */

import { cutLargest, type Share } from '../database/shares.ts'
import type { Tables } from '../database/table-groups.ts'
import { NO_ENTRY } from './chain.ts'

/** An entry that is dropped. Only that of a change has a version. */
export interface DroppedRow extends Record<string, SqlStorageValue> {
  seq: number
  version: number | null
  hash: string
}

/** The columns of a {@link DroppedRow}. */
export const DROPPED = 'seq, version, hash'

/** Entries that share a limit. */
export interface EntryKind {
  /** The column of `audit_state` that counts them all. */
  readonly column: 'applied' | 'notes'
  /** Finds the largest budgets, the largest first. */
  readonly largest: (sql: Tables, limit: number) => Share[]
  /** Finds the oldest of a budget, in order. */
  readonly find: (sql: Tables, share: Share) => DroppedRow[]
  /** Records that entries of a budget were dropped, the last of which has this number. */
  readonly dropped?: (sql: Tables, share: Share, last: number) => void
}

/** Drops entries one by one, each the oldest of the largest budget at that point. */
export function dropLargest(sql: Tables, kind: EntryKind, over: number): void {
  for (const share of cutLargest(kind.largest(sql, over + 1), over)) dropOldest(sql, kind, share)
}

/** Drops the oldest entries of one budget. */
export function dropOldest(sql: Tables, { column, find, dropped }: EntryKind, share: Share): void {
  const rows = find(sql, share)
  for (const run of runsOf(rows)) replaceByTombstone(sql, run)
  sql.exec(
    `UPDATE audit_state SET ${column} = ${column} - ?1, dropped = dropped + ?1 WHERE id = 1`,
    rows.length,
  )
  dropped?.(sql, share, rows.at(-1)?.seq ?? 0)
}

/** Entries with consecutive numbers. */
interface Run {
  readonly first: number
  last: DroppedRow
  /** The versions of those of changes. */
  readonly versions: number[]
}

function runsOf(rows: readonly DroppedRow[]): Run[] {
  const runs: Run[] = []
  for (const row of rows) {
    let run = runs.at(-1)
    if (run?.last.seq !== row.seq - 1) run = undefined
    if (!run) runs.push((run = { first: row.seq, last: row, versions: [] }))
    run.last = row
    if (row.version !== null) run.versions.push(row.version)
  }
  return runs
}

/** Replaces entries by a tombstone, joined with adjacent tombstones before and after them. */
function replaceByTombstone(sql: Tables, { first, last, versions }: Run): void {
  const { seq, hash } = last
  if (versions.length > 0)
    sql.exec(
      'UPDATE changes SET entry = NULL WHERE version >= ? AND version <= ?',
      ...[versions[0], versions.at(-1)],
    )
  const before = sql.exec<{ first_seq: number }>(
    'DELETE FROM audit WHERE seq = ? AND first_seq IS NOT NULL RETURNING first_seq',
    first - 1,
  )
  const start = before.toArray()[0]?.first_seq ?? first
  const behind = sql.exec(
    `UPDATE audit SET first_seq = ?1 WHERE first_seq = ?2 + 1
       AND seq = (SELECT min(seq) FROM audit WHERE seq > ?2) RETURNING seq`,
    ...[start, seq],
  )
  const isJoined = behind.toArray().length > 0
  if (isJoined || first < seq)
    sql.exec('DELETE FROM audit WHERE seq >= ? AND seq <= ?', first, isJoined ? seq : seq - 1)
  if (isJoined) return
  sql.exec(
    `INSERT OR REPLACE INTO audit (seq, at, principal, entry, hash, first_seq)
     VALUES (?, 0, '', '${NO_ENTRY}', ?, ?)`,
    ...[seq, hash, start],
  )
}
