/**
 * What others do at the paths of a call: found before a change is applied, because nothing judges paths afterwards, and
 * added to what the call returns. Views show results of tools of their own, and need none.
 *
 * `test/worker/leases/results.test.ts` has the cases.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { leasePlacesOf, type LeaseView, type OtherUse } from '../access/lease-view.ts'
import type { Step } from '../store/store.ts'
import type { Tool } from '../tools/lib/tool.ts'

/** Who calls what. */
interface CalledTool {
  readonly tool: Pick<Tool, 'appOnly'>
  readonly leases: Pick<LeaseView, 'othersAt'>
}

/** Finds what others do at paths that are read. */
export const usesOfPaths = (
  { tool, leases }: CalledTool,
  paths: readonly StorePath[],
): readonly OtherUse[] =>
  tool.appOnly ? [] : leases.othersAt(paths.map((path) => ({ path, reach: 'entry' })))

/** Finds what others do at paths that steps would change. */
export const usesOfSteps = (
  { tool, leases }: CalledTool,
  steps: readonly Step[],
): readonly OtherUse[] => (tool.appOnly ? [] : leases.othersAt(steps.flatMap(leasePlacesOf)))
