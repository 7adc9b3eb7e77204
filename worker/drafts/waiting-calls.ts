/**
 * Calls that wait for the decision on their change: what each will answer, and what was decided.
 *
 * They are in a table, because a client may come back after an eviction. `test/platform/call/confirm.test.ts` has
 * the cases.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { keepNewest, keepShares, type SharedRows } from '../database/shares.ts'
import { isNews, markDelivered } from '../decisions/delivery.ts'
import { tablesOf, type Tables } from '../database/table-groups.ts'
import type { Answer } from '../tools/lib/tool.ts'
import type { DecisionOutcome } from '../access/draft.ts'
import { MAX_WAITING_ANSWERS, MAX_WORKSPACE_WAITING_ANSWERS } from './limits.ts'

/** A call whose change waits, or was decided. */
export interface WaitingCall {
  /** The id of the change, also after it was applied. */
  readonly change: string
  /** The key of the draft's owner. */
  readonly owner: string
  /** The public id of the draft. */
  readonly draft: string
  /** Identifies tool and arguments. */
  readonly digest: string
  /** A {@link WaitingAnswer} as JSON. */
  readonly answer: string
  /** Whether its client learns of the decision by a notification. */
  readonly isLegacy: boolean
  /** What was decided; null while it waits. */
  readonly decided: ChangeDecision | null
  /** Whether an answer had the decision, which its client may not have received. */
  readonly wasAnswered: boolean
}

/** A call that begins to wait. */
type NewCall = Omit<WaitingCall, 'decided' | 'wasAnswered'>

/** The result of a call that waits, without what depends on the decision. */
export interface WaitingAnswer {
  readonly tool: string
  readonly intent: string
  readonly answer: Answer
  /** The first paths of its steps, as many as an answer lists. */
  readonly paths: readonly StorePath[]
}

/** What was decided on one change. */
export interface ChangeDecision {
  readonly outcome: DecisionOutcome
  readonly note: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** The version of the applied change; null if it was turned down. */
  readonly version: number | null
}

interface Row extends Record<string, SqlStorageValue> {
  change: string
  owner: string
  draft: string
  digest: string
  answer: string
  legacy: number
  answered: number
  outcome: string | null
  note: string | null
  at: number | null
  version: number | null
}

/** The waiting calls of one workspace. */
export type WaitingCalls = ReturnType<typeof createWaitingCalls>

/** Opens the table of waiting calls. */
export function createWaitingCalls(database: SqlStorage) {
  const sql = tablesOf(database, 'drafts')
  return {
    /** Adds a call. `budget` is the principal whose share it uses. */
    add: (call: NewCall, budget: string) => insert(sql, call, budget),
    /** Finds a call of an owner by its change. */
    find: (owner: string, change: string) => read(sql, 'owner = ? AND change = ?', owner, change),
    /** Finds the newest legacy call with these arguments whose client may not have its answer. */
    findUnanswered: (owner: string, digest: string) =>
      read(sql, `owner = ? AND digest = ? AND ${UNANSWERED}`, owner, digest),
    /** Whether an owner has legacy calls whose client may not have the answer. */
    hasUnanswered: (owner: string) => read(sql, `owner = ? AND ${UNANSWERED}`, owner) !== null,
    /** Whether a client of an owner may still ask for the answer of a call. */
    isAwaited: (owner: string) =>
      read(sql, `owner = ? AND (at IS NULL OR ${UNANSWERED})`, owner) !== null,
    /** Lists the changes of an owner's decided legacy calls whose client may not have the answer. */
    listDecided: (owner: string): readonly string[] => {
      const query = `SELECT change FROM waiting_calls WHERE owner = ? AND ${UNANSWERED} AND at IS NOT NULL`
      return Array.from(sql.exec<{ change: string }>(query, owner), ({ change }) => change)
    },
    /**
     * Records what was decided on a change, and the answer of its new plan if it was planned again. Returns the call,
     * if one waits.
     */
    decide: (change: string, decided: ChangeDecision, again: WaitingAnswer | null) =>
      decide(sql, change, decided, again && JSON.stringify(again)),
    /** Replaces the answer of a call. */
    rewriteAnswer: (change: string, rewrite: (answer: WaitingAnswer) => WaitingAnswer): void => {
      const call = read(sql, 'change = ?', change)
      if (!call) return
      // Only this table has written it.
      const answer = rewrite(JSON.parse(call.answer) as WaitingAnswer)
      const query = 'UPDATE waiting_calls SET answer = ? WHERE change = ?'
      sql.exec(query, JSON.stringify(answer), change)
    },
    /** Records that the answer of a request that came at `began` has the decision on a change. */
    answer: (change: string, began: number): void => {
      markDelivered(sql, { ...DELIVERY, key: 'change' }, change, began)
    },
    /** Records that it has every decision for an owner so far. */
    settle: (owner: string, began: number): void => {
      markDelivered(sql, { ...DELIVERY, key: 'owner' }, owner, began)
    },
  }
}

const CALLS: SharedRows = { table: 'waiting_calls' }

const DELIVERY = { table: 'waiting_calls', mark: 'answered', decided: 'at' }

const UNANSWERED = `legacy = 1 AND ${isNews('answered')}`

function insert(sql: Tables, call: NewCall, budget: string): void {
  const { change, owner, draft, digest, answer, isLegacy } = call
  sql.exec(
    `INSERT INTO waiting_calls (change, owner, draft, digest, answer, legacy, answered, budget)
     VALUES (?, ?, ?, ?, ?, ?, 0, ?)`,
    change,
    owner,
    draft,
    digest,
    answer,
    isLegacy ? 1 : 0,
    budget,
  )
  keepNewest(sql, { ...CALLS, budget: 'owner' }, owner, MAX_WAITING_ANSWERS)
  keepShares(sql, CALLS, MAX_WORKSPACE_WAITING_ANSWERS)
}

function decide(
  sql: Tables,
  change: string,
  { outcome, note, at, version }: ChangeDecision,
  answer: string | null,
): WaitingCall | null {
  const rows = sql.exec(
    `UPDATE waiting_calls SET outcome = ?, note = ?, at = ?, version = ?, answer = coalesce(?, answer)
     WHERE change = ? RETURNING id`,
    outcome,
    note,
    at,
    version,
    answer,
    change,
  )
  return rows.toArray().length === 0 ? null : read(sql, 'change = ?', change)
}

function read(sql: Tables, condition: string, ...bindings: string[]): WaitingCall | null {
  const row = sql
    .exec<Row>(
      `SELECT change, owner, draft, digest, answer, legacy, outcome, note, at, version,
         answered FROM waiting_calls WHERE ${condition} ORDER BY id DESC LIMIT 1`,
      ...bindings,
    )
    .toArray()[0]
  if (!row) return null
  const { change, owner, draft, digest, answer, legacy, outcome, note, at, version, answered } = row
  // Only `decide` writes the outcome.
  const decided =
    outcome === null ? null : { outcome: outcome as DecisionOutcome, note: note ?? '' }
  return {
    ...{ change, owner, draft, digest, answer, isLegacy: legacy === 1, wasAnswered: answered > 0 },
    decided: decided && { ...decided, at: at ?? 0, version },
  }
}
