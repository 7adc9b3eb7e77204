/**
 * A step: a program in Node that succeeds or fails. `test/second-run.test.ts` tests it.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { guard } from '../child-guard.ts'
import { ROOT } from '../settings.ts'

/** A name for the report, and the arguments of Node. */
export type Step = readonly [name: string, args: readonly string[]]

/** Environment variables in addition to those of this process. */
export type Environment = Readonly<Record<string, string>>

/** What became of a step. */
export interface StepResult {
  readonly name: string
  readonly succeeded: boolean
}

interface QuietResult extends StepResult {
  /** What the step printed. */
  readonly report: string
}

/** Runs a step that prints as it goes. */
export async function runStep([name, args]: Step, env: Environment = {}): Promise<StepResult> {
  console.log(`\n== ${name}`)
  const options = { cwd: ROOT, stdio: 'inherit', env: withOwn(env) } as const
  const child = guard(spawn(process.execPath, args, options))
  const [code]: unknown[] = await once(child, 'exit')
  return { name, succeeded: code === 0 }
}

/** Runs a step whose output is kept for later. */
export async function runQuietly(
  [name, args]: Step,
  { env = {}, priority }: { env?: Environment; priority?: number },
): Promise<QuietResult> {
  const child = guard(
    spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: withOwn(env),
    }),
  )
  if (child.pid !== undefined && priority !== undefined) setPriority(child.pid, priority)
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { name, succeeded: code === 0, report: `\n== ${name}\n${output}${errors}` }
}

const withOwn = (env: Environment) => ({ ...process.env, ...env })

/**
 * One thread, and below the tests, so that the checks take the time in which tests wait. The compiler and the linter
 * end before their garbage is worth the fifth of their time that its collection takes, unless it fills the memory.
 */
const BESIDE_TESTS = {
  priority: 10,
  env: { GOMAXPROCS: '1', GOGC: 'off', GOMEMLIMIT: '2GiB' },
}

/** Runs steps beside the tests, one after the other. */
export async function runBeside(steps: readonly Step[]): Promise<QuietResult[]> {
  const results: QuietResult[] = []
  for (const step of steps) results.push(await runQuietly(step, BESIDE_TESTS))
  return results
}

/** Runs steps that print, one after the other. */
export async function runInOrder(steps: readonly Step[]): Promise<StepResult[]> {
  const results: StepResult[] = []
  for (const step of steps) results.push(await runStep(step))
  return results
}
