/**
 * `npm test`: build, types, lint, format, then all tests, and one line with the totals.
 *
 * All steps run even if an early one fails, so that one run reports everything. `--slow` runs the
 * slow set instead.
 *
 * @module
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { findBrowser } from './browser.ts'
import { inProject, ROOT } from './settings.ts'

const RESULTS = inProject('dist/test-results.json')

interface Count {
  passed: number
  failed: number
}

const tool = (path: string) => inProject('node_modules', path)

function checks(): [name: string, args: string[]][] {
  return [
    ['build', [inProject('scripts/build.ts')]],
    ['types', [tool('typescript/bin/tsc'), '-b']],
    ['lint', [tool('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings']],
    ['docs', [inProject('scripts/docs.ts'), '--check']],
    ['format', [tool('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.']],
  ]
}

/** The steps before the slow set; its clients have their own lock file and types. */
function preparations(): [name: string, args: string[]][] {
  return [
    ['build', [inProject('scripts/build.ts')]],
    ['clients', [inProject('test/clients/install.ts')]],
    ['types of clients', [tool('typescript/bin/tsc'), '-p', inProject('test/clients')]],
  ]
}

function run(name: string, args: string[], env: Readonly<Record<string, string>> = {}): boolean {
  console.log(`\n== ${name}`)
  const { status, error } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (error) console.error(error)
  return status === 0
}

async function runVitest(projects: readonly string[]): Promise<Count> {
  const browser = await findBrowser()
  mkdirSync(inProject('dist'), { recursive: true })
  rmSync(RESULTS, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${RESULTS}`]
  const chosen = projects.map((project) => `--project=${project}`)
  const args = [tool('vitest/vitest.mjs'), 'run', ...chosen, ...reporters]
  const fine = run('tests', args, { CHROMIUM: browser.executable, ...browser.env })
  return countResults(fine)
}

/**
 * Reads the result file. A run that is interrupted, or fails outside a test, counts as one failure.
 */
function countResults(fine: boolean): Count {
  try {
    const results = JSON.parse(readFileSync(RESULTS, 'utf8'))
    const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = results
    if (skipped > 0) console.log(`\n${skipped} tests were skipped`)
    return { passed, failed: fine || failed > 0 ? failed : 1 }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

const slow = process.argv.includes('--slow')
const steps = slow ? preparations() : checks()
const results = steps.map(([name, args]) => run(name, args))
const tests = await runVitest(
  slow
    ? ['judges', 'slow-e2e', 'slow-pages', 'slow-workerd', 'laws', 'laws-workerd']
    : ['node', 'workerd', 'browser', 'e2e', 'pages'],
)
const passed = results.filter(Boolean).length + tests.passed
const failed = results.filter((fine) => !fine).length + tests.failed
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
