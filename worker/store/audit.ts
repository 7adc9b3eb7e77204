/**
 * The audit: who asked for what, when, and what was decided, as a chain that only grows.
 *
 * Each entry carries the hash of the one before it, so nobody can change or leave out an entry in the
 * middle without being found out by {@link Audit.check}. What was applied is written in the same
 * transaction as the change; previews and refusals are written by the road of a call. What is dropped
 * to make room, and for whom, is in `audit-budget.ts`.
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

/** Entries that were dropped, up to `seq`, whose hash is kept. */
export interface Dropped {
  readonly seq: number
  readonly dropped: number
  readonly hash: string
}

export type Audit = ReturnType<typeof createAudit>

/** Entries that are loaded at once where all of them are gone through. */
const PAGE = 500

export function createAudit(sql: SqlStorage, bounds = AUDIT_BOUNDS) {
  const budgets = createBudgets(sql, bounds)

  function record(entry: AuditEntry): void {
    const { principal, session } = entry.actor
    const budget = entry.outcome === 'applied' ? null : payerOf(entry)
    const before = budgets.state()
    if (!before) throw new Error('The end of the audit is missing, so nothing can be added')
    const seq = before.head + 1
    const text = formatEntry(entry)
    const hash = hashEntry(before.hash, text)
    // A row that is there already is none of ours: the chain shows where it was taken from.
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

  /** All rows, oldest first, a page at a time, so that they may change in between. */
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

  /** All entries, oldest first, with what was dropped between them, a page at a time. */
  function* all(): Generator<readonly (ChainedEntry | Dropped)[]> {
    let last = 0
    for (const page of pages()) {
      const shown: (ChainedEntry | Dropped)[] = []
      for (const row of page) {
        const { seq, first_seq, hash } = row
        // What was dropped between two pages may reach back to what the first of them told of.
        const dropped = seq - Math.max(last, (first_seq ?? seq) - 1)
        shown.push(first_seq === null ? entryOf(row) : { seq, dropped, hash })
        last = seq
      }
      yield shown
    }
  }

  /** Checks the whole chain, dropped entries included. */
  const check = (): Checked => checkChain(rows(), budgets.state() ?? NO_END)

  return { record, find: createFind(sql), all, check }
}

const NO_END = { head: 0, hash: '', dropped: 0 }

/** Who pays for an entry: whoever is at the top of what the session stands under. */
const payerOf = ({ actor }: AuditEntry) => actor.budget ?? actor.session ?? actor.principal

/** What tells two calls with the same arguments from others, without keeping what was written. */
export function digestOf(args: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(args) ?? '')
    .digest('hex')
}
