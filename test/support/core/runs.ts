/** Number of runs of a law: that of its test, or that of the whole test run. @module */

import fc from './random.ts'

/** `usual`, unless `test/support/laws.setup.ts` has asked for more; a law whose runs take long has a `most`. */
export const runs = (usual: number, most = Infinity) => ({
  numRuns: Math.min(fc.readConfigureGlobal().numRuns ?? usual, most),
})
