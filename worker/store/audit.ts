/**
 * The audit log: who requested what, when, and what was decided, as an append-only hash chain.
 *
 * Each entry carries the hash of the previous one, so that {@link Audit.check} detects a changed or removed
 * entry. Applied changes are logged in the transaction of the change; previews and refusals are logged by
 * the code that runs a call. `audit-budget.ts` decides which entries are dropped to make room.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { AUDIT_BOUNDS, createBudgets } from './audit-budget.ts'
import { checkChain, hashEntry, type Checked, type ChainRow } from './audit-chain.ts'
import { formatEntry, type AuditEntry } from './audit-entry.ts'
import { createFind, entryOf, ROW, type ChainedEntry } from './audit-find.ts'

export type { Checked } from './audit-chain.ts'
export type { AuditEntry, Fate } from './audit-entry.ts'
export type { AuditQuery, ChainedEntry } from './audit-find.ts'

/** A run of dropped entries up to `seq`, with the hash of the last one. */
export interface Dropped {
  readonly seq: number
  readonly dropped: number
  readonly hash: string
}

/** The audit log of one workspace. */
export type Audit = ReturnType<typeof createAudit>

/** Rows that are loaded at once when all entries are read. */
const PAGE = 500

/** Opens the audit log. `bounds` limits the entries that it keeps. */
export function createAudit(sql: SqlStorage, bounds = AUDIT_BOUNDS) {
  const budgets = createBudgets(sql, bounds)

  /** Appends an entry to the chain. */
  function record(entry: AuditEntry): void {
    const { principal, session } = entry.actor
    const budget = entry.outcome === 'applied' ? null : payerOf(entry)
    const before = budgets.state()
    if (!before) throw new Error('The end of the audit is missing, so nothing can be added')
    const seq = before.head + 1
    const text = formatEntry(entry)
    const hash = hashEntry(before.hash, text)
    // An existing row with this number was not written here. If it was moved, the check finds its gap.
    sql.exec(
      `INSERT OR REPLACE INTO audit (seq, at, principal, session, budget, entry, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      seq,
      entry.at,
      principal,
      session,
      budget,
      text,
      hash,
    )
    budgets.count(seq, hash, before, budget)
  }

  /** Yields all rows, oldest first, in pages, so that rows may change between two pages. */
  function* pages(): Generator<readonly ChainRow[]> {
    let last = 0
    for (;;) {
      const rows = sql.exec<ChainRow>(
        `SELECT ${ROW} FROM audit WHERE seq > ? ORDER BY seq LIMIT ?`,
        last,
        PAGE,
      )
      const page = rows.toArray()
      if (page.length === 0) return
      yield page
      last = page.at(-1)?.seq ?? Infinity
    }
  }

  function* rows(): Generator<ChainRow> {
    for (const page of pages()) yield* page
  }

  /** Yields all entries and runs of dropped ones, oldest first, in pages. */
  function* all(): Generator<readonly (ChainedEntry | Dropped)[]> {
    let last = 0
    for (const page of pages()) {
      const shown: (ChainedEntry | Dropped)[] = []
      for (const row of page) {
        const { seq, first_seq, hash } = row
        // A tombstone written between two pages may cover entries of the page before.
        const dropped = seq - Math.max(last, (first_seq ?? seq) - 1)
        shown.push(first_seq === null ? entryOf(row) : { seq, dropped, hash })
        last = seq
      }
      yield shown
    }
  }

  /** Checks the whole chain, including dropped entries. */
  const check = (): Checked => checkChain(rows(), budgets.state() ?? NO_END)

  return { record, find: createFind(sql), all, check }
}

const NO_END = { head: 0, hash: '', dropped: 0 }

/** Returns the budget of an entry: the top session of its chain, its session, or its principal. */
const payerOf = ({ actor }: AuditEntry) => actor.budget ?? actor.session ?? actor.principal

/** Returns a digest of arguments, to recognise equal calls without storing the arguments. */
export function digestOf(args: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(args) ?? '')
    .digest('hex')
}
