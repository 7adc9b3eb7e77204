/**
 * Access requests: calls beyond the ceiling of their caller, which only the owner can allow.
 *
 * A request belongs to a session, or to a principal whose client has none, like a draft.
 *
 * @module
 */

import { quoteValue } from '#core/quote.ts'
import type { DraftOwner } from './draft.ts'

/** How far a request is allowed: for the one call that it came from, for its session, or by the rules. */
export type AllowedFor = 'call' | 'session' | 'rules'

/** What became of a request. */
export type RequestState = 'waiting' | 'allowed' | 'refused' | 'expired' | 'taken_back'

/** A call that was refused, and the scopes that would permit it. */
export interface RequestedCall {
  readonly tool: string
  /** The sentence for people that describes the call. */
  readonly intent: string
  /** The files and folders that its arguments name, resolved. */
  readonly paths: readonly string[]
  /** The digest of its arguments and of its paths, which also depend on the client's configuration. */
  readonly digest: string
  readonly scopes: readonly string[]
}

/** A stored access request. Times are in milliseconds since 1970. */
export interface AccessRequest extends RequestedCall {
  readonly id: string
  readonly owner: DraftOwner
  readonly opened: number
  readonly state: RequestState
  /** Null unless it was allowed. */
  readonly allowedFor: AllowedFor | null
  /** What the owner wrote to the agent; may be empty. */
  readonly note: string
  /** When it was decided; null while it waits. */
  readonly decided: number | null
}

/** Lists scopes in a sentence. One of several words is quoted: its path comes from an agent. */
export function listScopes(scopes: readonly string[]): string {
  return scopes.map(quoteValue).join(', ')
}
