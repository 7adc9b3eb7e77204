/**
 * What the parts of a run share: both sides as they are, the plan, and what has become of it.
 *
 * @module
 */

import type { Disk } from './disk.ts'
import type { Scan } from './local.ts'
import type { Outcome } from './outcome.ts'
import type { Known, LocalFile, Plan } from './plan.ts'
import type { Remote } from './remote.ts'
import type { State } from './state.ts'

/** One look at both sides, and what it leads to. */
export interface Round {
  readonly disk: Disk
  readonly remote: Remote
  readonly state: State
  readonly scan: Scan
  readonly plan: Plan
  readonly outcome: Outcome
  /** What was known of files before something was sent of them. */
  readonly before: Map<string, Known>
  /** Files here by their hashes. */
  readonly twins: ReadonlyMap<string, LocalFile>
  readonly ignoresCase: boolean
  readonly acceptsRules: boolean
  /** Writes the state file. */
  readonly save: () => Promise<void>
}
