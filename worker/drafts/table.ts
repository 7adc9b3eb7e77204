/**
 * The tables of drafts and their proposals. Which drafts are open is also kept in memory, because every
 * call asks for its own. `test/worker/drafts/drafts.test.ts` tests them through the drafts.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { ChangeNote } from '../store/change-note.ts'
import { ANY, type Present } from '../store/opening.ts'
import { stepPaths } from '../store/steps.ts'
import type { Content, Step, Store } from '../store/store.ts'
import { tablesOf, type Tables } from '../store/table-groups.ts'
import type { Draft, DraftOwner, HeldLevel, PlannedCall, Proposal } from './draft.ts'
import { MAX_ARGUMENTS_LENGTH } from './limits.ts'

/** A proposal that is not stored yet. Its version and id are those of the applied change. */
export interface NewProposal extends Omit<
  Proposal,
  'steps' | 'readCall' | 'readPlaces' | 'allowed'
> {
  readonly steps: readonly Step[]
  readonly call: PlannedCall | null
}

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
}

interface ProposalRow extends Record<string, SqlStorageValue> {
  version: number
  id: string
  at: number
  level: string
  basis: number
  note: string
  steps: string
  allowed: string | null
}

/** A database, and the drafts that are open in it, by owner. */
interface TableContext {
  readonly sql: Tables
  readonly store: Pick<Store, 'contentOf'>
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
    has: (draft: Draft, change: string) =>
      sql.exec('SELECT 1 FROM proposals WHERE draft = ? AND id = ?', draft.id, change).toArray()
        .length > 0,
    open: (owner: DraftOwner, now: number) => insertDraft(context, owner, now),
    add: (draft: Draft, proposal: NewProposal) => insertProposal(context, draft, proposal),
    proposals: (draft: Draft, upTo = Number.MAX_SAFE_INTEGER) =>
      readProposals(context, draft, upTo),
    remove: (draft: Draft, versions: readonly number[]) =>
      removeProposals(context, draft, versions),
    rebase: (draft: Draft, versions: readonly number[], basis: number) =>
      updateBasis(context, draft, versions, basis),
    reload: () => {
      context.drafts = readDrafts(sql)
    },
  }
}

function readDrafts(sql: Tables): ReadonlyMap<string, Draft> {
  const rows = sql.exec<DraftRow>(
    `SELECT d.*, count(p.version) AS changes, ifnull(sum(length(CAST(p.steps AS BLOB))), 0) AS length
     FROM drafts d LEFT JOIN proposals p ON p.draft = d.id GROUP BY d.id`,
  )
  return new Map(Array.from(rows, (row) => [row.owner, draftOf(row)]))
}

function draftOf({ owner: key, principal, session, label, budget, ...row }: DraftRow): Draft {
  const { id, name, opened, touched, changes, bytes, length } = row
  const owner = { key, principal, session, label, budget }
  return { id, name, owner, opened, touched, changes, bytes, length }
}

function insertDraft({ sql }: TableContext, owner: DraftOwner, now: number): Draft {
  const { key, principal, session, label, budget } = owner
  const name = crypto.randomUUID().slice(0, 13)
  const { id } = sql
    .exec<{ id: number }>(
      `INSERT INTO drafts (name, owner, principal, session, label, budget, opened, touched, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0) RETURNING id`,
      name,
      key,
      principal,
      session,
      label,
      budget,
      now,
      now,
    )
    .one()
  return { id, name, owner, opened: now, touched: now, changes: 0, bytes: 0, length: 0 }
}

