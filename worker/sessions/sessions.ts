/**
 * Sessions: what a client may do, until when, and for which principal.
 *
 * A session is a row. A link's session has a secret, which is stored as a hash and shown once; a session of
 * the older protocol era has its `initialize` request. A child is alive only while every session above it is,
 * so a parent's end needs no update of its children.
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
import {
  MAX_ALLOWED_SCOPES,
  MAX_KNOWN_INITIALIZE_LENGTH,
  MAX_KNOWN_SESSIONS,
  MAX_LABEL_LENGTH,
} from './limits.ts'

/** Cuts the name that a client gives itself to the longest name of a session. */
export function cutLabel(name: string): string {
  return name.slice(0, MAX_LABEL_LENGTH).toWellFormed()
}

/** The only file that a transfer link gives access to. */
export interface Transfer {
  readonly path: StorePath
  readonly direction: 'download' | 'upload'
}

/** A session, as it is stored. Times are in milliseconds since 1970. */
export interface Session {
  readonly id: string
  /** The id of the session it was created from; null at the top of a chain. */
  readonly parent: string | null
  readonly principal: string
  /** A name for people; untrusted. */
  readonly label: string
  /** The client configuration of a legacy `initialize`, as JSON; null without one. */
  readonly config: unknown
  /** JSON that restricts the access of the sessions above. */
  readonly policy: unknown
  /** The largest access it may have; null is that of the sessions above. */
  readonly scopes: readonly string[] | null
  /** Restrictions of the call that created it, beyond those of the sessions above. */
  readonly inherited: Inherited | null
  /** The principal whose share of sessions it takes. */
  readonly budget: string
  /** The first request of a legacy session; null for every other. */
  readonly initialize: unknown
  /** Set for a transfer link; null for a session that speaks MCP. */
  readonly transfer: Transfer | null
  readonly created: number
  /** Null for a session that expires only when it is idle. */
  readonly expires: number | null
  /** Scopes that the owner allowed beyond all of this, for this session and for none below it. */
  readonly allowed?: readonly string[]
  /** The scopes of the token with which it was last used; absent if it was used without one. */
  readonly token?: readonly string[]
}

/** Restrictions of the call that created a session, as JSON. */
export interface Inherited {
  readonly config?: unknown
  readonly policy?: unknown
  /** Denied scopes, as text. */
  readonly denied?: readonly string[]
}

/** How a session began: with a link to MCP, a link to one file, a sign-in, or a legacy `initialize`. */
export type SessionKind = 'link' | 'transfer' | 'grant' | 'client'

/** A session as lists show it. */
export type Listed = Session & {
  readonly kind: SessionKind
  /** How often a transfer link was used. */
  readonly uses: number
}

/** A session that is not stored yet. The id is random by default. */
export type NewSession = Omit<Session, 'id' | 'created' | 'transfer' | 'allowed' | 'token'> & {
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
  allowed: string | null
  token: string | null
}

const HOUR_MS = 60 * 60 * 1000
const COLUMNS =
  'id, parent, principal, label, config, policy, scopes, inherited, budget, initialize, transfer, created, expires, seen'
const STORED = `${COLUMNS}, allowed, token`

/** The sessions of one workspace. */
export type Sessions = ReturnType<typeof createSessions>

/** The sessions table, and who is informed when a session ends. */
interface SessionsContext {
  readonly sql: SqlStorage
  /** Sessions whose rows were read and have not changed since. */
  readonly known: Map<string, KnownSession>
  readonly ended: (id: string) => void
}

/** Manages the sessions of one workspace. `ended` is called with the id of each session that is deleted. */
export function createSessions(sql: SqlStorage, ended: (id: string) => void = () => {}) {
  const context: SessionsContext = { sql, known: new Map(), ended }
  return {
    make: (session: NewSession, secret: Uint8Array | null) => make(context, session, secret),
    find: (id: string) => find(context, id),
    findBySecret: (hash: Uint8Array) =>
      findAlive(context, `SELECT ${STORED} FROM sessions WHERE secret = ?`, hash),
    chainOf: (session: Session) => findChain(context, session),
    /** Whether a session that was found is kept in memory. A large one is not, nor what is computed from it. */
    keeps: ({ id }: Session) => context.known.has(id),
    countUse: (id: string) => countUse(context, id),
    allow: (id: string, scopes: readonly string[]) => allow(context, id, scopes),
    takeBack: (id: string, scope: string | null) => takeBack(context, id, scope),
    rememberToken: (session: Session, scopes: readonly string[]) =>
      rememberToken(context, session, scopes),
    end: (id: string) => end(context, id),
    list: (limit: number) => list(context, limit),
  }
}

