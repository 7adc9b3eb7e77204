/**
 * The sessions of a workspace: rows that this module alone writes.
 *
 * A link's session has a secret, which is stored as a hash and shown once; a session of the older protocol era has
 * its `initialize` request. A child is alive only while every session above it is, so a parent's end needs no update
 * of its children.
 *
 * @module
 */

import type { SessionNames } from '#core/actor.ts'
import { MAX_DELEGATION_DEPTH, SESSION_IDLE_HOURS } from '../limits.ts'
import { MAX_ALLOWED_SCOPES, MAX_KNOWN_SESSION_LENGTH, MAX_KNOWN_SESSIONS } from './limits.ts'
import { listSessions } from './list-sessions.ts'
import { makeRoom } from './make-room.ts'
import { COLUMNS, json, lengthOf, sessionOf, STORED, valuesOf, type Row } from './session-row.ts'
import { nameSession, type NewSession, type Session } from '../access/session.ts'

const HOUR_MS = 60 * 60 * 1000

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
    /** Names a session; null unless it is alive. */
    namesOf: (id: string | null) => findNames(context, id),
    chainOf: (session: Session) => findChain(context, session),
    /** When the use of a session was recorded last, which this is none of; null unless it is alive. */
    lastSeen: (id: string) => lastSeen(context, id),
    /** Records a use of a session now. */
    see: (id: string) => see(context, id),
    /** Whether a session that was found is kept in memory. A large one is not, nor what is computed from it. */
    keeps: ({ id }: Session) => context.known.has(id),
    countUse: (id: string) => countUse(context, id),
    allow: (id: string, scopes: readonly string[]) => allow(context, id, scopes),
    takeBack: (id: string, scope: string | null) => takeBack(context, id, scope),
    rememberToken: (session: Session, scopes: readonly string[]) =>
      rememberToken(context, session, scopes),
    end: (id: string) => end(context, id),
    list: () => listSessions(sql),
  }
}

/** Creates a session; `secret` is the hash of its link's secret. */
function make(context: SessionsContext, session: NewSession, secret: Uint8Array | null): Session {
  makeRoom({ sql: context.sql, end: (id) => end(context, id) }, session)
  if (session.id !== undefined) context.known.delete(session.id)
  const made: Session = {
    ...session,
    id: session.id ?? crypto.randomUUID(),
    transfer: session.transfer ?? null,
    created: Date.now(),
  }
  const places = ', ?'.repeat(COLUMNS.length)
  context.sql.exec(
    `INSERT INTO sessions (secret, ${COLUMNS.join()}) VALUES (?${places})`,
    secret,
    ...valuesOf(made),
  )
  return made
}

/** A session whose row was read, with the columns that decide whether it is alive. */
interface KnownSession extends Pick<Row, 'id' | 'parent' | 'expires' | 'seen'> {
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

function findNames(context: SessionsContext, id: string | null): SessionNames | null {
  const session = id === null ? null : find(context, id)
  const above = session?.parent == null ? null : find(context, session.parent)
  return session && nameSession(session, above)
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
  const { id, parent, expires, seen } = row
  if (lengthOf(row) > MAX_KNOWN_SESSION_LENGTH) return
  if (known.size >= MAX_KNOWN_SESSIONS) known.clear()
  known.set(id, { id, parent, expires, seen, session })
}

type SeenRow = Pick<Row, 'id' | 'expires' | 'seen'>

/** Whether a session is alive. Records its use at most once an hour. */
function isAlive({ sql }: SessionsContext, row: SeenRow): boolean {
  const now = Date.now()
  if (isOver(row, now)) return false
  if (now - row.seen > HOUR_MS) recordUse(sql, row, now)
  return true
}

const isOver = ({ expires, seen }: SeenRow, now: number) =>
  expires === null ? now - seen > SESSION_IDLE_HOURS * HOUR_MS : expires <= now

function recordUse(sql: SqlStorage, row: SeenRow, now: number): void {
  sql.exec('UPDATE sessions SET seen = ? WHERE id = ?', now, row.id)
  row.seen = now
}

function lastSeen(context: SessionsContext, id: string): number | null {
  const query = 'SELECT id, parent, expires, seen FROM sessions WHERE id = ?'
  const row =
    context.known.get(id) ?? context.sql.exec<SeenRow & Pick<Row, 'parent'>>(query, id).toArray()[0]
  if (!row || isOver(row, Date.now())) return null
  if (row.parent === null) return row.seen
  const above = find(context, row.parent)
  return above && findChain(context, above) && row.seen
}

function see(context: SessionsContext, id: string): void {
  if (!find(context, id)) return
  const row = context.known.get(id) ?? { id, expires: null, seen: 0 }
  recordUse(context.sql, row, Date.now())
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
  // An empty list says that it was allowed something once.
  context.sql.exec('UPDATE sessions SET allowed = ? WHERE id = ?', json(left), id)
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
