/**
 * A change that is being applied, as its steps (`steps.ts`) and what they use see it.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { Blobs } from '../content/blobs.ts'
import type { Entries, FileRow } from '../read/entries.ts'
import type { Layer } from '../layer.ts'
import type { StoreLimits } from '../limits.ts'
import type { Change, Entry, Store, StoreProblem, Totals } from '../store.ts'

/** A change that is being applied: its services, and the totals so far. */
export interface Work {
  readonly sql: SqlStorage
  readonly layer: Layer
  readonly entries: Entries
  /** Finds an entry as it was before the change. */
  readonly statBefore: Store['stat']
  /** Entries as they were before the change, of paths that were looked up together. */
  readonly known: ReadonlyMap<StorePath, Entry | null>
  readonly blobs: Blobs
  readonly limits: StoreLimits
  readonly change: Omit<Change, 'listed'>
  /** The totals before the change. */
  readonly before: Totals
  /** The versions of the checkpoints, whose states are kept. */
  readonly kept: readonly number[]
  /** Blobs that a step gave a file, with its path. */
  readonly named: { readonly blob: number; readonly path: StorePath }[]
  /** Entries that the steps have written, the newest of each path. */
  readonly written: Map<StorePath, Entry>
  /** Rows of these entries that are not in the tables yet. */
  readonly waiting: Map<StorePath, FileRow>
  /** Paths that certainly have a row of their own in the draft. */
  readonly own: Set<StorePath>
  /** Paths that a step moved or removed, with what was below them. */
  readonly trees: Set<StorePath>
  /** Paths that steps have moved or removed, except those that are already in `touched_paths`. */
  readonly touched: Set<StorePath>
  /** Whether paths are in `touched_paths`, because they are many. */
  isApart: boolean
  /** Paths at which a step added or removed files. */
  readonly listed: StorePath[]
  /** Whether a step moved or deleted entries, so that `written` is not all. */
  moved: boolean
  files: number
  folders: number
  bytes: number
}

/** Why a step cannot be done. Throwing it rolls the transaction back. */
export class Refusal extends Error {
  readonly problem: StoreProblem
  constructor(problem: StoreProblem) {
    super(problem.reason)
    this.problem = problem
  }
}
