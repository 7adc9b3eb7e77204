/** How often a law is tried: as its test says, or as the slow or the nightly set asks for. @module */

import fc from './random.ts'

/** How many times as often the nightly set tries a law that does not say it itself. */
const MORE = 10

/** How many times as often as `npm test`, at least, the slow set tries a law: fewer runs are those of `npm test` again. */
const SOME = 3

/** The part of the nightly runs that the slow set has. */
const PART = 1 / 10

/** What `test/support/laws.setup.ts` configures for the slow set, and `test/support/all-laws.setup.ts` for the nightly. */
const ALL_RUNS = 10_000

/** `usual`, or `many` in the nightly set, or a part of those in the slow set. */
export function pick(usual: number, many: number): number {
  const { numRuns } = fc.readConfigureGlobal()
  if (numRuns === undefined) return usual
  return numRuns < ALL_RUNS ? Math.min(many, Math.max(usual * SOME, many * PART)) : many
}

/** `usual` runs, or as many as the set of the test asks for. */
export const runs = (usual: number, many = usual * MORE) => ({ numRuns: pick(usual, many) })
