/**
 * The paths of an applied change, with the versions at which it touched each of them: an import is applied in batches,
 * between which others change files, and an approval has a part for each change that was proposed.
 *
 * `test/worker/changes/parts.test.ts` tests what is shown and undone of such a change.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { AppliedChange } from '../store/store.ts'

/** A path of a change. */
export interface Touched {
  readonly path: StorePath
  /** The first and the last version of the change at the path. */
  readonly first: number
  readonly last: number
  readonly times: number
}

/** Returns every path of a change once. `parts` are in the order of their versions. */
export function touchedBy(parts: readonly AppliedChange[]): Touched[] {
  const touched = new Map<StorePath, Touched>()
  for (const { version: last, paths } of parts)
    for (const path of paths) {
      const { first = last, times = 0 } = touched.get(path) ?? {}
      touched.set(path, { path, first, last, times: times + 1 })
    }
  return [...touched.values()]
}
