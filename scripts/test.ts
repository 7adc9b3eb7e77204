/**
 * `npm test`, `npm run test:slow` (`--slow`) and `npm run test:nightly` (`--nightly`): builds, then runs all tests of
 * the set and beside them its checks. The last line has the totals.
 *
 * @module
 */

import { findBrowser } from './browser.ts'
import { refuseArguments } from './command-line.ts'
import { runScript } from './errors.ts'
import { runSet } from './test/run.ts'
import { FAST, NIGHTLY, SLOW, type TestSet } from './test/sets.ts'

const OPTIONS = {
  slow: { type: 'boolean', default: false },
  nightly: { type: 'boolean', default: false },
} as const

/** A test by its name is run by Vitest itself. */
const ADVICE = 'Use npx vitest run <file> for a single file'

function chooseSet(): TestSet {
  const { slow, nightly } = refuseArguments('test', OPTIONS, ADVICE)
  if (nightly) return NIGHTLY
  return slow ? SLOW : FAST
}

/** What the command line asks for. */
export async function run(): Promise<void> {
  const set = chooseSet()
  const { executable, env } = await findBrowser()
  const passed = await runSet(set, { CHROMIUM: executable, ...env })
  process.exitCode = passed ? 0 : 1
}

if (import.meta.main) await runScript(run)
