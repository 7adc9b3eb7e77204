/**
 * The table of access requests: those that wait, those that were decided, and the calls that the owner allowed
 * once. `test/worker/requests/requests.test.ts` tests it through the requests.
 *
 * @module
 */

import type { NewsRow } from '../decisions/delivery.ts'
import { createReports } from '../decisions/reports.ts'
import { MAX_NOTE_LENGTH } from '../drafts/limits.ts'
import type { DraftOwner } from '../access/draft.ts'
import { ANY, type Present } from '../store/open/opening.ts'
import { keepNewest, keepShares, type SharedRows } from '../database/shares.ts'
import { tablesOf, type Tables } from '../database/table-groups.ts'
import { ALLOWED_CALL_SECONDS } from '../access/limits.ts'
import {
  MAX_DECIDED_REQUESTS,
  MAX_LISTED_ALLOWED,
  MAX_REQUESTS,
  MAX_WORKSPACE_DECIDED_REQUESTS,
  MAX_WORKSPACE_REQUESTS,
} from './limits.ts'
import type {
  AccessRequest,
  AllowedFor,
  RequestedCall,
  RequestState,
} from '../access/access-request.ts'

interface Row extends Record<string, SqlStorageValue> {
  id: string
  owner: string
  principal: string
  session: string | null
  label: string | null
  budget: string
  tool: string
  intent: string
  digest: string
  scopes: string
  paths: string
  opened: number
  state: string
  allowed_for: string | null
  note: string
  decided: number | null
}

const COLUMNS =
  'id, owner, principal, session, label, budget, tool, intent, digest, scopes, paths, opened, state, allowed_for, note, decided'

/** A decision on a request that waits. */
export interface RequestDecision {
  readonly state: Exclude<RequestState, 'waiting'>
  readonly allowedFor: AllowedFor | null
  readonly note: string
  readonly at: number
}

/** The table of access requests of one workspace. */
export type RequestTable = ReturnType<typeof createRequestTable>

/** Opens the table of access requests. */
export function createRequestTable(
  database: SqlStorage,
  { requests }: Pick<Present, 'requests'> = ANY,
) {
  const sql = tablesOf(database, 'requests')
  /** Without rows there is nothing to read until one is added. */
  let isEmpty = !requests
  const reports = createReports<AccessRequest>(
    sql,
    {
      ...REPORTED,
      read: (where, owner) => readReported(sql, where, owner),
      most: MAX_WORKSPACE_DECIDED_REQUESTS,
    },
    isEmpty,
  )
  return {
    /** The requests that wait, newest first. */
    waiting: () => (isEmpty ? [] : read(sql, "state = 'waiting' ORDER BY seq DESC")),
    find: (id: string) => read(sql, "id = ? AND state = 'waiting'", id)[0] ?? null,
    /** The newest requests of a caller, newest first, waiting or decided. */
    of: (owner: string) =>
      read(sql, 'owner = ? ORDER BY seq DESC LIMIT ?', owner, MAX_DECIDED_REQUESTS),
    add: (owner: DraftOwner, call: RequestedCall, now: number) => {
      isEmpty = false
      return add(sql, owner, call, now)
    },
    decide: (request: AccessRequest, decision: RequestDecision) => {
      decide(sql, request, decision)
      reports.add(request.owner.key)
    },
    hasNews: reports.hasNews,
    takeNews: reports.takeNews,
    allowedCall: (owner: string, tool: string, digest: string, now: number) =>
      allowedCall(sql, owner, { tool, digest, now }),
    /** Calls that were allowed and not made yet, newest first. Of too many, each principal has its newest. */
    allowedCalls: (now: number) => read(sql, LISTED_ALLOWED, usableSince(now), MAX_LISTED_ALLOWED),
    findAllowedCall: (id: string, now: number) =>
      read(sql, `${UNUSED} AND id = ?`, usableSince(now), id)[0] ?? null,
    /** What a session was allowed, newest first. */
    allowedFor: (session: string) =>
      read(sql, "session = ? AND state = 'allowed' AND allowed_for = 'session'", session),
    /** Takes back the permission of a call that is made now. */
    use: (id: string) => sql.exec('UPDATE access_requests SET used = 1 WHERE id = ?', id),
    /** Deletes everything of a session that has ended. Returns whether a request of it waited. */
    forget: (session: string): boolean => {
      reports.forget(session)
      const deleted = sql.exec<{ state: RequestState }>(
        'DELETE FROM access_requests WHERE session = ? RETURNING state',
        session,
      )
      return deleted.toArray().some(({ state }) => state === 'waiting')
    },
  }
}

const REPORTED = {
  table: 'access_requests',
  mark: 'reported',
  decided: 'decided',
  key: 'owner',
  id: 'id',
  order: 'seq',
}

