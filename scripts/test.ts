/**
 * `npm test`: build, then all tests, beside them types, lint, docs and format, and one line with the totals.
 *
 * All steps run even if an early one fails, so that one run reports everything. `--slow` runs the
 * slow set instead.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { findBrowser } from './browser.ts'
import { createMemoryFolder, ON_DISK, type MemoryFolder } from './memory-folder.ts'
import { inProject, ROOT } from './settings.ts'

const RESULTS = inProject('dist/test-results.json')

interface Count {
  passed: number
  failed: number
}

const tool = (path: string) => inProject('node_modules', path)

type Step = readonly [name: string, args: readonly string[]]

const BUILD: Step = ['build', [inProject('scripts/build.ts')]]

/** Files that are as they were at the last check are not read again; a checkout changes times and not contents. */
const CHECK_FORMAT = [
  '--check',
  '--log-level',
  'warn',
  '--cache',
  '--cache-strategy',
  'content',
  '.',
]

/** The steps beside the tests. They read what the build has written, and change nothing that tests read. */
const CHECKS: readonly Step[] = [
  ['types', [tool('typescript/bin/tsc'), '-b']],
  ['lint', [tool('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings']],
  ['docs', [inProject('scripts/docs.ts'), '--check']],
  ['format', [tool('prettier/bin/prettier.cjs'), ...CHECK_FORMAT]],
]

/** Below that of the tests, so that the checks take the time in which tests wait. */
const LOW_PRIORITY = 10

/** The steps before the slow set; its clients have their own lock file and types. */
const PREPARATIONS: readonly Step[] = [
  BUILD,
  ['clients', [inProject('test/clients/install.ts')]],
  ['types of clients', [tool('typescript/bin/tsc'), '-p', inProject('test/clients')]],
]

async function run([name, args]: Step, env: Readonly<Record<string, string>> = {}) {
  console.log(`\n== ${name}`)
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [code]: unknown[] = await once(child, 'exit')
  return code === 0
}

async function runAll(steps: readonly Step[]): Promise<boolean[]> {
  const results: boolean[] = []
  for (const step of steps) results.push(await run(step))
  return results
}

interface Checked {
  readonly fine: boolean
  readonly report: string
}

/** Runs a step whose output is kept for later. */
async function check([name, args]: Step): Promise<Checked> {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY)
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { fine: code === 0, report: `\n== ${name}\n${output}${errors}` }
}

async function checkAll(steps: readonly Step[]): Promise<Checked[]> {
  const results: Checked[] = []
  for (const step of steps) results.push(await check(step))
  return results
}

async function runVitest(projects: readonly string[], memory: MemoryFolder): Promise<Count> {
  const browser = await findBrowser()
  mkdirSync(inProject('dist'), { recursive: true })
  rmSync(RESULTS, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${RESULTS}`]
  const chosen = projects.map((project) => `--project=${project}`)
  const args = [tool('vitest/vitest.mjs'), 'run', ...chosen, ...reporters]
  const env = { CHROMIUM: browser.executable, ...browser.env, ...memory.env }
  const fine = await run(['tests', args], env)
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

const FAST = ['node', 'workerd', 'browser', 'e2e', 'pages']
const SLOW = ['judges', 'slow-e2e', 'slow-pages', 'slow-workerd', 'laws', 'laws-workerd']

// Ctrl+C ends the children, and what they leave behind is removed and counted.
process.on('SIGINT', () => undefined)

const slow = process.argv.includes('--slow')
const steps = await runAll(slow ? PREPARATIONS : [BUILD])
// Tests of load write more than a machine may have in memory.
const memory = slow ? ON_DISK : createMemoryFolder()
const [tests, checked] = await Promise.all([
  runVitest(slow ? SLOW : FAST, memory).finally(memory.remove),
  checkAll(slow ? [] : CHECKS),
])
for (const { report } of checked) console.log(report)
const results = [...steps, ...checked.map(({ fine }) => fine)]
const passed = results.filter(Boolean).length + tests.passed
const failed = results.filter((fine) => !fine).length + tests.failed
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
