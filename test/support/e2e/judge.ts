/**
 * Programs of others that judge the product, such as rclone: found on this machine, or skipped by name.
 *
 * @module
 */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe } from 'vitest'
import type { Ended } from './run.ts'

/** Whether a program is installed. */
const isInstalled = (program: string): boolean =>
  spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program]).status === 0

/** Describes what a program finds. Where it is not installed, the tests are skipped, and a line says so. */
export function describeJudge(program: string, tests: () => void): void {
  const found = isInstalled(program)
  if (!found) console.warn(`SKIPPED: ${program} is not installed, see CONTRIBUTING.md`)
  describe.skipIf(!found)(program, tests)
}

/** Runs such a program to its end. It gets `input` and is ended after some minutes. */
export async function runJudge(
  program: string,
  args: readonly string[],
  { env = {}, input = '', cwd }: { env?: NodeJS.ProcessEnv; input?: string; cwd?: string } = {},
): Promise<Ended> {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
    timeout: MOST_MS,
  })
  const exit = once(child, 'exit')
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  await exit
  return { code: child.exitCode, stdout, stderr }
}

/** How long (ms) a program may take. */
const MOST_MS = 300_000
