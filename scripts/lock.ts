/**
 * Lock file of the data folder, because workerd lets two processes open the same data, and each
 * would use its own cached state. The file contains the process id of the owner; the id of a dead
 * process is ignored.
 *
 * @module
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

/**
 * Locks the folder until this process ends.
 *
 * @throws {StartError} If a running process has it.
 */
export function lock(folder: string): void {
  const file = join(folder, 'pid')
  mkdirSync(folder, { recursive: true })
  const owner = ownerOf(file)
  if (owner !== null)
    throw new StartError(`Cannot use ${folder}, process ${owner} has it. Stop that one first`)
  writeFileSync(file, `${process.pid}\n`)
  process.once('exit', () => rmSync(file, { force: true }))
}

function ownerOf(file: string): number | null {
  try {
    const owner = Number(readFileSync(file, 'utf8'))
    process.kill(owner, 0) // signal 0 only checks: it throws if the process does not exist
    return owner
  } catch {
    return null
  }
}
