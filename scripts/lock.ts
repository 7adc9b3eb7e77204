/**
 * Keeps two processes from opening the same data: workerd does not, and each of the two would go by
 * what it remembers. The folder holds the id of the process that has it, and an id that nobody has
 * any more counts for nothing.
 *
 * @module
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

/** Takes the folder until this process ends. */
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
    process.kill(owner, 0) // sends nothing, and throws when there is no such process
    return owner
  } catch {
    return null
  }
}
