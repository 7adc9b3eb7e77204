/** What a run of a sync works on, and what it may do. @module */

import type { DeletionGuard } from './deletions.ts'
import type { Disk } from './disk.ts'
import type { Scan } from './local.ts'
import type { Take } from './plan.ts'
import type { Remote } from './remote.ts'
import type { State } from './state.ts'

/** What a run works on. */
export interface SyncParts {
  readonly disk: Disk
  readonly remote: Remote
  readonly state: State
  readonly guard: DeletionGuard
  /** Scans the folder. */
  readonly scan: () => Promise<Scan>
  /** Writes the state file. */
  readonly save: () => Promise<void>
}

/** What a run may do. */
export interface SyncOptions {
  readonly take: Take
  readonly pulls: boolean
  readonly pushes: boolean
  /** Whether it may delete most of a side. */
  readonly deletesMany: boolean
  /** Whether changed rules of the workspace count from now on. */
  readonly acceptsRules: boolean
}
