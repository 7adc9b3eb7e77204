/**
 * Starts raw workerd processes, each with an empty disk, and ends only those.
 *
 * @module
 */

import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../scripts/port.ts'
import { inProject } from '../scripts/settings.ts'
import { configText, type WorkerSpec } from './capnp.ts'

/** The folder of the benchmark's files. */
export const OUT = inProject('dist/bench')
const WORKERD = inProject('node_modules/workerd/bin/workerd')
const START_TRIES = 200

/** A running workerd. */
export interface Server {
  readonly port: number
  readonly child: ChildProcess
  /** The folder of its objects, deleted by {@link stop}. */
  readonly folder: string
  /** Returns the URL of a path. */
  url(path: string): string
}

/** Returns the version of the installed workerd. */
export const workerdVersion = () =>
  execFileSync(WORKERD, ['--version'], { encoding: 'utf8' }).trim()

/**
 * Starts a process and waits until it accepts connections. Its output goes to `{name}.log`. `options` are further
 * options of `workerd serve`.
 */
export async function startWorkerd(
  name: string,
  spec: WorkerSpec,
  options: readonly string[] = [],
): Promise<Server> {
  const port = await freePort()
  const file = (suffix: string) => `${OUT}/${name}.${suffix}`
  rmSync(file('data'), { recursive: true, force: true })
  mkdirSync(file('data'), { recursive: true })
  writeFileSync(file('capnp'), configText(spec, port, file('data')))

  const log = openSync(file('log'), 'w')
  const child = spawn(WORKERD, ['serve', ...options, file('capnp')], {
    stdio: ['ignore', log, log],
  })
  process.once('exit', () => child.kill())
  await listening(child, port, file('log'))
  return { port, child, folder: file('data'), url: (path) => `http://127.0.0.1:${port}${path}` }
}

/** Ends a process and deletes its objects. */
export async function stop({ child, folder }: Server): Promise<void> {
  if (child.exitCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill()
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
}

async function listening(child: ChildProcess, port: number, log: string): Promise<void> {
  for (let tries = 0; tries < START_TRIES; tries++) {
    if (child.exitCode !== null) break
    if (await answers(port)) return
    await wait(25)
  }
  child.kill()
  throw new Error(`Cannot start workerd, see ${log}`)
}

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1')
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
