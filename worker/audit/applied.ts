/**
 * Applied entries of the audit log beyond its limit: the principal with the most loses its oldest.
 *
 * The row of a change tells how many applied entries there are, and nothing counts them for each principal, so that a
 * change writes no row for that. They are counted when some have to be dropped, from where they were counted last.
 * `test/worker/audit/chain.test.ts` has the laws.
 *
 * @module
 */

import type { Share } from '../database/shares.ts'
import { tablesOf } from '../database/table-groups.ts'
import { dropLargest, DROPPED, type EntryKind } from './drop.ts'
import { findRows, rowsAfter, versionAt } from './log.ts'

/** SQL: the principal whose share an applied entry uses. */
const BUDGET = 'coalesce(share, session, principal)'

const IS_APPLIED = 'budget IS NULL AND first_seq IS NULL'

const APPLIED: EntryKind = {
  column: 'applied',
  largest: (sql, limit) =>
    sql
      .exec<Share & Record<string, SqlStorageValue>>(
        'SELECT budget, entries FROM applied_shares ORDER BY entries DESC, rowid LIMIT ?',
        limit,
      )
      .toArray(),
  find: (sql, { budget, entries }) => {
    const shares = sql.exec<{ dropped: number }>(
      'SELECT dropped FROM applied_shares WHERE budget = ?',
      budget,
    )
    const after = shares.toArray()[0]?.dropped ?? 0
    const where = `${IS_APPLIED} AND ${BUDGET} = ?`
    return findRows(sql, DROPPED, { after, where, values: [budget], limit: entries })
  },
  dropped: (sql, { budget, entries }, last) => {
    // Subtracts `entries` even if fewer rows exist; otherwise a wrong count would never reach 0.
    sql.exec(
      'UPDATE applied_shares SET entries = entries - ?, dropped = ? WHERE budget = ?',
      entries,
      last,
      budget,
    )
    sql.exec('DELETE FROM applied_shares WHERE budget = ? AND entries <= 0', budget)
  },
}

/** Drops applied entries. Those up to `trimmed` were counted or dropped before. */
export function dropApplied(database: SqlStorage, count: number): void {
  const sql = tablesOf(database, 'applied')
  const { trimmed } = sql
    .exec<{ trimmed: number }>('SELECT trimmed FROM audit_state WHERE id = 1')
    .one()
  sql.exec(
    `INSERT INTO applied_shares (budget, entries)
       SELECT used, count(*) FROM (${rowsAfter(`seq, ${BUDGET} AS used`, IS_APPLIED)})
       WHERE true GROUP BY 1 ORDER BY min(seq)
     ON CONFLICT (budget) DO UPDATE SET entries = entries + excluded.entries`,
    trimmed,
    versionAt(sql, trimmed),
  )
  sql.exec('UPDATE audit_state SET trimmed = head WHERE id = 1')
  dropLargest(sql, APPLIED, count)
}
