/**
 * Other programs on the same files: ripgrep and fd, if this machine has them. The time is that of
 * the whole process, because that is what somebody waits for who calls it.
 *
 * @module
 */

import { spawn, spawnSync } from 'node:child_process'

export interface Run {
  readonly milliseconds: number
  readonly lines: number
}

/** The first of these names that can be run here, or null. */
export function findProgram(...names: string[]): string | null {
  return names.find((name) => spawnSync(name, ['--version']).status === 0) ?? null
}

/** Runs it and counts the lines it prints; with `enough`, ends it after that many. */
export function run(program: string, args: string[], enough = Infinity): Promise<Run> {
  const { promise, resolve, reject } = Promise.withResolvers<Run>()
  const start = performance.now()
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let lines = 0
  child.stdout.on('data', (bytes: Buffer) => {
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++
    if (lines >= enough) child.kill()
  })
  child.once('error', reject)
  child.once('close', () => resolve({ milliseconds: performance.now() - start, lines }))
  return promise
}
