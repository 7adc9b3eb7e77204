/**
 * Other programs on the same files: ripgrep and fd, if installed. The measured time is that of the
 * whole process, because that is what its caller waits for.
 *
 * @module
 */

import { spawn, spawnSync } from 'node:child_process'
import { guard } from '../scripts/child-guard.ts'

/** A finished process. */
export interface Run {
  /** From start to exit. */
  readonly milliseconds: number
  readonly lines: number
}

/** Returns the first of these programs that runs here; null if none does. */
export function findProgram(...names: string[]): string | null {
  return names.find((name) => spawnSync(name, ['--version']).status === 0) ?? null
}

/** Runs a program and counts the lines that it prints; ends it after `enough` lines. */
export function run(program: string, args: string[], enough = Infinity): Promise<Run> {
  const { promise, resolve, reject } = Promise.withResolvers<Run>()
  const start = performance.now()
  const child = guard(spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] }))
  let lines = 0
  child.stdout.on('data', (bytes: Buffer) => {
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++
    if (lines >= enough) child.kill()
  })
  child.once('error', reject)
  child.once('close', () => resolve({ milliseconds: performance.now() - start, lines }))
  return promise
}
