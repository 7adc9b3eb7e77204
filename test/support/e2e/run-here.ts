/**
 * A script of the project, run in this process: what it prints and the code that it ends with, without the start of a
 * process, which takes longer than all that most scripts do.
 *
 * @module
 */

import { vi } from 'vitest'
import { runScript } from '../../../scripts/errors.ts'
import type { Ended } from './run.ts'

type Variables = Readonly<Record<string, string>>

/** Runs what a script exports, with the arguments and further variables of a command line. One at a time. */
export async function runHere(
  script: () => Promise<void>,
  args: readonly string[],
  variables: Variables = {},
): Promise<Ended> {
  const { argv, exitCode } = process
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
  const written = collect()
  Object.assign(process.env, variables)
  process.argv = [...argv.slice(0, 2), ...args]
  process.exitCode = undefined
  try {
    await runScript(script)
    return { code: Number(process.exitCode ?? 0), ...written.texts }
  } finally {
    written.end()
    process.argv = argv
    process.exitCode = exitCode
    for (const [name, value] of before) restore(name, value)
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

/** Collects what is printed, by `console` or without it. */
function collect() {
  const texts = { stdout: '', stderr: '' }
  const ends = (['stdout', 'stderr'] as const).map((stream) => {
    const write = (text: string | Uint8Array) => {
      texts[stream] += text.toString()
      return true
    }
    const line = (...parts: unknown[]) => void write(`${parts.join(' ')}\n`)
    const spies = [
      vi.spyOn(process[stream], 'write').mockImplementation(write),
      vi.spyOn(console, stream === 'stdout' ? 'log' : 'error').mockImplementation(line),
    ]
    return () => spies.forEach((spy) => spy.mockRestore())
  })
  return { texts, end: () => ends.forEach((end) => end()) }
}
