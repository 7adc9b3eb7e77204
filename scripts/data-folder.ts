/**
 * The folder in which `npm start` keeps its data: its lock and its free space. Tested by `test/data-folder.test.ts`.
 *
 * Workerd lets two processes open the same data, and each would use its own cached state, so there is a lock
 * (`sqlite-lock.ts`). The process id in a file is there for the message only.
 *
 * @module
 */

import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { workingFolder } from './command-line.ts'
import { describeSystemError, UserError } from './errors.ts'
import { inProject } from './settings.ts'
import { takeLock } from './sqlite-lock.ts'

/** Returns the path of the folder; an empty name counts as none, as it would name the project itself. */
export const dataFolder = (name: string | undefined): string =>
  name ? resolve(workingFolder('start'), name) : inProject('.edgewise')

/** What is in the folder: the data of Miniflare, the lock, and the id of the process that has it. */
const DATA = ['cache', 'do', 'kv', 'r2']
const LOCK = 'lock'
const PID = 'pid'

/**
 * Locks the folder until this process ends; creates it if it does not exist.
 *
 * @returns Whether it has no data yet.
 * @throws {UserError} If it cannot be used, or a running process has it.
 */
export function lockFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const entries = readdirSync(folder)
    checkAccess(folder, entries)
    closeToOthers(folder, entries)
    lock(folder)
    return !entries.some((name) => DATA.includes(name))
  } catch (error) {
    if (error instanceof UserError) throw error
    throw unusable(folder, describeSystemError(error), 'Set EDGEWISE_DATA to another folder')
  }
}

/** Takes the data from other users. The folder itself may be one that they need, so it keeps its mode. */
function closeToOthers(folder: string, entries: readonly string[]): void {
  for (const name of DATA.filter((one) => entries.includes(one))) {
    const file = join(folder, name)
    if (statSync(file).uid === process.getuid?.()) chmodSync(file, 0o700)
  }
}

/** Checks what is below as well: data that root has written is there, and another user cannot write it. */
function checkAccess(folder: string, entries: readonly string[]): void {
  const own = [...DATA, LOCK, PID].filter((name) => entries.includes(name))
  for (const name of ['.', ...own]) accessSync(join(folder, name), constants.R_OK | constants.W_OK)
}

/** A folder, or a pipe that never ends, can be in the place of a file. */
function checkFile(folder: string, name: string): void {
  const path = join(folder, name)
  if (!existsSync(path) || statSync(path).isFile()) return
  throw unusable(
    folder,
    `${name} in it is no file`,
    `Remove ${path}, or set EDGEWISE_DATA to another folder`,
  )
}

function lock(folder: string): void {
  for (const name of [LOCK, PID]) checkFile(folder, name)
  const owner = join(folder, PID)
  const database = takeLock(join(folder, LOCK))
  if (!database) {
    const advice = 'Stop that process first, or set EDGEWISE_DATA to another folder'
    throw unusable(folder, `${describeOwner(owner)} is using it`, advice)
  }
  process.once('exit', () => {
    rmSync(owner, { force: true })
    database.close()
  })
  writeFileSync(owner, `${process.pid}\n`)
}

/** The owner writes its id after it has the lock. Another program may have written anything else. */
function describeOwner(file: string): string {
  const [, id] = (existsSync(file) && /^(\d{1,10})\n?$/.exec(readFileSync(file, 'latin1'))) || []
  return id === undefined ? 'another process' : `process ${id}`
}

const unusable = (folder: string, reason: string, advice: string) =>
  new UserError(`Cannot use ${folder}: ${reason}. ${advice}`)

const MIB = 1024 * 1024

/** Space that is kept free: this many bytes or this share of the disk, whichever is less. */
const MAX_RESERVE = 256 * MIB
const MAX_RESERVE_SHARE = 0.1

/** Returns the bytes that may be written before the reserve is reached; negative beyond it. */
export function freeSpace(folder: string): number {
  const { bsize, blocks, bavail } = statfsSync(folder)
  return bavail * bsize - Math.min(MAX_RESERVE, blocks * bsize * MAX_RESERVE_SHARE)
}
