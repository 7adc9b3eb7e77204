/** Number of runs of a law: that of its test, or of the slow set. @module */

import fc from './random.ts'

/** How many times as often the slow set tries a law that does not say it itself. */
const MORE = 10

/** `usual` runs, or `many` where `test/support/laws.setup.ts` asks for them. */
export const runs = (usual: number, many = usual * MORE) => ({
  numRuns: fc.readConfigureGlobal().numRuns === undefined ? usual : many,
})
