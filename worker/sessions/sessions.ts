/**
 * Sessions: who may do what, for how long, and on whose behalf.
 *
 * A session is a row. One made for a link has a secret, which is stored as a hash and shown once; one
 * of the older protocol era has the `initialize` request it began with. A child stands under its
 * parent: it is alive only while every session above it is, so nothing has to be told to the
 * children when a parent ends.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import {
  MAX_DELEGATION_DEPTH,
  MAX_SESSIONS,
  MAX_WORKSPACE_SESSIONS,
  SESSION_IDLE_HOURS,
} from '../limits.ts'

/** The one file that a link is for, when it opens nothing else. */
export interface Transfer {
  readonly path: StorePath
  readonly direction: 'download' | 'upload'
}

export interface Session {
  readonly id: string
  readonly parent: string | null
  readonly principal: string
  readonly label: string
  /** JSON that is laid over the workspace's configuration. */
  readonly config: unknown
  /** JSON that restricts what holds above. */
  readonly policy: unknown
  /** What it may touch at most; null is what holds above. */
  readonly scopes: readonly string[] | null
  /** What restricted the call that made it, beyond what restricts the session above. */
  readonly inherited: Inherited | null
  /** The principal whose share of sessions it takes. */
  readonly budget: string
  /** The request that a session of the older era began with. */
  readonly initialize: unknown
  /** Of a transfer link; null for a session that speaks MCP. */
  readonly transfer: Transfer | null
  readonly created: number
  readonly expires: number | null
}

/** Restrictions of the call that made a session, as JSON. */
export interface Inherited {
  readonly config?: unknown
  readonly policy?: unknown
  readonly denied?: readonly string[]
}

/** How somebody comes by a session: with a link to MCP or to one file, by signing in, or as a client of the older era. */
export type SessionKind = 'link' | 'transfer' | 'grant' | 'client'

export type Listed = Session & {
  readonly kind: SessionKind
  /** How often a transfer link was used. */
  readonly uses: number
}

export type NewSession = Omit<Session, 'id' | 'created' | 'transfer'> & {
  readonly id?: string
  readonly transfer?: Transfer | null
}

interface Row extends Record<string, SqlStorageValue> {
  id: string
  parent: string | null
  principal: string
  label: string
  config: string | null
  policy: string | null
  scopes: string | null
  inherited: string | null
  budget: string
  initialize: string | null
  transfer: string | null
  created: number
  expires: number | null
  seen: number
}

const HOUR_MS = 60 * 60 * 1000
const COLUMNS =
  'id, parent, principal, label, config, policy, scopes, inherited, budget, initialize, transfer, created, expires, seen'

export type Sessions = ReturnType<typeof createSessions>

