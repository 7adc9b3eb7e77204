/**
 * The drafts that are open, with what their proposals (`proposals.ts`) sum up to. They are also kept in memory, because
 * every call asks for its own. `test/worker/drafts/table.test.ts` tests what is in memory.
 *
 * @module
 */

import { ANY, type Present } from '../store/open/opening.ts'
import type { Step, Store } from '../store/store.ts'
import { tablesOf, type Tables } from '../database/table-groups.ts'
import type { Credential, Draft, DraftOwner } from '../access/draft.ts'
import {
  deleteProposals,
  insertProposal,
  readProposals,
  updateBasis,
  updateSteps,
  type NewProposal,
  type ProposalRows,
} from './proposals.ts'

/** The drafts of one workspace. */
export type DraftTable = ReturnType<typeof createDraftTable>

interface DraftRow extends Record<string, SqlStorageValue> {
  id: number
  name: string
  owner: string
  principal: string
  session: string | null
  label: string | null
  budget: string
  opened: number
  touched: number
  bytes: number
  changes: number
  length: number
  credential: string | null
  ceiling: string | null
}

/** A database, and the drafts that are open in it, by owner. */
interface TableContext extends ProposalRows {
  drafts: ReadonlyMap<string, Draft>
}

/** Opens the tables of drafts. Call `reload` after a transaction that failed. */
export function createDraftTable(
  database: SqlStorage,
  store: Pick<Store, 'contentOf'>,
  has: Pick<Present, 'drafts'> = ANY,
) {
  const sql = tablesOf(database, 'drafts')
  const drafts = has.drafts ? readDrafts(sql) : new Map<string, Draft>()
  const context: TableContext = { sql, store, drafts }
  return {
    of: (owner: string) => context.drafts.get(owner) ?? null,
    named: (name: string) => [...context.drafts.values()].find((one) => one.name === name) ?? null,
    all: () => [...context.drafts.values()],
    /** The same without a copy of the list. */
    each: () => context.drafts.values(),
    has: (draft: Draft, change: string) =>
      sql.exec('SELECT 1 FROM proposals WHERE draft = ? AND id = ?', draft.id, change).toArray()
        .length > 0,
    open: (owner: DraftOwner, now: number) => insertDraft(context, owner, now),
    add: (draft: Draft, proposal: NewProposal) => addProposal(context, draft, proposal),
    proposals: (draft: Draft, upTo = Number.MAX_SAFE_INTEGER) =>
      readProposals(context, draft, upTo),
    remove: (draft: Draft, versions: readonly number[]) =>
      removeProposals(context, draft, versions),
    rebase: (draft: Draft, versions: readonly number[], basis: number) =>
      updateBasis(sql, draft, { versions, basis }),
    /** Stores new plans of proposals, by version, whose content versions of the draft name. */
    replan: (draft: Draft, plans: ReadonlyMap<number, readonly Step[]>) =>
      replanProposals(context, draft, plans),
    /** The reason that the agent gave; empty if it gave none. It is not in memory, so a decision is not planned again for it. */
    reasonOf: ({ id }: Pick<Draft, 'id'>): string => {
      const rows = sql.exec<{ reason: string }>('SELECT reason FROM drafts WHERE id = ?', id)
      return rows.toArray()[0]?.reason ?? ''
    },
    explain: ({ id }: Pick<Draft, 'id'>, reason: string): void =>
      void sql.exec('UPDATE drafts SET reason = ? WHERE id = ?', reason, id),
    /** Moves a draft to another owner, who has none. Returns it. */
    move: (draft: Draft, owner: DraftOwner) => moveDraft(context, draft, owner),
    /** Records that no connection may take a draft over. Returns it. */
    keep: (draft: Draft) => keepDraft(context, draft),
    reload: () => {
      context.drafts = readDrafts(sql)
    },
  }
}

function readDrafts(sql: Tables): ReadonlyMap<string, Draft> {
  const rows = sql.exec<DraftRow>(
    `SELECT d.id, d.name, d.owner, d.principal, d.session, d.label, d.budget, d.opened, d.credential, d.ceiling,
       max(d.touched, ifnull(max(p.at), 0)) AS touched, count(p.version) AS changes,
       ifnull(sum(p.bytes), 0) AS bytes, ifnull(sum(p.length), 0) AS length
     FROM drafts d LEFT JOIN proposals p ON p.draft = d.id GROUP BY d.id`,
  )
  return new Map(Array.from(rows, (row) => [row.owner, draftOf(row)]))
}

