/**
 * The row of a session: its columns, and how a session is written to one and read from it.
 *
 * @module
 */

import type { Inherited, Session, SessionKind, Transfer } from '../access/session.ts'

/** A row of the table `sessions`, without its secret. */
export interface Row extends Record<string, SqlStorageValue> {
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

/** The columns that a session is made with. */
export const COLUMNS = [
  ...['id', 'parent', 'principal', 'label', 'config', 'policy', 'scopes', 'inherited', 'budget'],
  ...['initialize', 'transfer', 'created', 'expires', 'seen'],
] as const

/** All columns of {@link Row}. */
export const STORED = `${COLUMNS.join()}, allowed, token`

/** The columns of {@link ListedRow}, of which those that can be large are empty. */
export const LISTED = `id, parent, principal, label, config, policy, scopes, NULL AS inherited, budget, NULL AS initialize,
  transfer, created, expires, seen, allowed, token,
  uses, secret IS NOT NULL AS linked, initialize IS NOT NULL AS client`

export type ListedRow = Row & { linked: number; client: number; uses: number }

/** Returns the values of {@link COLUMNS} of a new session. */
export function valuesOf(session: Session): SqlStorageValue[] {
  const row: Pick<Row, (typeof COLUMNS)[number]> = {
    ...session,
    config: json(session.config),
    policy: json(session.policy),
    scopes: json(session.scopes),
    inherited: json(session.inherited),
    initialize: json(session.initialize),
    transfer: json(session.transfer),
    seen: session.created,
  }
  return COLUMNS.map((name) => row[name])
}

/** Returns the session of a row. */
export function sessionOf(row: Row): Session {
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

/** Tells how a session began. */
export function kindOf({ client, transfer, linked }: ListedRow): SessionKind {
  if (client === 1) return 'client'
  if (transfer !== null) return 'transfer'
  return linked === 1 ? 'link' : 'grant'
}

/** The length of what clients and agents sent to make a session. */
export const lengthOf = ({ initialize, config, policy, scopes, inherited }: Row): number =>
  [initialize, config, policy, scopes, inherited].reduce(
    (sum, text) => sum + (text?.length ?? 0),
    0,
  )

/** Formats a column of JSON. */
export function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}

function parseJson(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}
