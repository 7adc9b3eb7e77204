/**
 * What lies in a folder: the files and folders that an archive can carry, and by name all that it
 * cannot. Only names, sizes and times are kept, so a folder of any size may be looked at.
 *
 * @module
 */

import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ImportError, reasonOf } from './import-error.ts'

export interface Item {
  readonly type: 'file' | 'folder'
  /** From the folder that is scanned, with `/` between the segments. */
  readonly name: string
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly mtime: Date
}

export interface Skipped {
  readonly name: string
  readonly reason: string
}

export interface Scan {
  readonly items: Item[]
  readonly skipped: Skipped[]
}

/** Everything below a folder, in the order of names; `.git` only when `all` is asked for. */
export async function scan(folder: string, all: boolean): Promise<Scan> {
  const found: Scan = { items: [], skipped: [] }

  async function look(path: string, name: string): Promise<void> {
    const facts = await lstat(path)
    const item = { name, path, mtime: facts.mtime }
    if (facts.isFile()) found.items.push({ ...item, type: 'file', size: facts.size })
    else if (facts.isDirectory()) await lookInside({ ...item, type: 'folder', size: 0 })
    else found.skipped.push({ name, reason: `it is a ${kindOf(facts)}` })
  }

  async function lookInside(item: Item): Promise<void> {
    const names = await readdir(item.path)
    found.items.push(item)
    await lookAt(names, item.path, `${item.name}/`)
  }

  async function lookAt(names: string[], path: string, prefix: string): Promise<void> {
    for (const name of names.sort()) {
      const full = prefix + name
      if (name === '.git' && !all) found.skipped.push({ name: full, reason: 'use --all for it' })
      else
        await look(join(path, name), full).catch((error: unknown) =>
          found.skipped.push({ name: full, reason: reasonOf(error) }),
        )
    }
  }

  await lookAt(await namesIn(folder), folder, '')
  return found
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    if (!(await stat(folder)).isDirectory()) throw new ImportError(`${folder} is not a folder`)
    return await readdir(folder)
  } catch (error) {
    if (error instanceof ImportError) throw error
    throw new ImportError(`Cannot read ${folder}: ${reasonOf(error)}`, { cause: error })
  }
}

function kindOf(facts: Awaited<ReturnType<typeof lstat>>): string {
  if (facts.isSymbolicLink()) return 'symbolic link'
  if (facts.isSocket()) return 'socket'
  return facts.isFIFO() ? 'pipe' : 'device'
}
