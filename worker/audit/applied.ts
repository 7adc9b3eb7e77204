/**
 * Applied entries of the audit log beyond its limit: the principal with the most loses its oldest.
 *
 * The row of a change tells how many applied entries there are, and nothing counts them for each principal, so that a
 * change writes no row for that. They are counted when some have to be dropped, from where they were counted last.
 * `test/worker/audit/chain.test.ts` has the laws.
 *
 * @module
 */

import { tablesOf } from '../database/table-groups.ts'
import { dropLargest, type EntryKind } from './drop.ts'

/** SQL: the principal whose share an applied entry uses. */
const BUDGET = 'coalesce(share, session, principal)'

const IS_APPLIED = 'budget IS NULL AND first_seq IS NULL'

const APPLIED: EntryKind = {
  shares: 'applied_shares',
  column: 'applied',
  where: `seq > (SELECT dropped FROM applied_shares WHERE budget = ?1) AND ${IS_APPLIED} AND ${BUDGET} = ?1`,
}

/** Drops applied entries. Those up to `trimmed` were counted or dropped before. */
export function dropApplied(database: SqlStorage, count: number): void {
  const sql = tablesOf(database, 'applied')
  sql.exec(
    `INSERT INTO applied_shares (budget, entries)
       SELECT ${BUDGET}, count(*) FROM audit
       WHERE seq > (SELECT trimmed FROM audit_state WHERE id = 1) AND ${IS_APPLIED}
       GROUP BY 1 ORDER BY min(seq)
     ON CONFLICT (budget) DO UPDATE SET entries = entries + excluded.entries`,
  )
  sql.exec('UPDATE audit_state SET trimmed = head WHERE id = 1')
  dropLargest(sql, APPLIED, count)
}
