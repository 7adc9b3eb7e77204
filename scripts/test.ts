/**
 * `npm test`, `npm run test:slow` (`--slow`) and `npm run test:nightly` (`--nightly`): builds, then runs all tests of
 * the set and beside them its checks. The last line has the totals.
 *
 * @module
 */

import { findBrowser } from './browser.ts'
import { runSet } from './test/run.ts'
import { FAST, NIGHTLY, SLOW, type TestSet } from './test/sets.ts'

function chooseSet(): TestSet {
  if (process.argv.includes('--nightly')) return NIGHTLY
  return process.argv.includes('--slow') ? SLOW : FAST
}

const { executable, env } = await findBrowser()
const passed = await runSet(chooseSet(), { CHROMIUM: executable, ...env })
process.exitCode = passed ? 0 : 1
