/**
 * Decisions on drafts, as the agent learns of them: approved, turned down with a note, or expired.
 *
 * Each is reported in the next result of the session (`worker/decisions/reports.ts`), and remains in the status of its draft
 * for a while.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { AmendedPath, Decision, DraftOwner } from '../access/draft.ts'
import { ANY, type Present } from '../store/open/opening.ts'
import { keepNewest, keepShares, type SharedRows } from '../database/shares.ts'
import { tablesOf, type Tables } from '../database/table-groups.ts'
import { isNews, type NewsRow } from '../decisions/delivery.ts'
import { createReports } from '../decisions/reports.ts'
import {
  MAX_DECIDED_IDS,
  MAX_DECIDED_PATHS,
  MAX_DECISIONS,
  MAX_NOTE_LENGTH,
  MAX_WORKSPACE_DECISIONS,
} from './limits.ts'

/** The outcome of the row that counts decisions that were dropped before they were reported. */
const LOST: Decision['outcome'] = 'lost'

interface Row extends Record<string, SqlStorageValue> {
  draft: string
  outcome: string
  approver: string
  note: string
  at: number
  changes: number
  paths: string
  ids: string
  amended: string
}

const COLUMNS = 'draft, outcome, approver, note, at, changes, paths, ids, amended'

/** The decisions of one workspace. */
export type Decisions = ReturnType<typeof createDecisions>

/** Opens the table of decisions. */
export function createDecisions(database: SqlStorage, has: Pick<Present, 'drafts'> = ANY) {
  const sql = tablesOf(database, 'drafts')
  const reports = createReports<Decision>(
    sql,
    { ...REPORTED, read: (where, owner) => read(sql, where, owner), most: MAX_WORKSPACE_DECISIONS },
    !has.drafts,
  )
  return {
    add: (owner: Pick<DraftOwner, 'key' | 'budget'>, decision: Decision) => {
      insert(sql, owner, decision)
      reports.add(owner.key)
    },
    /** The newest decisions of an owner, newest first. */
    of: (owner: string): Decision[] =>
      read(sql, `owner = ? AND ${MADE} ORDER BY id DESC LIMIT ?`, owner, MAX_DECISIONS).map(
        ({ one }) => one,
      ),
    /** Moves the decisions on a draft from one owner to another, without the news of earlier moves. */
    move: (draft: string, from: string, to: string): void => {
      const query = `UPDATE decisions SET owner = ?
        WHERE owner = ? AND draft = ? AND outcome NOT IN ('moved_away', 'moved_here')`
      if (sql.exec(query, to, from, draft).rowsWritten > 0) reports.add(to)
    },
    hasNews: reports.hasNews,
    takeNews: reports.takeNews,
  }
}

const REPORTED = {
  table: 'decisions',
  mark: 'reported',
  decided: 'at',
  key: 'owner',
  id: 'id',
  order: 'id',
}

const MADE = `outcome <> '${LOST}'`

/** What was reported is dropped first, and of the others what was turned down last: its note tells the agent what to do. */
const DECISIONS: SharedRows = {
  table: 'decisions',
  age: `id + 1000000000000 * CASE WHEN reported = 1 OR outcome IN ('${LOST}', 'moved_away', 'moved_here') THEN 0
    WHEN outcome = 'approved' THEN 1 ELSE 2 END`,
}

function insert(
  sql: Tables,
  { key, budget }: Pick<DraftOwner, 'key' | 'budget'>,
  decision: Decision,
): void {
  const { draft, outcome, approver, note, at, changes, paths, ids, amended = [] } = decision
  sql.exec(
    `INSERT INTO decisions (owner, budget, ${COLUMNS}, reported)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
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
    JSON.stringify(amended),
  )
  const unreported = countUnreported(sql, key)
  keepNewest(sql, { ...DECISIONS, budget: 'owner', where: MADE }, key, MAX_DECISIONS)
  countLost(sql, { key, budget }, unreported - countUnreported(sql, key))
  keepShares(sql, DECISIONS, MAX_WORKSPACE_DECISIONS)
}

const countUnreported = (sql: Tables, owner: string) =>
  read(sql, `owner = ? AND ${MADE} AND ${isNews('reported')}`, owner).length

/** Counts decisions that were dropped before they were reported, in one row of their owner. */
function countLost(
  sql: Tables,
  { key, budget }: Pick<DraftOwner, 'key' | 'budget'>,
  lost: number,
): void {
  if (lost === 0) return
  const counted = sql.exec(
    `UPDATE decisions SET changes = changes * (reported <> 1) + ?, reported = 0
     WHERE owner = ? AND outcome = '${LOST}' RETURNING id`,
    lost,
    key,
  )
  if (counted.toArray().length > 0) return
  sql.exec(
    `INSERT INTO decisions (owner, budget, ${COLUMNS}, reported)
     VALUES (?, ?, '', '${LOST}', '', '', ?, ?, '[]', '[]', '[]', 0)`,
    ...[key, budget, Date.now(), lost],
  )
}

function read(
  sql: Tables,
  condition: string,
  ...bindings: (string | number)[]
): NewsRow<Decision>[] {
  const rows = sql.exec<Row & { id: number; reported: number }>(
    `SELECT id, reported, ${COLUMNS} FROM decisions WHERE ${condition}`,
    ...bindings,
  )
  return Array.from(rows, ({ id, reported, ...row }) => ({
    id,
    mark: reported,
    one: decisionOf(row),
  }))
}

function decisionOf({ draft, approver, note, at, changes, ...row }: Row): Decision {
  const amended = JSON.parse(row.amended) as AmendedPath[]
  return {
    ...{ draft, approver, note, at, changes },
    ...(amended.length > 0 && { amended }),
    // Only this module writes the rows.
    outcome: row.outcome as Decision['outcome'],
    paths: JSON.parse(row.paths) as StorePath[],
    ids: JSON.parse(row.ids) as string[],
  }
}
