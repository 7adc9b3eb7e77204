/** Programs of the project, run to their end as a person runs them. @module */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export const ROOT = join(import.meta.dirname, '../../..')

/** The Node that the project brings; the one that is installed may be older. */
export const NODE = join(ROOT, 'node_modules/.bin/node')

/** Where the many programs of a run find the modules of others compiled, which is a third of the time of a start. */
export const COMPILED = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/edgewise-compiled') }

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program that lies in the project, such as `scripts/import.ts`. */
export const run = (program: string, ...args: string[]): Promise<Ended> =>
  runWith({}, program, ...args)

/** The same with variables beside those of this process. */
export async function runWith(
  variables: Readonly<Record<string, string>>,
  program: string,
  ...args: string[]
): Promise<Ended> {
  const env = { ...process.env, ...COMPILED, ...variables }
  const child = spawn(NODE, [program, ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = once(child, 'exit')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  await exit
  return { code: child.exitCode, stdout, stderr }
}
