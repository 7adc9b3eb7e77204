/**
 * Trust for a time: the owner lets changes of one connection pass that the rules of the owner hold at `review`.
 *
 * `apply.ts` asks for it in one place; `worker/trust/` stores it and decides. `test/worker/trust/effect.test.ts` has the
 * table.
 *
 * @module
 */

import type { Risk } from '#core/owner/answers/drafts.ts'
import type { StorePath } from '#core/path.ts'
import type { Step, Store } from '../store/store.ts'
import type { Access } from './access.ts'

/** What the owner lets pass. */
export interface TrustDetails {
  /** The key of the connection: the id of its session. */
  readonly session: string
  /** Every path of a change is in this folder. */
  readonly folder: StorePath
  /** The names of the tools, sorted. */
  readonly tools: readonly string[]
  /** The kinds of risky changes that pass as well, sorted. */
  readonly kinds: readonly Risk[]
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Trust that is in force. */
export interface Trust extends TrustDetails {
  readonly id: string
}

/** A change of a connection that the rules of the owner hold. */
export interface TrustQuestion {
  readonly session: string
  readonly access: Access
  readonly tool: string
  readonly steps: readonly Step[]
  /** The files of the workspace, without those of drafts. */
  readonly store: Pick<Store, 'stat' | 'walk' | 'contentOf' | 'heldNow'>
  /** Whether the owner left something out of what was proposed for a path. */
  readonly hasLeftOut: (path: StorePath) => boolean
}

/** The trust of a workspace, as changes use it. */
export interface OpenTrusts {
  /** Returns the trust by which a change passes, or null. */
  readonly passing: (question: TrustQuestion) => Trust | null
}
