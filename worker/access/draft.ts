/**
 * Drafts: changes that wait for a person. `draft-owner.ts` says whose they are.
 *
 * @module
 */

import type { ApprovalLevel } from '#core/approval.ts'
import type { JsonRecord } from '#core/json.ts'
import type { StorePath } from '#core/path.ts'
import type { Actor, ChangeNote } from '../audit/change-note.ts'
import type { Step } from '../store/store.ts'

/** The levels at which a change waits. */
export type HeldLevel = Extract<ApprovalLevel, 'review' | 'confirm'>

/** Whether a change of this level waits for a person. */
export function isHeld(level: ApprovalLevel): level is HeldLevel {
  return level === 'review' || level === 'confirm'
}

/** Whose draft it is. */
export interface DraftOwner extends Required<Omit<Actor, 'client' | 'email'>> {
  /** Identifies the owner: of each at most one draft is open. */
  readonly key: string
  /** Absent for callers without a session of their own, and for transfer links. */
  readonly connection?: Connection
}

/** A session that a client began with `initialize`. */
export interface Connection {
  /** What another connection must have as well to take its draft over; null if none may. */
  readonly credential: Credential | null
  /** Milliseconds since 1970. */
  readonly began: number
}

/** A grant or a link, and the most that a connection with it may do. */
export interface Credential {
  /** The id of its session; null for connections that came without one. */
  readonly id: string | null
  /** Identifies the scopes, the configuration and the token of a connection. */
  readonly ceiling: string
}

/** A draft with at least one change. Times are in milliseconds since 1970. */
export interface Draft {
  /** The row id, which is also that of the layer in the store. */
  readonly id: number
  /** The public id. */
  readonly name: string
  readonly owner: DraftOwner
  /** What a connection must have to take it over; null if none may. */
  readonly credential: Credential | null
  readonly opened: number
  /** When the newest change joined. */
  readonly touched: number
  readonly changes: number
  /** Bytes of the files that its changes write, and of their calls. */
  readonly bytes: number
  /** Bytes of the JSON of the steps of its changes. */
  readonly length: number
}

/** A tool call, as it is planned again when the draft is approved. */
export interface PlannedCall {
  readonly args: unknown
  /** The paths that the call touches, resolved. */
  readonly places: readonly StorePath[]
  /** Scopes that the owner allowed for this call alone. */
  readonly allowed?: readonly string[]
  /** The configuration in its request; it is planned again under the same. */
  readonly configuration?: unknown
  /** The members of its `_meta` that decide what it may access. */
  readonly meta?: JsonRecord
  /** Whether nothing restricted it, so that it can be planned again after its session has ended. */
  readonly isFree?: boolean
}

/** One change of a draft. */
export interface Proposal {
  /** The version that it has in the draft. */
  readonly version: number
  readonly id: string
  readonly at: number
  readonly level: HeldLevel
  /** The version of the workspace that its steps were planned against. */
  readonly basis: number
  readonly note: ChangeNote
  /** The steps as they were planned last; null if their content is no longer stored. */
  readonly steps: readonly Step[] | null
  /**
   * Reads the call; null for an upload, and for arguments that are too long to be stored. Those of all changes of
   * a draft would not fit into memory.
   */
  readonly readCall: () => PlannedCall | null
  /** Reads the paths that the call touches. */
  readonly readPlaces: () => readonly StorePath[]
  /** Scopes that the owner allowed for its call alone. */
  readonly allowed: readonly string[]
}

/** What became of changes of a draft. */
export type DecisionOutcome = 'approved' | 'turned_down' | 'expired'

/** News of a draft that is no decision: another connection has it now, or this one has it. */
export type DraftMove = 'moved_away' | 'moved_here'

/** A file that the person amended with an approval. */
export interface AmendedPath {
  readonly path: StorePath
  /** Lines of the unified difference from what was proposed; empty where its reader may not read the file. */
  readonly diff: string
  /** Whether lines of the difference are missing. */
  readonly isCut: boolean
}

/** A decision on changes of a draft. */
export interface Decision {
  /** The public id of the draft. */
  readonly draft: string
  /** `lost` counts decisions that were dropped before they were reported. */
  readonly outcome: DecisionOutcome | DraftMove | 'lost'
  /** The principal that decided. */
  readonly approver: string
  /** What the person wrote to the agent; may be empty. */
  readonly note: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Number of changes; of lost decisions, their number. */
  readonly changes: number
  /** Some of the paths that they concern. */
  readonly paths: readonly StorePath[]
  /** The ids of the changes, or of some of them. */
  readonly ids: readonly string[]
  /** The files that the person amended; absent for none. */
  readonly amended?: readonly AmendedPath[]
}

/** A change that no longer fits the workspace, for the agent that proposed it. */
export interface Conflict {
  readonly id: string
  readonly intent: string
  readonly code: string
  readonly message: string
  /** The paths that it concerns or reads. */
  readonly paths: readonly StorePath[]
}

/** What a change of a draft alters for the owner of the draft, who alone reads it. */
export interface DraftPublication {
  /** The paths that its steps name. */
  readonly paths: readonly StorePath[]
  /** Paths at which files came or went. */
  readonly listed: readonly StorePath[]
}
