/**
 * The folder in which `npm start` keeps its data: its lock file and its free space.
 *
 * Workerd lets two processes open the same data, and each would use its own cached state. The lock
 * file contains the process id of the owner; the id of a dead process is ignored.
 *
 * @module
 */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { UserError } from './errors.ts'

/**
 * Locks the folder until this process ends; creates it if it does not exist.
 *
 * @throws {UserError} If a running process has it.
 */
export function lockFolder(folder: string): void {
  const file = join(folder, 'pid')
  mkdirSync(folder, { recursive: true })
  const owner = readOwner(file)
  if (owner !== null)
    throw new UserError(
      `Cannot use ${folder}: process ${owner} is using it. Stop that process first, or set EDGEWISE_DATA to another folder`,
    )
  writeFileSync(file, `${process.pid}\n`)
  process.once('exit', () => rmSync(file, { force: true }))
}

/** Reports whether a folder has no entries, or does not exist. */
export function isEmptyFolder(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0
}

function readOwner(file: string): number | null {
  try {
    const owner = Number(readFileSync(file, 'utf8'))
    process.kill(owner, 0) // signal 0 only checks: it throws if the process does not exist
    return owner
  } catch {
    return null
  }
}

const MIB = 1024 * 1024

/** Space that is kept free: this many bytes or this share of the disk, whichever is less. */
const MAX_RESERVE = 256 * MIB
const MAX_RESERVE_SHARE = 0.1

/** Returns the bytes that may be written before the reserve is reached; negative beyond it. */
export function freeSpace(folder: string): number {
  const { bsize, blocks, bavail } = statfsSync(folder)
  return bavail * bsize - Math.min(MAX_RESERVE, blocks * bsize * MAX_RESERVE_SHARE)
}
