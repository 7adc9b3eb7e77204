/**
 * Whose draft the changes of a caller join.
 *
 * A connection, which is a session that began with `initialize`, has a draft of its own. Callers without one have a draft
 * for each grant or link, and for each name that a client claims, so several programs may share it. A claimed name
 * separates callers of one credential and gives nothing. A transfer link works on the draft of the caller that made it.
 * The same key finds decisions to report, calls that wait, access requests and streams.
 * `test/worker/drafts/take-over.test.ts` has the cases.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { CLIENT_INFO_META } from '#core/wire.ts'
import { digestOf } from '../audit/audit.ts'
import type { Caller } from './caller.ts'
import type { Connection, DraftOwner } from './draft.ts'
import { cutLabel, type Session } from './session.ts'

/** The parts of a caller that decide whose draft it has. */
export type DraftCaller = Pick<Caller, 'principal' | 'session' | 'budget' | 'token' | 'claimedName'>

/** Returns whose draft the changes of a caller join. */
export function draftOwnerOf(caller: DraftCaller): DraftOwner {
  const { principal, session, budget, token } = caller
  if (session?.transfer) {
    const { parent } = session
    const key = session.transfer.draft ?? formatKey([parent, principal, null])
    return { key, principal, session: parent, label: null, budget }
  }
  const names = { principal, session: session?.id ?? null, label: session?.label ?? null, budget }
  if (session === null || session.initialize === null) return { key: sharedKeyOf(caller), ...names }
  return { key: session.id, ...names, connection: connectionOf(session, token) }
}

/** The grant or link of callers without a connection, their principal, and the name that their client claims. */
type SharedKey = readonly [session: string | null, principal: string, name: string | null]

const formatKey = (key: SharedKey) => JSON.stringify(key)

const sharedKeyOf = ({ session, principal, claimedName }: DraftCaller) =>
  formatKey([session?.id ?? null, principal, claimedName ?? null])

/** Whether several programs may share the draft with this key. The id of a connection is no JSON. */
export const isShared = (key: string): boolean => key.startsWith('[')

/** Returns the name that the clients of a shared draft claim; null without one. */
export const claimedNameOf = (key: string): string | null =>
  isShared(key) ? readKey(key)[2] : null

/** Returns the key of the same callers with another claimed name. */
export function withClaimedName(key: string, name: string): string {
  if (!isShared(key)) return key
  const [session, principal] = readKey(key)
  return formatKey([session, principal, name])
}

// Only `formatKey` writes them.
const readKey = (key: string) => JSON.parse(key) as SharedKey

/** Returns the name that a client claims in the `_meta` of a request; undefined without one. */
export function readClaimedName(meta: unknown): string | undefined {
  const { name } = recordOf(recordOf(meta)[CLIENT_INFO_META])
  return typeof name === 'string' && name !== '' ? cutLabel(name) : undefined
}

/** The connection of each session of a caller, which has one token as long as the caller is cached. */
const connections = new WeakMap<Session, Connection>()

function connectionOf(session: Session, token: readonly string[] | null): Connection {
  const known = connections.get(session)
  if (known) return known
  const connection = { credential: credentialOf(session, token), began: session.created }
  connections.set(session, connection)
  return connection
}

/** Returns the owner that a connection without a grant or link is; `session` is its row in the list of sessions. */
export const ownerOfConnection = (session: ListedConnection): DraftOwner => ({
  key: session.id,
  principal: session.principal,
  session: session.id,
  label: session.label,
  budget: session.budget,
  connection: { credential: credentialOf(session, null), began: session.created },
})

type ListedConnection = Pick<
  Session,
  'id' | 'principal' | 'label' | 'budget' | 'created' | 'parent' | 'scopes' | 'config' | 'allowed'
>

/**
 * What another connection must have as well to take the draft over. Null once the owner allowed the connection more than
 * its credential permits: its draft may have what another one may not read.
 */
function credentialOf(
  {
    parent,
    scopes,
    config,
    allowed,
  }: Pick<ListedConnection, 'parent' | 'scopes' | 'config' | 'allowed'>,
  token: readonly string[] | null,
): Connection['credential'] {
  if (allowed !== undefined) return null
  return { id: parent, ceiling: digestOf([scopes?.toSorted(), config, token?.toSorted()]) }
}
