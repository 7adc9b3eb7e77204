/**
 * `npm test`: build, then all tests, beside them types, lint, docs and format, and one line with the totals.
 *
 * All steps run even if an early one fails, so that one run reports everything. `--slow` runs the
 * slow set instead: load beside everything else, because both leave a core without work now and then. What failed,
 * and what needed a second attempt, is listed once more before the totals, where it is found in a long output.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { findBrowser, type Browser } from './browser.ts'
import { createMemoryFolder, ON_DISK, type MemoryFolder } from './memory-folder.ts'
import { inProject, ROOT } from './settings.ts'
import { failed, passedStep, readOutcome, sumOf, type Outcome } from './test-results.ts'

/** A run of some projects. */
interface TestRun {
  readonly name: string
  readonly projects: readonly string[]
  readonly memory: MemoryFolder
  /** Whether another run prints at the same time, so that the output of this one waits. */
  readonly isQuiet?: boolean
}

const tool = (path: string) => inProject('node_modules', path)

type Step = readonly [name: string, args: readonly string[]]

const BUILD: Step = ['build', [inProject('scripts/build.ts')]]

/**
 * The steps beside the tests. They read what the build has written, and change nothing that tests read. Threads of
 * the compiler and of the linter each compute what they share, which tests pay for: one is enough.
 */
const CHECKS: readonly Step[] = [
  ['types', [tool('typescript/bin/tsc'), '-b', '--singleThreaded']],
  ['lint', [tool('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings']],
  ['docs', [inProject('scripts/docs.ts'), '--check']],
  ['format', [tool('oxfmt/bin/oxfmt'), '--check']],
]

/**
 * One thread, and below the tests, so that the checks take the time in which tests wait. The compiler and the linter
 * end before their garbage is worth the fifth of their time that its collection takes, unless it fills the memory.
 */
const BESIDE_TESTS = {
  priority: 10,
  env: { GOMAXPROCS: '1', GOGC: 'off', GOMEMLIMIT: '2GiB' },
}

/** The third-party clients have their own lock file and types. */
const CLIENTS: Step = ['clients', [inProject('test/clients/install.ts')]]
const SLOW_CHECKS: readonly Step[] = [
  ['types of clients', [tool('typescript/bin/tsc'), '-p', inProject('test/clients')]],
]

type Environment = Readonly<Record<string, string>>

/** Runs a step. Resolves to whether it succeeded. */
async function run([name, args]: Step, env: Environment = {}): Promise<boolean> {
  console.log(`\n== ${name}`)
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [code]: unknown[] = await once(child, 'exit')
  return code === 0
}

interface Checked {
  readonly name: string
  readonly fine: boolean
  readonly report: string
}

/** Runs a step whose output is kept for later. */
async function runQuietly(
  [name, args]: Step,
  { env = {}, priority }: { env?: Environment; priority?: number },
): Promise<Checked> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  if (child.pid !== undefined && priority !== undefined) setPriority(child.pid, priority)
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { name, fine: code === 0, report: `\n== ${name}\n${output}${errors}` }
}

async function checkAll(steps: readonly Step[]): Promise<Checked[]> {
  const results: Checked[] = []
  for (const step of steps) results.push(await runQuietly(step, BESIDE_TESTS))
  return results
}

async function runVitest(
  { name, projects, memory, isQuiet = false }: TestRun,
  browser: Browser,
): Promise<Outcome> {
  const results = inProject(`dist/test-results-${name}.json`)
  mkdirSync(inProject('dist'), { recursive: true })
  rmSync(results, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  const chosen = projects.map((project) => `--project=${project}`)
  const args = [tool('vitest/vitest.mjs'), 'run', ...chosen, ...reporters]
  const env = { CHROMIUM: browser.executable, ...browser.env, ...memory.env }
  if (!isQuiet) return readOutcome(name, results, await run([name, args], env))
  const { fine, report } = await runQuietly([name, args], { env })
  console.log(report)
  return readOutcome(name, results, fine)
}

const FAST = ['node', 'browser', 'e2e', 'pages']
const SLOW = ['judges', 'slow-e2e', 'slow-pages', 'slow-workerd', 'laws', 'laws-workerd']

/**
 * Each beside the others. Tests in workerd have one runtime, which takes one core and loads every module once, while
 * those of pages and servers wait for half of their time. Tests of load write more than a machine may have in memory,
 * and wait for its disk.
 */
function runsOf(isSlow: boolean, memory: MemoryFolder): readonly TestRun[] {
  if (!isSlow)
    return [
      { name: 'tests', projects: FAST, memory },
      { name: 'workerd', projects: ['workerd'], memory, isQuiet: true },
    ]
  return [
    { name: 'tests', projects: SLOW, memory },
    { name: 'load', projects: ['load'], memory: ON_DISK, isQuiet: true },
  ]
}

const outcomeOf = (step: string, fine: boolean) => (fine ? passedStep : failed(step))

// Ctrl+C ends the children, and what they leave behind is removed and counted.
process.on('SIGINT', () => undefined)

const slow = process.argv.includes('--slow')
const steps = slow ? [BUILD, CLIENTS] : [BUILD]
const prepared = await Promise.all(steps.map(async (step) => outcomeOf(step[0], await run(step))))
const browser = await findBrowser()
const memory = createMemoryFolder()
const [tests, checked] = await Promise.all([
  Promise.all(runsOf(slow, memory).map((each) => runVitest(each, browser))).finally(memory.remove),
  checkAll(slow ? SLOW_CHECKS : CHECKS),
])
for (const { report } of checked) console.log(report)
const checks = checked.map(({ name, fine }) => outcomeOf(name, fine))
const { passed, skipped, failures, retried } = sumOf([...prepared, ...checks, ...tests])
if (skipped > 0) console.log(`\n${skipped} tests were skipped`)
if (retried.length > 0) console.log(`\n== passed at the second attempt\n${retried.join('\n')}`)
if (failures.length > 0) console.log(`\n== failed\n${failures.join('\n')}`)
console.log(`\n${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1
