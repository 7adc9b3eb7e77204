/**
 * Starts raw workerd processes, each with an empty disk, and ends only those.
 *
 * @module
 */

import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { guard } from '../scripts/child-guard.ts'
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

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill()
})

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
  const folder = `${OUT}/${name}.data`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(fileOf(folder, 'capnp'), configText(spec, port, folder))
  const url = (path: string) => `http://127.0.0.1:${port}${path}`
  const server = { port, folder, url, child: spawnWorkerd(folder, options) }
  await listening(server)
  return server
}

/** Starts another process with the objects of one that has ended, and does not wait for it. */
export const startAgain = (ended: Server): Server => {
  return { ...ended, child: spawnWorkerd(ended.folder, []) }
}

/** Ends a process, and keeps its objects. */
export async function end({ child }: Server): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  await ended
}

/** Ends a process and deletes its objects. */
export async function stop(server: Server): Promise<void> {
  await end(server)
  rmSync(server.folder, { recursive: true, force: true })
}

function spawnWorkerd(folder: string, options: readonly string[]): ChildProcess {
  const log = openSync(fileOf(folder, 'log'), 'w')
  const args = ['serve', ...options, fileOf(folder, 'capnp')]
  const child = guard(spawn(WORKERD, args, { stdio: ['ignore', log, log] }))
  closeSync(log)
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** The configuration and the log are beside the folder of the objects. */
const fileOf = (folder: string, suffix: string) => folder.replace(/data$/, suffix)

async function listening({ child, port, folder }: Server): Promise<void> {
  for (let tries = 0; tries < START_TRIES; tries++) {
    if (child.exitCode !== null) break
    if (await answers(port)) return
    await wait(25)
  }
  child.kill()
  throw new Error(`Cannot start workerd, see ${fileOf(folder, 'log')}`)
}

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1')
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
