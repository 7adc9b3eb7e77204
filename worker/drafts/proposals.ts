/**
 * The rows of proposals: the changes that wait in each draft. `table.ts` keeps what the drafts sum up of them.
 * `test/worker/drafts/drafts.test.ts` tests them through the drafts.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { ChangeNote } from '../audit/change-note.ts'
import type { Step, Store } from '../store/store.ts'
import type { Tables } from '../database/table-groups.ts'
import type { Draft, HeldLevel, PlannedCall, Proposal } from '../access/draft.ts'
import { MAX_ARGUMENTS_LENGTH } from './limits.ts'
import { byteLength, bytesOf, formatSteps, parseSteps } from './stored-steps.ts'

/** A proposal that is not stored yet. Its version and id are those of the applied change. */
export interface NewProposal extends Omit<
  Proposal,
  'steps' | 'readCall' | 'readPlaces' | 'allowed'
> {
  readonly steps: readonly Step[]
  readonly call: PlannedCall | null
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

/** The database, and what finds the content of steps in it. */
export interface ProposalRows {
  readonly sql: Tables
  readonly store: Pick<Store, 'contentOf'>
}

/** Stores a proposal, whose content a version of the draft names. Returns what it takes. */
export function insertProposal(sql: Tables, draft: Draft, proposal: NewProposal): StoredSize {
  const { version, id, at, level, basis, note, steps, call } = proposal
  const [text, callText] = [formatSteps(sql, steps), formatCall(call)]
  const length = byteLength(text)
  const bytes = bytesOf(steps) + byteLength(callText ?? '')
  sql.exec(
    `INSERT INTO proposals (draft, version, id, at, level, basis, bytes, length, note, steps, call, allowed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    draft.id,
    version,
    id,
    at,
    level,
    basis,
    bytes,
    length,
    JSON.stringify(note),
    text,
    callText,
    call?.allowed?.length ? JSON.stringify(call.allowed) : null,
  )
  return { length, bytes }
}

/** Returns the bytes of a call as it is stored. */
export const bytesOfCall = (call: PlannedCall | null): number => byteLength(formatCall(call) ?? '')

function formatCall(call: PlannedCall | null): string | null {
  // What was allowed has a column of its own.
  const text = call && JSON.stringify({ ...call, allowed: undefined })
  return text !== null && byteLength(text) > MAX_ARGUMENTS_LENGTH ? null : text
}

/** Reads the proposals of a draft up to a version, in their order. */
export function readProposals(
  { sql, store }: ProposalRows,
  draft: Draft,
  upTo: number,
): Proposal[] {
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

/** What a proposal takes: bytes of its steps, and of the files that it writes with its call. */
export interface StoredSize {
  readonly length: number
  readonly bytes: number
}

/** Deletes proposals of a draft by their versions. */
export function deleteProposals(
  sql: Tables,
  draft: Draft,
  versions: readonly number[],
): StoredSize[] {
  return sql
    .exec<{ length: number; bytes: number }>(
      `DELETE FROM proposals ${SELECTED} RETURNING length, bytes`,
      draft.id,
      JSON.stringify(versions),
    )
    .toArray()
}

/** Sets the version of the workspace that proposals are planned against. */
export function updateBasis(
  sql: Tables,
  draft: Draft,
  { versions, basis }: { readonly versions: readonly number[]; readonly basis: number },
): void {
  const text = JSON.stringify(versions)
  sql.exec(`UPDATE proposals SET basis = ? ${SELECTED}`, basis, draft.id, text)
}

/** Replaces the steps of a proposal, whose content a version of the draft names. */
export function updateSteps(
  sql: Tables,
  draft: Draft,
  { version, steps }: { readonly version: number; readonly steps: readonly Step[] },
): void {
  const text = formatSteps(sql, steps)
  sql.exec(
    `UPDATE proposals SET steps = ?, length = ?, bytes = ? + ifnull(length(CAST(call AS BLOB)), 0)
     WHERE draft = ? AND version = ?`,
    text,
    byteLength(text),
    bytesOf(steps),
    draft.id,
    version,
  )
}

/** Selects proposals of a draft by their versions, as a JSON array. */
const SELECTED = 'WHERE draft = ? AND version IN (SELECT value FROM json_each(?))'
