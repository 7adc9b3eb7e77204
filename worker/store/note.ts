/** Notes: who made or attempted a change, what it was, and why it was allowed or refused. @module */

import { MAX_INTENT_LENGTH } from '../limits.ts'

/** The facts that history and the audit log store about a call. */
export interface ChangeNote {
  readonly tool: string
  /** The sentence for people that describes the call. */
  readonly intent: string
  readonly actor: Actor
  /** Why it was allowed or refused, for the audit log. */
  readonly decision: string
  /** The number of granted scopes that `decision` does not list. */
  readonly scopes_left_out?: number
  /** The digest of the arguments; empty without arguments. */
  readonly digest?: string
  /** Paths that it concerns without changing them, for the audit. */
  readonly about?: readonly string[]
  /** Changes that belong together, such as the parts of one import, share an id. */
  readonly id?: string
}

/** Who made a call: the principal, and the session it used. */
export interface Actor {
  readonly principal: string
  readonly session: string | null
  /** The name of the session. */
  readonly label: string | null
  /**
   * The budget of its audit entries for calls that applied nothing: the top session of its chain, so that
   * delegating does not enlarge a share, or the principal. Default: its session, then its principal.
   */
  readonly budget?: string
}

/** Cuts an intent sentence for storage: arguments can make it long, and rows have a maximum size. */
export function storedIntent(intent: string): string {
  if (intent.length <= MAX_INTENT_LENGTH) return intent
  return `${intent.slice(0, MAX_INTENT_LENGTH - 1).toWellFormed()}…`
}
