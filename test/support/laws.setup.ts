/** The laws of `test/core` and `test/worker`, many times over. @module */

import fc from 'fast-check'

fc.configureGlobal({ numRuns: 10_000 })
