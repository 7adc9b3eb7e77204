/** The laws of `test/core` and `test/worker`, some times over: `runs` and `inputs` read how often. @module */

import fc from 'fast-check'

fc.configureGlobal({ numRuns: 1_000 })
