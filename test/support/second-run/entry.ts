/** Runs the set of `set.json` as `npm test` runs its own. `test/second-run.test.ts` starts a copy of it. @module */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runSet } from '../../../scripts/test/run.ts'
import type { TestSet } from '../../../scripts/test/sets.ts'

const set: TestSet = JSON.parse(readFileSync(join(import.meta.dirname, 'set.json'), 'utf8'))
process.exitCode = (await runSet(set, {})) ? 0 : 1
