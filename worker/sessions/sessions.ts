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

import { MAX_DELEGATION_DEPTH, MAX_SESSIONS, SESSION_IDLE_HOURS } from '../limits.ts'

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
  /** The request that a session of the older era began with. */
  readonly initialize: unknown
  readonly created: number
  readonly expires: number | null
}

/** How somebody comes by a session: with a link, by signing in, or as a client of the older era. */
export type SessionKind = 'link' | 'grant' | 'client'

export type Listed = Session & { readonly kind: SessionKind }

export type NewSession = Omit<Session, 'id' | 'created'> & { readonly id?: string }

interface Row extends Record<string, SqlStorageValue> {
  id: string
  parent: string | null
  principal: string
  label: string
  config: string | null
  policy: string | null
  scopes: string | null
  initialize: string | null
  created: number
  expires: number | null
  seen: number
}

const HOUR_MS = 60 * 60 * 1000
const COLUMNS =
  'id, parent, principal, label, config, policy, scopes, initialize, created, expires, seen'

export type Sessions = ReturnType<typeof createSessions>

/** `ended` is told of sessions that are gone. */
export function createSessions(sql: SqlStorage, ended: (id: string) => void = () => {}) {
  /** Makes a session; `secret` is the hash of a link's secret. */
  function make(session: NewSession, secret: Uint8Array | null): Session {
    makeRoom()
    const made: Session = { ...session, id: session.id ?? crypto.randomUUID(), created: Date.now() }
    sql.exec(
      `INSERT INTO sessions (secret, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      secret,
      made.id,
      made.parent,
      made.principal,
      made.label,
      json(made.config),
      json(made.policy),
      json(made.scopes),
      json(made.initialize),
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

  /** The sessions there are, newest first. */
  function list(limit: number): Listed[] {
    const rows = sql.exec<Row & { linked: number }>(
      `SELECT ${COLUMNS}, secret IS NOT NULL AS linked FROM sessions ORDER BY created DESC LIMIT ?`,
      limit,
    )
    return rows.toArray().map((row) => ({ ...sessionOf(row), kind: kindOf(row) }))
  }

  /** Lets go of what is over, and of what was idle longest when there are too many. */
  function makeRoom(): void {
    const now = Date.now()
    const over = sql.exec<{ id: string }>(
      `SELECT id FROM sessions WHERE expires <= ? OR (expires IS NULL AND seen < ?) OR id IN (
         SELECT id FROM sessions ORDER BY seen DESC LIMIT -1 OFFSET ?)`,
      now,
      now - SESSION_IDLE_HOURS * HOUR_MS,
      MAX_SESSIONS - 1,
    )
    for (const { id } of over.toArray()) end(id)
  }

  return { make, find, findBySecret, chainOf, end, list }
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
    initialize: parsed(row.initialize),
    created,
    expires,
  }
}

function kindOf({ initialize, linked }: Row & { linked: number }): SessionKind {
  if (initialize !== null) return 'client'
  return linked === 1 ? 'link' : 'grant'
}

function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}

function parsed(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}
