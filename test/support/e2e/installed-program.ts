/**
 * The package `edgewise` as a user gets it: packed, and unpacked into an empty folder beside what it declares to need. That
 * comes from this project, so no network is needed.
 *
 * @module
 */

import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { buildProgramPackage } from '../../../scripts/packages.ts'
import { NODE, ROOT } from './run.ts'

const execute = promisify(execFile)

const manifest = z.object({
  bin: z.object({ edgewise: z.string() }),
  dependencies: z.record(z.string(), z.string()),
})

/** The program, and the folder in which it is used. */
export interface InstalledProgram {
  readonly folder: string
  /** The package, unpacked. */
  readonly unpacked: string
  /** The names of the files in the tarball. */
  readonly files: readonly string[]
  /** Starts the program by its name, as npx does, in the folder. */
  readonly spawn: (args: readonly string[], env?: NodeJS.ProcessEnv) => ChildProcess
}

/** Packs the package, and installs it in an empty folder. */
export async function installProgram(folder: string): Promise<InstalledProgram> {
  const source = await buildProgramPackage()
  const pack = ['pack', '--silent', '--pack-destination', folder]
  const { stdout } = await execute('npm', pack, { cwd: source })
  const tarball = join(folder, stdout.trim())
  const unpacked = join(folder, 'node_modules/edgewise')
  mkdirSync(unpacked, { recursive: true })
  await execute('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components', '1'])
  const listed = await execute('tar', ['-tzf', tarball])
  const { bin, dependencies } = manifest.parse(
    JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')),
  )
  for (const name of Object.keys(dependencies))
    link(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  const program = join(unpacked, bin.edgewise)
  chmodSync(program, 0o755)
  link(program, join(folder, 'node_modules/.bin/edgewise'))
  const files = listed.stdout.trim().split('\n')
  return { folder, unpacked, files, spawn: (args, env) => runNamed(folder, args, env) }
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

/** Ends the program as Ctrl+C does, which reaches the whole group of its processes. */
export async function interrupt(child: ChildProcess): Promise<void> {
  const hasEnded = child.exitCode !== null || child.signalCode !== null
  if (child.pid === undefined || hasEnded) return
  const exit = once(child, 'exit')
  process.kill(-child.pid, 'SIGINT')
  await exit
}

/** The Node that the project brings is the one that the program finds. */
function runNamed(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const path = `${dirname(NODE)}:${process.env['PATH'] ?? ''}`
  return spawn('npx', ['--offline', 'edgewise', ...args], {
    cwd,
    env: { ...process.env, PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a group of its own, because npx does not pass a signal on
  })
}
