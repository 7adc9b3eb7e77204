/**
 * Makes room for one more session: which of them end, so that no principal takes the share of the others.
 *
 * @module
 */

import { MAX_SESSIONS, MAX_WORKSPACE_SESSIONS, SESSION_IDLE_HOURS } from '../limits.ts'
import { countSessions } from './list-sessions.ts'
import type { NewSession } from './session.ts'

const HOUR_MS = 60 * 60 * 1000

/** The table of sessions, and how one is ended with all below it. */
interface Room {
  readonly sql: SqlStorage
  readonly end: (id: string) => void
}

/**
 * Ends expired and idle sessions, and makes room for one more. A principal at its limit loses the session
 * of the same kind that it has not used for longest; when the workspace is full, the principal with the
 * most sessions does.
 */
export function makeRoom(room: Room, { budget, initialize }: NewSession): void {
  const now = Date.now()
  endAll(
    room,
    'SELECT id FROM sessions WHERE expires <= ? OR (expires IS NULL AND seen < ?)',
    now,
    now - SESSION_IDLE_HOURS * HOUR_MS,
  )
  endOldest(room, budget, MAX_SESSIONS - 1, initialize !== null)
  if (countSessions(room.sql) < MAX_WORKSPACE_SESSIONS) return
  const [largest] = room.sql
    .exec<{ budget: string; count: number }>(
      'SELECT budget, count(*) AS count FROM sessions GROUP BY budget ORDER BY count DESC LIMIT 1',
    )
    .toArray()
  if (largest) endOldest(room, largest.budget, largest.count - 1)
}

/** Ends the sessions of a principal beyond its newest ones: legacy sessions, all others, or all. */
function endOldest(room: Room, budget: string, kept: number, ofClients?: boolean): void {
  const kind = ofClients === undefined ? '' : `AND initialize IS ${ofClients ? 'NOT ' : ''}NULL`
  endAll(
    room,
    `SELECT id FROM sessions WHERE budget = ? ${kind} ORDER BY seen DESC LIMIT -1 OFFSET ?`,
    budget,
    kept,
  )
}

function endAll({ sql, end }: Room, query: string, ...bindings: (string | number)[]): void {
  for (const { id } of sql.exec<{ id: string }>(query, ...bindings).toArray()) end(id)
}