function draftOf({ owner: key, principal, session, label, budget, ...row }: DraftRow): Draft {
  const { id, name, opened, touched, changes, bytes, length } = row
  const owner = { key, principal, session, label, budget }
  const credential = row.ceiling === null ? null : { id: row.credential, ceiling: row.ceiling }
  return { id, name, owner, credential, opened, touched, changes, bytes, length }
}

function insertDraft({ sql }: TableContext, owner: DraftOwner, now: number): Draft {
  const { key, principal, session, label, budget, connection } = owner
  const credential: Credential | null = connection?.credential ?? null
  const name = crypto.randomUUID().slice(0, 13)
  const { id } = sql
    .exec<{ id: number }>(
      `INSERT INTO drafts (name, owner, principal, session, label, budget, opened, touched,
         credential, ceiling)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      name,
      key,
      principal,
      session,
      label,
      budget,
      now,
      now,
      credential?.id ?? null,
      credential?.ceiling ?? null,
    )
    .one()
  return { id, name, owner, credential, opened: now, touched: now, changes: 0, bytes: 0, length: 0 }
}

function moveDraft(context: TableContext, draft: Draft, owner: DraftOwner): Draft {
  const { key, principal, session, label, budget } = owner
  context.sql.exec(
    'UPDATE drafts SET owner = ?, principal = ?, session = ?, label = ?, budget = ? WHERE id = ?',
    ...[key, principal, session, label, budget, draft.id],
  )
  const moved = { ...draft, owner }
  const drafts = new Map(context.drafts)
  drafts.delete(draft.owner.key)
  context.drafts = drafts.set(key, moved)
  return moved
}

function keepDraft(context: TableContext, draft: Draft): Draft {
  context.sql.exec('UPDATE drafts SET credential = NULL, ceiling = NULL WHERE id = ?', draft.id)
  const kept = { ...draft, credential: null }
  context.drafts = new Map(context.drafts).set(draft.owner.key, kept)
  return kept
}

/** Adds a proposal to a draft. Returns the draft with it. */
function addProposal(context: TableContext, draft: Draft, proposal: NewProposal): Draft {
  const { at } = proposal
  const added = insertProposal(context.sql, draft, proposal)
  const [length, bytes] = [draft.length + added.length, draft.bytes + added.bytes]
  const touched = Math.max(draft.touched, at)
  const joined = { ...draft, touched, bytes, length, changes: draft.changes + 1 }
  context.drafts = new Map(context.drafts).set(draft.owner.key, joined)
  return joined
}

/** Removes proposals; without any left, the draft as well. Returns what is left of it, or null. */
function removeProposals(
  context: TableContext,
  draft: Draft,
  versions: readonly number[],
): Draft | null {
  const { sql } = context
  const removed = deleteProposals(sql, draft, versions)
  const drafts = new Map(context.drafts)
  const changes = draft.changes - removed.length
  const left = removed.reduce(
    (sum, { length, bytes }) => ({
      length: sum.length - length,
      bytes: sum.bytes - bytes,
    }),
    { length: draft.length, bytes: draft.bytes },
  )
  if (changes === 0) {
    sql.exec('DELETE FROM drafts WHERE id = ?', draft.id)
    drafts.delete(draft.owner.key)
  } else {
    // The time to decide on the others does not become shorter.
    sql.exec('UPDATE drafts SET touched = ? WHERE id = ?', draft.touched, draft.id)
    drafts.set(draft.owner.key, { ...draft, ...left, changes })
  }
  context.drafts = drafts
  return drafts.get(draft.owner.key) ?? null
}

function replanProposals(
  context: TableContext,
  draft: Draft,
  plans: ReadonlyMap<number, readonly Step[]>,
): void {
  if (plans.size === 0) return
  const { sql } = context
  for (const [version, steps] of plans) updateSteps(sql, draft, { version, steps })
  // Only this one: a decision that is being planned knows the others by their objects.
  const { key } = draft.owner
  const now = readDrafts(sql).get(key)
  if (now) context.drafts = new Map(context.drafts).set(key, now)
}
