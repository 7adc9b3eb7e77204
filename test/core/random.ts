/**
 * fast-check, drawing the same in every run.
 *
 * A run of the tests judges a change, so it has to end the same way twice. To look for faults that
 * nobody has met, draw anew: `EDGEWISE_SEED=7 npm run test:slow`.
 *
 * @module
 */

import fc from 'fast-check'

declare const __SEED__: number

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: __SEED__ })

export default fc
