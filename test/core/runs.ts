/** How often a law is tried: as often as its test says, or as often as a whole run was told to. @module */

import fc from './random.ts'

/** `usual`, unless `test/slow/laws.setup.ts` has asked for more. */
export const runs = (usual: number) => ({ numRuns: fc.readConfigureGlobal().numRuns ?? usual })
