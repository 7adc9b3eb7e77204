/**
 * Decisions on drafts, as the agent learns of them: approved, turned down with a note, or expired.
 *
 * Each is reported in the next result of the session (`delivery.ts`), and remains in the status of its draft for a while.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { ANY, type Present } from '../store/opening.ts'
import { keepNewest, keepShares, type SharedRows } from '../store/shares.ts'
import { tablesOf, type Tables } from '../store/table-groups.ts'
import type { DraftOwner } from './draft.ts'
import { isNews, markDelivered } from './delivery.ts'
import {
  MAX_DECIDED_IDS,
  MAX_DECIDED_PATHS,
  MAX_DECISIONS,
  MAX_NOTE_LENGTH,
  MAX_WORKSPACE_DECISIONS,
} from './limits.ts'

/** What became of changes of a draft. */
export type DecisionOutcome = 'approved' | 'turned_down' | 'expired'

/** A decision on changes of a draft. */
export interface Decision {
  /** The public id of the draft. */
  readonly draft: string
  readonly outcome: DecisionOutcome
  /** The principal that decided. */
  readonly approver: string
  /** What the person wrote to the agent; may be empty. */
  readonly note: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Number of changes. */
  readonly changes: number
  /** Some of the paths that they concern. */
  readonly paths: readonly StorePath[]
  /** The ids of the changes, or of some of them. */
  readonly ids: readonly string[]
}

interface Row extends Record<string, SqlStorageValue> {
  draft: string
  outcome: string
  approver: string
  note: string
  at: number
  changes: number
  paths: string
  ids: string
}

const COLUMNS = 'draft, outcome, approver, note, at, changes, paths, ids'

/** The decisions of one workspace. */
export type Decisions = ReturnType<typeof createDecisions>

/** Opens the table of decisions. */
export function createDecisions(database: SqlStorage, has: Pick<Present, 'drafts'> = ANY) {
  const sql = tablesOf(database, 'drafts')
  /** Owners with decisions that were not reported yet: every call asks, and most have none. */
  let waiting = has.drafts ? readWaiting(sql) : new Set<string>()
  return {
    add: (owner: Pick<DraftOwner, 'key' | 'budget'>, decision: Decision) => {
      insert(sql, owner, decision)
      waiting.add(owner.key)
      // Old decisions of sessions that never call again are deleted.
      if (waiting.size > MAX_WORKSPACE_DECISIONS) waiting = readWaiting(sql)
    },
    /** The newest decisions of an owner, newest first. */
    of: (owner: string): Decision[] =>
      read(sql, 'owner = ? ORDER BY id DESC LIMIT ?', owner, MAX_DECISIONS),
    /** Whether something is to be reported to an owner. */
    hasNews: (owner: string) => waiting.has(owner),
    /** Returns what is to be reported to an owner, oldest first, in the answer of a request that came at `began`. */
    takeNews: (owner: string, began = Date.now()): Decision[] => {
      if (!waiting.has(owner)) return []
      const news = read(sql, `owner = ? AND ${isNews('reported')} ORDER BY id`, owner)
      if (!markDelivered(sql, DELIVERY, owner, began)) waiting.delete(owner)
      return news
    },
  }
}

const DELIVERY = { table: 'decisions', mark: 'reported', decided: 'at', key: 'owner' }

function readWaiting(sql: Tables): Set<string> {
  const rows = sql.exec<{ owner: string }>(
    `SELECT DISTINCT owner FROM decisions WHERE ${isNews('reported')}`,
  )
  return new Set(Array.from(rows, ({ owner }) => owner))
}

const DECISIONS: SharedRows = { table: 'decisions' }

function insert(
  sql: Tables,
  { key, budget }: Pick<DraftOwner, 'key' | 'budget'>,
  decision: Decision,
): void {
  const { draft, outcome, approver, note, at, changes, paths, ids } = decision
  sql.exec(
    `INSERT INTO decisions (owner, budget, ${COLUMNS}, reported)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
    key,
    budget,
    draft,
    outcome,
    approver,
    note.slice(0, MAX_NOTE_LENGTH).toWellFormed(),
    at,
    changes,
    JSON.stringify(paths.slice(0, MAX_DECIDED_PATHS)),
    JSON.stringify(ids.slice(0, MAX_DECIDED_IDS)),
  )
  keepNewest(sql, { ...DECISIONS, budget: 'owner' }, key, MAX_DECISIONS)
  keepShares(sql, DECISIONS, MAX_WORKSPACE_DECISIONS)
}

function read(sql: Tables, condition: string, ...bindings: (string | number)[]): Decision[] {
  const rows = sql.exec<Row>(`SELECT ${COLUMNS} FROM decisions WHERE ${condition}`, ...bindings)
  return Array.from(rows, ({ draft, outcome, approver, note, at, changes, paths, ids }) => ({
    draft,
    // Only `insert` writes rows.
    outcome: outcome as DecisionOutcome,
    approver,
    note,
    at,
    changes,
    // Only this module writes the rows.
    paths: JSON.parse(paths) as StorePath[],
    ids: JSON.parse(ids) as string[],
  }))
}
