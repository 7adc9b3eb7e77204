/** Notes: who made or attempted a change, what it was, and why it was allowed or refused. @module */

import type { Ground } from '#core/grounds.ts'
import { visible } from '#core/visible.ts'
import { MAX_INTENT_LENGTH } from '../limits.ts'

/** The facts that history and the audit log store about a call. */
export interface ChangeNote {
  readonly tool: string
  /** The sentence for people that describes the call. */
  readonly intent: string
  readonly actor: Actor
  /** Why it was allowed or refused, for the audit log. */
  readonly decision: readonly Ground[]
  /** The digest of the arguments; empty without arguments. */
  readonly digest?: string
  /** Paths that it concerns without changing them, for the audit. */
  readonly about?: readonly string[]
  /**
   * The id of an earlier change, for a further part of it (of one import, for example), or for the change of a draft
   * that it applies. Default: a new one.
   */
  readonly id?: string
  /** Set for a change that waited in a draft until a person approved it. */
  readonly approval?: Approval
}

/** An approval: an act of a person that applied one or more changes of a draft. */
export interface Approval {
  /** Shared by all changes that were approved together; they can be undone by it. */
  readonly id: string
  /** The principal that approved. */
  readonly by: string
  /** The version that the change had in its draft; absent if it was planned again. */
  readonly proposed?: number
  /** The number of files that the person amended; absent for none. */
  readonly amended?: number
}

/** Who made a call: the principal, and the session it used. */
export interface Actor {
  readonly principal: string
  readonly session: string | null
  /** The name of the session. */
  readonly label: string | null
  /** The name that a client gives itself, where it is not the label; a claim. Only the audit log has it. */
  readonly client?: string
  /** The address of the owner, as Cloudflare Access has proved it. Only the audit log has it. */
  readonly email?: string
  /**
   * The budget of its audit entries for calls that applied nothing: the top session of its chain, so that
   * delegating does not enlarge a share, or the principal. Default: its session, then its principal.
   */
  readonly budget?: string
}

/**
 * Prepares an intent sentence for storage: makes hidden characters visible, because a person reads it, and cuts it,
 * because arguments can make it long and rows have a maximum size.
 */
export function storedIntent(intent: string): string {
  const text = visible(intent)
  if (text.length <= MAX_INTENT_LENGTH) return text
  return `${text.slice(0, MAX_INTENT_LENGTH - 1).toWellFormed()}…`
}

/** Characters of an id after its version: 60 random bits. */
const RANDOM_LENGTH = 12

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Returns a new id for a change: its version, by which its row is found without an index of ids, and a random part, so
 * that an id of another workspace, or of one that was deleted, names nothing here. Versions are in every answer, so an
 * id says no more.
 */
export function newChangeId(version: number): string {
  const random = crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH))
  return `${version}-${Array.from(random, (byte) => LETTERS[byte % LETTERS.length]).join('')}`
}

/** Returns the version that an id names; null if it is no id of a change. */
export function versionNamedBy(id: string): number | null {
  const [, version] = /^([1-9]\d{0,14})-[0-9a-z]{12}$/.exec(id) ?? []
  return version === undefined ? null : Number(version)
}
