/**
 * The audit log: who requested what, when, and what was decided, as an append-only hash chain.
 *
 * Each entry carries the hash of the previous one, so that {@link Audit.check} detects a changed or removed
 * entry. The entry of an applied change is a part of its row; previews and refusals are logged by
 * the code that runs a call. `budget.ts` decides which entries are dropped to make room.
 *
 * @module
 */

import { hash } from 'node:crypto'
import type { Actor } from './change-note.ts'
import { transaction } from '../database/table-groups.ts'
import { AUDIT_BOUNDS, createBudgets } from './budget.ts'
import { checkChain, hashEntry, type ChainCheck, type ChainRow } from './chain.ts'
import { formatEntry, type AuditEntry } from './entry.ts'
import { createAuditQuery, parseEntry, ROW, type ChainedEntry } from './find.ts'
import { findMissing, findRows } from './log.ts'

export type { ChainCheck } from './chain.ts'
export type { AuditEntry, AuditOutcome, ReviewNote } from './entry.ts'
export type { AuditQuery, ChainedEntry } from './find.ts'

/** A run of dropped entries up to `seq`, with the hash of the last one. */
export interface Dropped {
  readonly seq: number
  readonly dropped: number
  readonly hash: string
}

/** What the row of a change has of the audit log, by its columns: its entry, and the end of the chain. */
export interface AuditColumns {
  readonly seq: number
  readonly hash: string
  /** Kept entries of applied changes. */
  readonly applied: number
  readonly share: string | null
  readonly entry: string
}

/** The audit log of one workspace. */
export type Audit = ReturnType<typeof createAudit>

/** Rows that are loaded at once when all entries are read. */
const PAGE = 500

/** Where the log is stored. */
type AuditStorage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>

/** A database, and the accounting of its audit log. */
interface Log {
  readonly sql: SqlStorage
  readonly budgets: ReturnType<typeof createBudgets>
}

/** Opens the audit log. `bounds` limits the entries that it keeps. */
export function createAudit(storage: AuditStorage, bounds = AUDIT_BOUNDS) {
  const { sql } = storage
  const log: Log = { sql, budgets: createBudgets(sql, bounds) }
  return {
    /** Appends an entry to the chain, with its count or not at all. */
    record: (entry: AuditEntry) =>
      transaction(storage, () => {
        const { before, ...link } = linkEntry(log, entry)
        const budget = entry.outcome === 'applied' ? null : budgetOf(entry)
        insertEntry(log, entry, { ...link, budget })
        log.budgets.count({ head: link.seq, hash: link.hash, budget }, before)
      }),
    /** Appends the entry of a change to the chain, within its transaction. `writeRow` writes it as a part of the row. */
    recordApplied: <T>(entry: AuditEntry, writeRow: (columns: AuditColumns) => T): T => {
      const { before, ...link } = linkEntry(log, entry)
      const columns = { ...link, applied: before.applied + 1 }
      const written = writeRow(columns)
      log.budgets.makeRoom(columns, before)
      return written
    },
    find: createAuditQuery(sql),
    /** Counts the kept entries for calls of a session that applied nothing, up to `limit`. */
    countNotes: ({ budget, session }: Actor, limit: number): number => {
      const found = sql.exec(
        'SELECT 1 FROM audit WHERE budget = ? AND session = ? LIMIT ?',
        ...[budget ?? null, session, limit],
      )
      return found.toArray().length
    },
    /** Yields all entries and runs of dropped ones, oldest first, in pages. */
    all: () => readAll(sql),
    /** Checks the whole chain, including dropped entries. */
    check: () => checkLog(log),
  }
}

/** Chains an entry to the end of the log. */
function linkEntry({ budgets }: Log, entry: AuditEntry) {
  const before = budgets.state()
  if (!before) throw new Error('Cannot append to the audit log: its last entry is missing')
  const text = formatEntry(entry)
  const share = entry.outcome === 'applied' ? shareOf(entry) : null
  return { seq: before.head + 1, hash: hashEntry(before.hash, text), share, entry: text, before }
}

type Linked = Omit<AuditColumns, 'applied'> & { readonly budget: string | null }

function insertEntry({ sql }: Log, { at, actor }: AuditEntry, linked: Linked): void {
  const row = { at, principal: actor.principal, session: actor.session, ...linked }
  const columns = Object.keys(row)
  // An existing row with this number was not written here. If it was moved, the check finds its gap.
  sql.exec(
    `INSERT OR REPLACE INTO audit (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ...Object.values(row),
  )
}

function checkLog({ sql, budgets }: Log): ChainCheck {
  const end = budgets.state() ?? NO_END
  const check = checkChain(readRows(sql), end)
  return { ...check, broken: check.broken ?? findMissing(sql, end.head) }
}

/** Yields all rows, oldest first, in pages, so that rows may change between two pages. */
function* readPages(sql: SqlStorage): Generator<readonly ChainRow[]> {
  let after = 0
  for (;;) {
    const page = findRows<ChainRow>(sql, ROW, { after, limit: PAGE })
    if (page.length === 0) return
    yield page
    after = page.at(-1)?.seq ?? Infinity
  }
}

function* readRows(sql: SqlStorage): Generator<ChainRow> {
  for (const page of readPages(sql)) yield* page
}

function* readAll(sql: SqlStorage): Generator<readonly (ChainedEntry | Dropped)[]> {
  let last = 0
  for (const page of readPages(sql)) {
    const entries: (ChainedEntry | Dropped)[] = []
    for (const row of page) {
      const { seq, first_seq, hash } = row
      // A tombstone written between two pages may cover entries of the page before.
      const dropped = seq - Math.max(last, (first_seq ?? seq) - 1)
      entries.push(first_seq === null ? parseEntry(row) : { seq, dropped, hash })
      last = seq
    }
    yield entries
  }
}

const NO_END = { head: 0, hash: '', dropped: 0 }

/** Returns the budget of an entry: the top session of its chain, its session, or its principal. */
const budgetOf = ({ actor }: AuditEntry) => actor.budget ?? actor.session ?? actor.principal

/** Returns the budget of an applied entry; null where its session or principal says the same. */
function shareOf({ actor: { budget, session, principal } }: AuditEntry): string | null {
  return budget === undefined || budget === (session ?? principal) ? null : budget
}

/** Returns a digest of arguments, to recognise equal calls without storing the arguments. */
export function digestOf(args: unknown): string {
  return hash('sha256', JSON.stringify(args) ?? '', 'hex')
}
