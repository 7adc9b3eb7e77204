/**
 * The context of a request that transfers files over HTTP, for one file and for archives.
 *
 * @module
 */

import type { Ground } from '#core/grounds.ts'
import type { Actor } from '../audit/change-note.ts'
import type { StoreLimits } from '../store/limits.ts'
import type { CallerWorkspace } from './workspace.ts'

/** The context of a file request. */
export interface FileContext {
  readonly workspace: CallerWorkspace
  readonly actor: Actor
  readonly limits: StoreLimits
  /** What permitted the request, for the audit log. */
  readonly decision: readonly Ground[]
}
