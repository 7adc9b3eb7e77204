/**
 * fast-check with one seed, so that every run is the same.
 *
 * A run of the tests judges a change, so it has to give the same result twice. To look for new faults,
 * use another seed: `EDGEWISE_SEED=7 npm run test:slow`.
 *
 * @module
 */

import fc from 'fast-check'

declare const __SEED__: number

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: __SEED__ })

export default fc