/** `ended` is told of sessions that are gone. */
export function createSessions(sql: SqlStorage, ended: (id: string) => void = () => {}) {
  /** Makes a session; `secret` is the hash of a link's secret. */
  function make(session: NewSession, secret: Uint8Array | null): Session {
    makeRoom(session)
    const made: Session = {
      ...session,
      id: session.id ?? crypto.randomUUID(),
      transfer: session.transfer ?? null,
      created: Date.now(),
    }
    sql.exec(
      `INSERT INTO sessions (secret, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      secret,
      made.id,
      made.parent,
      made.principal,
      made.label,
      json(made.config),
      json(made.policy),
      json(made.scopes),
      json(made.inherited),
      made.budget,
      json(made.initialize),
      json(made.transfer),
      made.created,
      made.expires,
      made.created,
    )
    return made
  }

  const find = (id: string) => first(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`, id)
  const findBySecret = (hash: Uint8Array) =>
    first(`SELECT ${COLUMNS} FROM sessions WHERE secret = ?`, hash)

  /** A session that is alive; tells the table that it is in use, at most once an hour. */
  function first(query: string, key: string | Uint8Array): Session | null {
    const row = sql.exec<Row>(query, key).toArray()[0]
    const now = Date.now()
    if (!row) return null
    const idle = row.expires === null && now - row.seen > SESSION_IDLE_HOURS * HOUR_MS
    if (idle || (row.expires !== null && row.expires <= now)) return null
    if (now - row.seen > HOUR_MS) sql.exec('UPDATE sessions SET seen = ? WHERE id = ?', now, row.id)
    return sessionOf(row)
  }

  /** A session and those above it, from the top; null unless all of them are alive. */
  function chainOf(session: Session): Session[] | null {
    const chain = [session]
    for (let at = session; at.parent !== null;) {
      const parent = find(at.parent)
      if (!parent || chain.length > MAX_DELEGATION_DEPTH) return null
      chain.unshift(parent)
      at = parent
    }
    return chain
  }

  /** Ends a session and everything under it. */
  function end(id: string): boolean {
    const { rowsWritten } = sql.exec('DELETE FROM sessions WHERE id = ?', id)
    if (rowsWritten === 0) return false
    ended(id)
    const children = sql
      .exec<{ id: string }>('SELECT id FROM sessions WHERE parent = ?', id)
      .toArray()
    for (const child of children) end(child.id)
    return true
  }

  /** Counts a use of a transfer link. Answers how many there were. */
  function countUse(id: string): number {
    const query = 'UPDATE sessions SET uses = uses + 1 WHERE id = ? RETURNING uses'
    return sql.exec<{ uses: number }>(query, id).toArray()[0]?.uses ?? 0
  }

  /** The sessions there are: first those that no session made, transfer links last; newest first. */
  function list(limit: number): Listed[] {
    const rows = sql.exec<ListedRow>(
      `SELECT ${COLUMNS}, uses, secret IS NOT NULL AS linked FROM sessions
       ORDER BY parent IS NOT NULL, transfer IS NOT NULL, created DESC LIMIT ?`,
      limit,
    )
    return rows.toArray().map((row) => ({ ...sessionOf(row), kind: kindOf(row), uses: row.uses }))
  }

  /**
   * Ends what has expired, and makes room for one more. A principal whose share is used up loses the session
   * of the same kind that it has not used for longest; where the workspace is full, the principal with the most does.
   */
  function makeRoom({ budget, initialize }: NewSession): void {
    const now = Date.now()
    endAll(
      'SELECT id FROM sessions WHERE expires <= ? OR (expires IS NULL AND seen < ?)',
      now,
      now - SESSION_IDLE_HOURS * HOUR_MS,
    )
    endOldest(budget, MAX_SESSIONS - 1, initialize !== null)
    const { count } = sql.exec<{ count: number }>('SELECT count(*) AS count FROM sessions').one()
    if (count < MAX_WORKSPACE_SESSIONS) return
    const [largest] = sql
      .exec<{ budget: string; count: number }>(
        'SELECT budget, count(*) AS count FROM sessions GROUP BY budget ORDER BY count DESC LIMIT 1',
      )
      .toArray()
    if (largest) endOldest(largest.budget, largest.count - 1)
  }

  /** Ends the sessions of a principal beyond its newest ones; of clients of the older era, or of all others. */
  function endOldest(budget: string, kept: number, ofClients?: boolean): void {
    const kind = ofClients === undefined ? '' : `AND initialize IS ${ofClients ? 'NOT ' : ''}NULL`
    endAll(
      `SELECT id FROM sessions WHERE budget = ? ${kind} ORDER BY seen DESC LIMIT -1 OFFSET ?`,
      budget,
      kept,
    )
  }

  function endAll(query: string, ...bindings: (string | number)[]): void {
    for (const { id } of sql.exec<{ id: string }>(query, ...bindings).toArray()) end(id)
  }

  return { make, find, findBySecret, chainOf, countUse, end, list }
}

function sessionOf(row: Row): Session {
  const { id, parent, principal, label, created, expires } = row
  return {
    id,
    parent,
    principal,
    label,
    config: parsed(row.config),
    policy: parsed(row.policy),
    // Written by `make`, which takes nothing else.
    scopes: parsed(row.scopes) as string[] | null,
    inherited: parsed(row.inherited) as Inherited | null,
    budget: row.budget,
    initialize: parsed(row.initialize),
    transfer: parsed(row.transfer) as Transfer | null,
    created,
    expires,
  }
}

type ListedRow = Row & { linked: number; uses: number }

function kindOf({ initialize, transfer, linked }: ListedRow): SessionKind {
  if (initialize !== null) return 'client'
  if (transfer !== null) return 'transfer'
  return linked === 1 ? 'link' : 'grant'
}

function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}

function parsed(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}