/** Stores a proposal, whose content a version of the draft names. Returns the draft with it. */
function insertProposal(context: TableContext, draft: Draft, proposal: NewProposal): Draft {
  const { sql } = context
  const { version, id, at, level, basis, note, steps, call } = proposal
  const text = formatSteps(sql, steps)
  sql.exec(
    `INSERT INTO proposals (draft, version, id, at, level, basis, note, steps, call, allowed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    draft.id,
    version,
    id,
    at,
    level,
    basis,
    JSON.stringify(note),
    text,
    formatCall(call),
    call?.allowed?.length ? JSON.stringify(call.allowed) : null,
  )
  const bytes = draft.bytes + bytesOf(steps)
  sql.exec('UPDATE drafts SET touched = ?, bytes = ? WHERE id = ?', at, bytes, draft.id)
  const length = draft.length + byteLength(text)
  const joined = { ...draft, touched: at, bytes, length, changes: draft.changes + 1 }
  context.drafts = new Map(context.drafts).set(draft.owner.key, joined)
  return joined
}

/** Sums the bytes that steps write. */
export function bytesOf(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + (step.type === 'put' ? step.content.size : 0), 0)
}

function readProposals({ sql, store }: TableContext, draft: Draft, upTo: number): Proposal[] {
  const rows = sql.exec<ProposalRow>(
    `SELECT version, id, at, level, basis, note, steps, allowed FROM proposals
     WHERE draft = ? AND version <= ? ORDER BY version`,
    draft.id,
    upTo,
  )
  return Array.from(rows, (row) => ({
    version: row.version,
    id: row.id,
    at: row.at,
    basis: row.basis,
    // Only this module writes the rows.
    level: row.level as HeldLevel,
    note: JSON.parse(row.note) as ChangeNote,
    steps: parseSteps(store, row.steps),
    allowed: row.allowed === null ? [] : (JSON.parse(row.allowed) as string[]),
    readCall: () => readCall<PlannedCall>(sql, draft, row, 'call'),
    readPlaces: () => readCall<StorePath[]>(sql, draft, row, "call -> '$.places'") ?? [],
  }))
}

/** Reads a part of the call of a proposal; null without one. */
function readCall<T>(
  sql: Tables,
  { id }: Draft,
  { version }: ProposalRow,
  part: 'call' | "call -> '$.places'",
): T | null {
  const rows = sql.exec<{ part: string | null }>(
    `SELECT ${part} AS part FROM proposals WHERE draft = ? AND version = ?`,
    id,
    version,
  )
  const text = rows.toArray()[0]?.part ?? null
  // Only this module writes the rows.
  return text === null ? null : (JSON.parse(text) as T)
}

/** Removes proposals; without any left, the draft as well. Returns what is left of it, or null. */
function removeProposals(
  context: TableContext,
  draft: Draft,
  versions: readonly number[],
): Draft | null {
  const { sql } = context
  const removed = sql
    .exec<{ length: number; bytes: number }>(
      `DELETE FROM proposals ${SELECTED} RETURNING length(CAST(steps AS BLOB)) AS length,
         (SELECT ifnull(sum(value ->> 'size'), 0) FROM json_each(steps)) AS bytes`,
      draft.id,
      JSON.stringify(versions),
    )
    .toArray()
  const drafts = new Map(context.drafts)
  const changes = draft.changes - removed.length
  const left = removed.reduce(
    (sum, { length, bytes }) => ({ length: sum.length - length, bytes: sum.bytes - bytes }),
    { length: draft.length, bytes: draft.bytes },
  )
  if (changes === 0) {
    sql.exec('DELETE FROM drafts WHERE id = ?', draft.id)
    drafts.delete(draft.owner.key)
  } else {
    sql.exec('UPDATE drafts SET bytes = ? WHERE id = ?', left.bytes, draft.id)
    drafts.set(draft.owner.key, { ...draft, ...left, changes })
  }
  context.drafts = drafts
  return drafts.get(draft.owner.key) ?? null
}

/** Selects proposals of a draft by their versions, as a JSON array. */
const SELECTED = 'WHERE draft = ? AND version IN (SELECT value FROM json_each(?))'

function updateBasis(
  { sql }: TableContext,
  draft: Draft,
  versions: readonly number[],
  basis: number,
): void {
  const text = JSON.stringify(versions)
  sql.exec(`UPDATE proposals SET basis = ? ${SELECTED}`, basis, draft.id, text)
}

function formatCall(call: PlannedCall | null): string | null {
  // What was allowed has a column of its own.
  const text = call && JSON.stringify({ ...call, allowed: undefined })
  return text !== null && byteLength(text) > MAX_ARGUMENTS_LENGTH ? null : text
}

/** A step as it is stored: content as the row that holds it. */
type StoredStep =
  | Exclude<Step, { readonly type: 'put' }>
  | (Omit<Extract<Step, { type: 'put' }>, 'content'> & {
      readonly blob: number
      readonly size: number
    })

function formatSteps(sql: Tables, steps: readonly Step[]): string {
  const stored = steps.map((step): StoredStep => {
    if (step.type !== 'put') return step
    const { content, ...rest } = step
    const { id } = sql
      .exec<{ id: number }>('SELECT id FROM blobs WHERE hash = ?', content.hash)
      .one()
    return { ...rest, blob: id, size: content.size }
  })
  return JSON.stringify(stored)
}

/** Estimates the bytes of {@link formatSteps}, before the content has rows; never below them. */
export function lengthOfSteps(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + byteLength(JSON.stringify(stepPaths(step))) + 100, 0)
}

const byteLength = (text: string) => new TextEncoder().encode(text).length

function parseSteps(store: Pick<Store, 'contentOf'>, text: string): Step[] | null {
  const steps: Step[] = []
  for (const step of JSON.parse(text) as StoredStep[]) {
    if (step.type !== 'put') {
      steps.push(step)
      continue
    }
    const { blob, size, ...rest } = step
    const content: Content | null = store.contentOf({ blob, size })
    if (!content) return null
    steps.push({ ...rest, content })
  }
  return steps
}
