/**
 * The list of sessions, which is bounded: by their number, and by what clients and agents sent to make them.
 *
 * @module
 */

import { MAX_SESSIONS } from '../limits.ts'
import { MAX_SESSION_LIST_LENGTH } from './limits.ts'
import { kindOf, LISTED, sessionOf, type ListedRow } from './session-row.ts'
import type { Listed, SessionList } from '../access/session.ts'

/**
 * Lists sessions, those of no client and with none above them first, and then the newest first: of each budget in
 * turn, so that those below one link hide none below another.
 */
export function listSessions(sql: SqlStorage): SessionList {
  const ids = sql.exec<{ id: string }>(
    `SELECT id FROM sessions
     ORDER BY parent IS NOT NULL, initialize IS NOT NULL, transfer IS NOT NULL,
       row_number() OVER (PARTITION BY budget ORDER BY created DESC), created DESC LIMIT ?`,
    MAX_SESSIONS,
  )
  const sessions: Listed[] = []
  let length = 0
  for (const { id } of ids.toArray()) {
    // One after the other, because the rows of all sessions together do not fit into memory.
    const row = sql.exec<ListedRow>(`SELECT ${LISTED} FROM sessions WHERE id = ?`, id).one()
    length += JSON.stringify(row).length
    if (length > MAX_SESSION_LIST_LENGTH) break
    sessions.push({ ...sessionOf(row), kind: kindOf(row), uses: row.uses })
  }
  return { sessions, left: countSessions(sql) - sessions.length }
}

export const countSessions = (sql: SqlStorage) =>
  sql.exec<{ count: number }>('SELECT count(*) AS count FROM sessions').one().count
