/**
 * Scans a folder: files and folders that an archive can hold, and the names of all other entries.
 * Only names, sizes and times are kept, so a folder can be of any size.
 *
 * @module
 */

import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ImportError, reasonOf } from './import-error.ts'

/** A file or folder to import. */
export interface Item {
  readonly type: 'file' | 'folder'
  /** Path relative to the scanned folder, with `/` as separator. */
  readonly name: string
  readonly path: string
  /** Bytes; 0 for a folder. */
  readonly size: number
  readonly mtime: Date
}

/** An entry that cannot be imported, with the reason. */
export interface Skipped {
  readonly name: string
  readonly reason: string
}

/** The content of a folder. */
export interface Scan {
  readonly items: Item[]
  readonly skipped: Skipped[]
}

/**
 * Lists everything below a folder, sorted by name; `.git` only if `all` is set.
 *
 * @throws {ImportError} If the folder cannot be read.
 */
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