/** Creates a session; `secret` is the hash of its link's secret. */
function make(context: SessionsContext, session: NewSession, secret: Uint8Array | null): Session {
  makeRoom(context, session)
  if (session.id !== undefined) context.known.delete(session.id)
  const made: Session = {
    ...session,
    id: session.id ?? crypto.randomUUID(),
    transfer: session.transfer ?? null,
    created: Date.now(),
  }
  context.sql.exec(
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

/** A session whose row was read, with the columns that decide whether it is alive. */
interface KnownSession extends Pick<Row, 'id' | 'expires' | 'seen'> {
  readonly session: Session
}

/**
 * Returns a live session. A row is read once: only this module writes the table, and it forgets what it changes.
 */
function find(context: SessionsContext, id: string): Session | null {
  const known = context.known.get(id)
  if (!known) return findAlive(context, `SELECT ${STORED} FROM sessions WHERE id = ?`, id)
  return isAlive(context, known) ? known.session : null
}

/** Returns a live session. */
function findAlive(
  context: SessionsContext,
  query: string,
  key: string | Uint8Array,
): Session | null {
  const row = context.sql.exec<Row>(query, key).toArray()[0]
  if (!row || !isAlive(context, row)) return null
  const session = sessionOf(row)
  keep(context, session, row)
  return session
}

function keep({ known }: SessionsContext, session: Session, row: Row): void {
  const { id, expires, seen, initialize } = row
  if (initialize !== null && initialize.length > MAX_KNOWN_INITIALIZE_LENGTH) return
  if (known.size >= MAX_KNOWN_SESSIONS) known.clear()
  known.set(id, { id, expires, seen, session })
}

/** Whether a session is alive. Records its use at most once an hour. */
function isAlive({ sql }: SessionsContext, row: Pick<Row, 'id' | 'expires' | 'seen'>): boolean {
  const { id, expires, seen } = row
  const now = Date.now()
  const idle = expires === null && now - seen > SESSION_IDLE_HOURS * HOUR_MS
  if (idle || (expires !== null && expires <= now)) return false
  if (now - seen > HOUR_MS) {
    sql.exec('UPDATE sessions SET seen = ? WHERE id = ?', now, id)
    row.seen = now
  }
  return true
}

/** Returns a session and those above it, topmost first; null unless all of them are alive. */
function findChain(context: SessionsContext, session: Session): Session[] | null {
  const chain = [session]
  for (let at = session; at.parent !== null;) {
    const parent = find(context, at.parent)
    if (!parent || chain.length > MAX_DELEGATION_DEPTH) return null
    chain.unshift(parent)
    at = parent
  }
  return chain
}

/**
 * Stores what the owner allowed a session, beside what was allowed before. Returns false if there would be more
 * than {@link MAX_ALLOWED_SCOPES}, or the session is not alive or a transfer link.
 */
function allow(context: SessionsContext, id: string, scopes: readonly string[]): boolean {
  const session = find(context, id)
  if (!session || session.transfer || !findChain(context, session)) return false
  const allowed = [...new Set([...(session.allowed ?? []), ...scopes])]
  if (allowed.length > MAX_ALLOWED_SCOPES) return false
  context.known.delete(id)
  context.sql.exec('UPDATE sessions SET allowed = ? WHERE id = ?', json(allowed), id)
  return true
}

/** Takes back one scope that the owner allowed a session, or all with null. Returns those that it had. */
function takeBack(context: SessionsContext, id: string, scope: string | null): readonly string[] {
  const allowed = find(context, id)?.allowed ?? []
  const isTaken = (one: string) => scope === null || one === scope
  const taken = allowed.filter(isTaken)
  const left = allowed.filter((one) => !isTaken(one))
  if (taken.length === 0) return taken
  context.known.delete(id)
  context.sql.exec(
    'UPDATE sessions SET allowed = ? WHERE id = ?',
    left.length > 0 ? json(left) : null,
    id,
  )
  return taken
}

/** Stores the scopes of the token that a request came with, if they are not those of the last one. */
function rememberToken(
  { sql, known }: SessionsContext,
  { id, token }: Session,
  scopes: readonly string[],
): void {
  const text = JSON.stringify(scopes)
  if (JSON.stringify(token) === text) return
  known.delete(id)
  sql.exec('UPDATE sessions SET token = ? WHERE id = ?', text, id)
}

/** Ends a session and every session below it. Returns false for an unknown id. */
function end(context: SessionsContext, id: string): boolean {
  const { rowsWritten } = context.sql.exec('DELETE FROM sessions WHERE id = ?', id)
  if (rowsWritten === 0) return false
  context.known.delete(id)
  context.ended(id)
  const children = context.sql
    .exec<{ id: string }>('SELECT id FROM sessions WHERE parent = ?', id)
    .toArray()
  for (const child of children) end(context, child.id)
  return true
}

/** Counts a use of a transfer link. Answers how many there were. */
function countUse(context: SessionsContext, id: string): number {
  const query = 'UPDATE sessions SET uses = uses + 1 WHERE id = ? RETURNING uses'
  return context.sql.exec<{ uses: number }>(query, id).toArray()[0]?.uses ?? 0
}

/** Lists sessions, newest first. */
function list(context: SessionsContext, limit: number): Listed[] {
  const rows = context.sql.exec<ListedRow>(
    `SELECT ${STORED}, uses, secret IS NOT NULL AS linked FROM sessions
     ORDER BY parent IS NOT NULL, transfer IS NOT NULL, created DESC LIMIT ?`,
    limit,
  )
  return rows.toArray().map((row) => ({ ...sessionOf(row), kind: kindOf(row), uses: row.uses }))
}

/**
 * Ends expired and idle sessions, and makes room for one more. A principal at its limit loses the session
 * of the same kind that it has not used for longest; when the workspace is full, the principal with the
 * most sessions does.
 */
function makeRoom(context: SessionsContext, { budget, initialize }: NewSession): void {
  const now = Date.now()
  endAll(
    context,
    'SELECT id FROM sessions WHERE expires <= ? OR (expires IS NULL AND seen < ?)',
    now,
    now - SESSION_IDLE_HOURS * HOUR_MS,
  )
  endOldest(context, budget, MAX_SESSIONS - 1, initialize !== null)
  const { count } = context.sql
    .exec<{ count: number }>('SELECT count(*) AS count FROM sessions')
    .one()
  if (count < MAX_WORKSPACE_SESSIONS) return
  const [largest] = context.sql
    .exec<{ budget: string; count: number }>(
      'SELECT budget, count(*) AS count FROM sessions GROUP BY budget ORDER BY count DESC LIMIT 1',
    )
    .toArray()
  if (largest) endOldest(context, largest.budget, largest.count - 1)
}

/** Ends the sessions of a principal beyond its newest ones: legacy sessions, all others, or all. */
function endOldest(
  context: SessionsContext,
  budget: string,
  kept: number,
  ofClients?: boolean,
): void {
  const kind = ofClients === undefined ? '' : `AND initialize IS ${ofClients ? 'NOT ' : ''}NULL`
  endAll(
    context,
    `SELECT id FROM sessions WHERE budget = ? ${kind} ORDER BY seen DESC LIMIT -1 OFFSET ?`,
    budget,
    kept,
  )
}

function endAll(context: SessionsContext, query: string, ...bindings: (string | number)[]): void {
  for (const { id } of context.sql.exec<{ id: string }>(query, ...bindings).toArray())
    end(context, id)
}

function sessionOf(row: Row): Session {
  const { id, parent, principal, label, created, expires } = row
  return {
    id,
    parent,
    principal,
    label,
    config: parseJson(row.config),
    policy: parseJson(row.policy),
    // Written by `make`, which takes nothing else.
    scopes: parseJson(row.scopes) as string[] | null,
    inherited: parseJson(row.inherited) as Inherited | null,
    budget: row.budget,
    initialize: parseJson(row.initialize),
    transfer: parseJson(row.transfer) as Transfer | null,
    created,
    expires,
    ...(row.allowed !== null && { allowed: parseJson(row.allowed) as string[] }),
    ...(row.token !== null && { token: parseJson(row.token) as string[] }),
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

function parseJson(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}
