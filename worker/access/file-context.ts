/**
 * The context of a request that transfers files over HTTP, for one file and for archives.
 *
 * @module
 */

import type { Ground } from '#core/grounds.ts'
import type { Actor } from '../audit/change-note.ts'
import type { Problem } from '../errors/problem.ts'
import type { StoreLimits } from '../store/limits.ts'
import type { Draft } from './draft.ts'
import type { CallerWorkspace } from './workspace.ts'

/** The context of a file request. */
export interface FileContext {
  readonly workspace: CallerWorkspace
  readonly actor: Actor
  readonly limits: StoreLimits
  /** What permitted the request, for the audit log. */
  readonly decision: readonly Ground[]
  /** Returns what the sender of a change learns of the draft in which it waits; by default nothing. */
  readonly describeWaiting?: (draft: Draft, change: string) => object
  /** Called when a change is refused. */
  readonly refused?: (problem: Problem) => void
}
