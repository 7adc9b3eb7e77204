/**
 * Makes room for one more session: which of them end, so that no principal takes the share of the others.
 *
 * @module
 */

import { MAX_SESSIONS, MAX_WORKSPACE_SESSIONS, SESSION_IDLE_HOURS } from '../limits.ts'
import { findExcess, type SharedRows } from '../database/shares.ts'
import type { NewSession } from '../access/session.ts'

const HOUR_MS = 60 * 60 * 1000

/** The table of sessions, and how one is ended with all below it. */
interface Room {
  readonly sql: SqlStorage
  readonly end: (id: string) => void
}

const SESSIONS: SharedRows = { table: 'sessions', age: 'seen' }

/**
 * Ends expired and idle sessions, and makes room for one more. A principal at its limit loses the session
 * of the same kind that it has not used for longest; of clients, one with the name that has the most. When the
 * workspace is full, the principal with the most sessions does.
 */
export function makeRoom({ sql, end }: Room, { budget, initialize }: NewSession): void {
  const now = Date.now()
  const over = sql.exec<{ id: string }>(
    'SELECT id FROM sessions WHERE expires <= ? OR (expires IS NULL AND seen < ?)',
    now,
    now - SESSION_IDLE_HOURS * HOUR_MS,
  )
  for (const { id } of over.toArray()) end(id)
  const isOfClient = initialize !== null
  const own: SharedRows = {
    ...SESSIONS,
    // The name is a claim, and the only difference between clients that did not sign in.
    budget: isOfClient ? 'label' : 'budget',
    where: `budget = ? AND initialize IS ${isOfClient ? 'NOT NULL' : 'NULL'}`,
    values: [budget],
  }
  for (const id of findExcess(sql, own, MAX_SESSIONS - 1)) end(String(id))
  for (const id of findExcess(sql, SESSIONS, MAX_WORKSPACE_SESSIONS - 1)) end(String(id))
}
