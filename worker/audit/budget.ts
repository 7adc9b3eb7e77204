/**
 * Limits of the audit log: which budget pays for an entry, and which entries are dropped for it.
 *
 * A note is an entry of a call that applied nothing. Each note is charged to a budget, and a budget that is
 * used up loses its own oldest notes; if all budgets together are too large, the largest lose theirs. Applied
 * entries have a separate limit (`applied.ts`), so notes never displace them. Entries are dropped in batches, so
 * that the cost of one does not depend on their number. `test/worker/audit/chain.test.ts` has the laws.
 *
 * @module
 */

import {
  AUDIT_BATCH,
  AUDIT_BATCH_ALL,
  MAX_AUDIT,
  MAX_AUDIT_NOTES,
  MAX_AUDIT_NOTES_ALL,
} from '../limits.ts'
import type { Share } from '../database/shares.ts'
import type { ChainEnd } from './chain.ts'
import { dropApplied } from './applied.ts'
import { dropLargest, dropOldest, type DroppedRow, type EntryKind } from './drop.ts'

/** The limits of the audit log, in entries. */
export interface AuditBounds {
  /** Applied entries. */
  readonly applied: number
  /** Notes of one budget, and by how many entries that may be exceeded. */
  readonly notes: number
  readonly batch: number
  /** Notes of all budgets, and by how many entries that and `applied` may be exceeded. */
  readonly allNotes: number
  readonly batchAll: number
}

/** The limits of a deployed Worker; tests use smaller ones. */
export const AUDIT_BOUNDS: AuditBounds = {
  applied: MAX_AUDIT,
  notes: MAX_AUDIT_NOTES,
  batch: AUDIT_BATCH,
  allNotes: MAX_AUDIT_NOTES_ALL,
  batchAll: AUDIT_BATCH_ALL,
}

/** The end of the chain, and how many entries are kept: what `audit_state` tells, or a newer change. */
export interface AuditState extends ChainEnd {
  /** Kept entries of applied changes, and kept notes. */
  applied: number
  notes: number
}

/** A database, and the limits of its audit log. */
interface Accounting {
  readonly sql: SqlStorage
  readonly bounds: AuditBounds
  /** The notes of budgets, as far as they are counted. */
  readonly counts: Map<string, number>
}

/** Creates the accounting of the audit log. */
export function createBudgets(sql: SqlStorage, bounds: AuditBounds) {
  const accounting: Accounting = { sql, bounds, counts: new Map() }
  return {
    state: () => readState(accounting),
    /** Counts a new entry, and drops others to make room. */
    count: (end: NewEnd, before: AuditState) => countEntry(accounting, end, before),
    /** Drops entries to make room for that of a change, whose row tells the end. */
    makeRoom: (end: ChangeEnd, before: AuditState) => {
      if (end.applied >= bounds.applied + bounds.batchAll)
        countEntry(accounting, { ...end, head: end.seq, budget: null }, before)
    },
  }
}

/** The newest entry of the log, and the budget that pays for it; null for an applied one. */
interface NewEnd {
  readonly head: number
  readonly hash: string
  readonly budget: string | null
}

/** The end of the chain as the row of a change tells it. */
interface ChangeEnd {
  readonly seq: number
  readonly hash: string
  /** Kept entries of applied changes. */
  readonly applied: number
}

/** The end is where the newest change says, unless entries without a change followed. */
function readState({ sql }: Accounting): AuditState | undefined {
  const end = (own: string, column: string) =>
    `iif(c.seq > s.head, c.${own}, s.${column}) AS ${column}`
  const state = sql.exec<AuditState>(
    `SELECT ${end('seq', 'head')}, ${end('hash', 'hash')}, ${end('applied', 'applied')}, notes, dropped
     FROM audit_state s LEFT JOIN (SELECT seq, hash, applied FROM changes ORDER BY version DESC LIMIT 1) c
     WHERE id = 1`,
  )
  return state.toArray()[0]
}

function countEntry(
  accounting: Accounting,
  { head, hash, budget }: NewEnd,
  before: AuditState,
): void {
  const { sql, bounds } = accounting
  const applied = before.applied + (budget === null ? 1 : 0)
  const notes = before.notes + (budget === null ? 0 : 1)
  sql.exec(
    'UPDATE audit_state SET head = ?, hash = ?, applied = ?, notes = ? WHERE id = 1',
    head,
    hash,
    applied,
    notes,
  )
  if (budget !== null) trimNotes(accounting, notes, budget)
  else if (applied >= bounds.applied + bounds.batchAll) dropApplied(sql, applied - bounds.applied)
}

function trimNotes(accounting: Accounting, notes: number, budget: string): void {
  const { sql, bounds, counts } = accounting
  // Limits one drop: where the bounds were higher before, there may be far too many entries.
  const atOnce = (entries: number) => Math.min(entries, bounds.batchAll)
  const own = countOwn(accounting, budget)
  const over = own >= bounds.notes + bounds.batch ? atOnce(own - bounds.notes) : 0
  if (over > 0) dropOldest(sql, NOTES, { budget, entries: over })
  const all = notes - over
  const overAll = all >= bounds.allNotes + bounds.batchAll ? atOnce(all - bounds.allNotes) : 0
  if (overAll > 0) dropLargest(sql, NOTES, overAll)
  if (over + overAll > 0) counts.clear()
}

/** Maximum number of budgets whose notes are counted in memory. */
const MAX_COUNTS = 1_000

/**
 * Counts the notes of a budget with a new one: in memory, so that it is no row, and again in the table after so many as
 * are dropped at once, as transactions may have failed since.
 */
function countOwn({ sql, bounds, counts }: Accounting, budget: string): number {
  const known = counts.get(budget)
  const isSure = known !== undefined && (known + 1) % bounds.batch !== 0
  const query = 'SELECT count(*) AS entries FROM audit WHERE budget = ?'
  const own = isSure ? known + 1 : sql.exec<{ entries: number }>(query, budget).one().entries
  if (counts.size >= MAX_COUNTS) counts.clear()
  counts.set(budget, own)
  return own
}

const NOTES: EntryKind = {
  column: 'notes',
  largest: (sql, limit) =>
    sql
      .exec<Share & Record<string, SqlStorageValue>>(
        `SELECT budget, count(*) AS entries FROM audit WHERE budget IS NOT NULL
         GROUP BY budget ORDER BY entries DESC, min(seq) LIMIT ?`,
        limit,
      )
      .toArray(),
  find: (sql, { budget, entries }) =>
    sql
      .exec<DroppedRow>(
        'SELECT seq, NULL AS version, hash FROM audit WHERE budget = ? ORDER BY seq LIMIT ?',
        budget,
        entries,
      )
      .toArray(),
}
