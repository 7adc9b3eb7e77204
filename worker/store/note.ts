/** What is said of a change or of an attempt at one: who, what and why it was allowed. @module */

import { MAX_INTENT_LENGTH } from '../limits.ts'

/** Who and what, for history. */
export interface ChangeNote {
  readonly tool: string
  /** The sentence that a person reads. */
  readonly intent: string
  readonly actor: Actor
  /** Why it was allowed, or refused, for the audit. */
  readonly decision: string
  /** How many more scopes were granted than the decision names. */
  readonly scopes_left_out?: number
  /** Of the arguments; empty where there were none. */
  readonly digest?: string
  /** Paths that it concerns without changing them, for the audit. */
  readonly about?: readonly string[]
  /** Changes that belong together, such as the parts of one import, share an id. */
  readonly id?: string
}

/** Who it was: on whose behalf, and through which session. */
export interface Actor {
  readonly principal: string
  readonly session: string | null
  /** What the session is called. */
  readonly label: string | null
  /**
   * Who pays for its entries of the audit where nothing is applied: the top session of its chain, so
   * that delegating makes no share larger, or the principal. By default its session, then its principal.
   */
  readonly budget?: string
}

/** An intent sentence as it is stored: arguments can make it long, and a row has a largest size. */
export function storedIntent(intent: string): string {
  if (intent.length <= MAX_INTENT_LENGTH) return intent
  return `${intent.slice(0, MAX_INTENT_LENGTH - 1).toWellFormed()}…`
}
