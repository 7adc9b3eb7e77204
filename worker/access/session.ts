/**
 * A session: what a client may do, until when, and for which principal. `sessions.ts` stores it.
 *
 * @module
 */

import type { SessionNames } from '#core/actor.ts'
import type { StorePath } from '#core/path.ts'
import type { KeptRoots } from './ceiling.ts'
import { MAX_LABEL_LENGTH } from './limits.ts'

/** Cuts the name that a client gives itself to the longest name of a session. */
export function cutLabel(name: string): string {
  return name.slice(0, MAX_LABEL_LENGTH).toWellFormed()
}

/**
 * Names a session for people. A client of the older era names its session itself, so where it came by a link, or with
 * the token of a grant, that one's label names the session.
 */
export function nameSession(
  { initialize, label }: Pick<Session, 'initialize' | 'label'>,
  above: Pick<Session, 'label'> | null,
): SessionNames {
  return initialize === null || above === null ? { label } : { label: above.label, client: label }
}

/** The budget of what the owner made in person: a link of the console, or a grant. Each has a share of its own. */
export const OWNER_MADE = 'owner made'

/** The only file that a transfer link gives access to. */
export interface Transfer {
  readonly path: StorePath
  readonly direction: 'download' | 'upload'
  /** The key of the draft of the caller that made it. */
  readonly draft?: string
}

/** A session, as it is stored. Times are in milliseconds since 1970. */
export interface Session {
  readonly id: string
  /** The id of the session it was created from; null at the top of a chain. */
  readonly parent: string | null
  readonly principal: string
  /** A name for people; untrusted. */
  readonly label: string
  /** In the session of a caller: what its client calls itself, where `label` is that of its link. */
  readonly client?: string | undefined
  /** The client configuration of a legacy `initialize`, as JSON; null without one. */
  readonly config: unknown
  /** JSON that restricts the access of the sessions above. */
  readonly policy: unknown
  /** The largest access it may have; null is that of the sessions above. */
  readonly scopes: readonly string[] | null
  /** Restrictions of the call that created it, beyond those of the sessions above. */
  readonly inherited: Inherited | null
  /** The principal whose share of every limit it takes: its maker's, or {@link OWNER_MADE}. */
  readonly budget: string
  /** The first request of a legacy session; null for every other. */
  readonly initialize: unknown
  /** Set for a transfer link; null for a session that speaks MCP. */
  readonly transfer: Transfer | null
  readonly created: number
  /** Null for a session that expires only when it is idle. */
  readonly expires: number | null
  /**
   * Scopes that the owner allowed beyond all of this, for this session and for none below it. Absent if it never was
   * allowed any, for a call either.
   */
  readonly allowed?: readonly string[]
  /** The scopes of the token with which it was last used; absent if it was used without one. */
  readonly token?: readonly string[]
}

/** Restrictions of the call that created a session, and the roots of that moment, as JSON. */
export interface Inherited {
  readonly config?: unknown
  readonly policy?: unknown
  /** Denied scopes, as text. */
  readonly denied?: readonly string[]
  /** The owner's roots at that moment; absent without a policy, and if a session above has them. */
  readonly roots?: KeptRoots
}

/** How a session began: with a link to MCP, a link to one file, a sign-in, or a legacy `initialize`. */
export type SessionKind = 'link' | 'transfer' | 'grant' | 'client'

/** A session as lists show it: without what its client sent to begin it, which can be large. */
export type Listed = Omit<Session, 'initialize' | 'inherited'> & {
  readonly kind: SessionKind
  /** How often a transfer link was used. */
  readonly uses: number
}

/** A list of sessions, and the number of those that did not fit. */
export interface SessionList {
  readonly sessions: readonly Listed[]
  readonly left: number
}

/** A session that is not stored yet. The id is random by default. */
export type NewSession = Omit<
  Session,
  'id' | 'client' | 'created' | 'transfer' | 'allowed' | 'token'
> & {
  readonly id?: string
  readonly transfer?: Transfer | null
}
