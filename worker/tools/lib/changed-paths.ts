/** The paths of a whole change, as its answer lists them. `test/worker/mcp/results.test.ts` tests it. @module */

import { defaultRoot, type Config } from '#core/config.ts'
import { displayPath } from '#core/path.ts'
import { MAX_LISTED_PATHS } from '../../limits.ts'
import { stepPaths } from '../../store/write/steps.ts'
import type { Step } from '../../store/store.ts'
import { MAX_LISTED_BYTES } from './limits.ts'
import { firstFitting } from './first-fitting.ts'

/** The first paths of steps, their number, and how many of them are not listed: the change has paths of its own too. */
export function changedPaths(steps: readonly Step[], config: Config) {
  const all = steps.flatMap(stepPaths)
  const root = defaultRoot(config)
  const first = all.slice(0, MAX_LISTED_PATHS).map((path) => displayPath(path, root))
  const paths = firstFitting(first, (path) => path, MAX_LISTED_BYTES / 2)
  return { paths, count: all.length, more: all.length - paths.length }
}