const readReported = (sql: Tables, where: string, owner: string): NewsRow<AccessRequest>[] =>
  Array.from(
    sql.exec<Row & { reported: number }>(
      `SELECT ${COLUMNS}, reported FROM access_requests WHERE ${where}`,
      owner,
    ),
    ({ reported, ...row }) => ({ id: row.id, mark: reported, one: requestOf(row) }),
  )

/** Adds a request, or returns the one of the same caller and scopes that waits already, as it is. */
function add(
  sql: Tables,
  owner: DraftOwner,
  { tool, intent, digest, scopes, paths }: RequestedCall,
  now: number,
): { readonly request: AccessRequest; readonly isNew: boolean } {
  const text = JSON.stringify(scopes)
  const [same] = read(sql, "owner = ? AND scopes = ? AND state = 'waiting'", owner.key, text)
  // What the owner was shown stays as it was: a later call with other arguments is not it.
  if (same) return { request: same, isNew: false }
  keepNewest(sql, WAITING, owner.budget, MAX_REQUESTS - 1)
  keepShares(sql, WAITING, MAX_WORKSPACE_REQUESTS - 1)
  const id = crypto.randomUUID()
  const { key, principal, session, label, budget } = owner
  sql.exec(
    `INSERT INTO access_requests (${COLUMNS}, reported, used)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', NULL, '', NULL, 1, 0)`,
    ...[id, key, principal, session, label, budget, tool, intent, digest, text],
    ...[JSON.stringify(paths), now],
  )
  const state = { state: 'waiting', allowedFor: null, note: '', decided: null } as const
  return {
    request: { id, owner, tool, intent, digest, scopes, paths, opened: now, ...state },
    isNew: true,
  }
}

const REQUESTS = { table: 'access_requests', id: 'seq' } as const

const WAITING: SharedRows = { ...REQUESTS, where: "state = 'waiting'" }

const DECIDED: SharedRows = {
  ...REQUESTS,
  // What was reported is dropped first. Several can be decided within a millisecond.
  age: '(reported <> 1) * 4000000000000000 + decided * 1000 + seq % 1000',
  where: "state <> 'waiting'",
}

function decide(
  sql: Tables,
  { id, owner }: AccessRequest,
  { state, allowedFor, note, at }: RequestDecision,
): void {
  sql.exec(
    `UPDATE access_requests SET state = ?, allowed_for = ?, note = ?, decided = ?, reported = 0
     WHERE id = ?`,
    state,
    allowedFor,
    note.slice(0, MAX_NOTE_LENGTH).toWellFormed(),
    at,
    id,
  )
  keepNewest(sql, { ...DECIDED, budget: 'owner' }, owner.key, MAX_DECIDED_REQUESTS)
  keepShares(sql, DECIDED, MAX_WORKSPACE_DECIDED_REQUESTS)
}

/** Calls that were allowed since a time, and not made yet. */
const UNUSED = "state = 'allowed' AND allowed_for = 'call' AND used = 0 AND decided > ?"

const LISTED_ALLOWED = `seq IN (
  SELECT seq FROM access_requests WHERE ${UNUSED}
  ORDER BY row_number() OVER (PARTITION BY budget ORDER BY seq DESC), seq DESC LIMIT ?)
  ORDER BY seq DESC`

const usableSince = (now: number) => now - ALLOWED_CALL_SECONDS * 1000

/** Finds the permission for exactly one call: of this caller, with this tool and these arguments. */
function allowedCall(
  sql: Tables,
  owner: string,
  { tool, digest, now }: { readonly tool: string; readonly digest: string; readonly now: number },
): AccessRequest | null {
  const [request] = read(
    sql,
    `${UNUSED} AND owner = ? AND tool = ? AND digest = ? ORDER BY seq DESC LIMIT 1`,
    ...[usableSince(now), owner, tool, digest],
  )
  return request ?? null
}

function read(sql: Tables, condition: string, ...bindings: (string | number)[]): AccessRequest[] {
  const rows = sql.exec<Row>(
    `SELECT ${COLUMNS} FROM access_requests WHERE ${condition}`,
    ...bindings,
  )
  return Array.from(rows, requestOf)
}

function requestOf({ owner: key, principal, session, label, budget, ...row }: Row): AccessRequest {
  const { id, tool, intent, digest, opened, note, decided } = row
  return {
    id,
    tool,
    intent,
    digest,
    opened,
    note,
    decided,
    owner: { key, principal, session, label, budget },
    // Only this module writes the rows.
    scopes: JSON.parse(row.scopes) as string[],
    paths: JSON.parse(row.paths) as string[],
    state: row.state as RequestState,
    allowedFor: row.allowed_for as AllowedFor | null,
  }
}
