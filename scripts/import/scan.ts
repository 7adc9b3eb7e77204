/**
 * Scans a folder: files and folders that an archive can hold, and the names of all other entries.
 * Only names, sizes and times are kept, so a folder can be of any size.
 *
 * @module
 */

import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError, describeSystemError } from '../errors.ts'
import { GIT_RULES, Ignores, type Reason } from '../sync/ignores.ts'
import { readRules } from '../sync/local.ts'
import { RULES_FILE } from '../sync/names.ts'

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
  /** How many entries the rules leave out, by the reason; a folder counts as one. */
  readonly left: Map<Reason, number>
}

/**
 * Lists everything below a folder, sorted by name; without `all` what a sync leaves out is left out here as well.
 *
 * @throws {UserError} If the folder or its rules cannot be read.
 */
export async function scan(folder: string, all: boolean): Promise<Scan> {
  const found: Scan = { items: [], skipped: [], left: new Map() }
  const names = await namesIn(folder)
  const own = (await readRules(join(folder, RULES_FILE))) ?? ''
  const rules = all ? null : new Ignores(own, { secrets: false })

  async function scanEntry(path: string, name: string): Promise<void> {
    const facts = await lstat(path)
    const item = { name, path, mtime: facts.mtime }
    const why = facts.isDirectory() ? rules?.whyFolder(name) : rules?.whyFile(name)
    if (why) found.left.set(why, (found.left.get(why) ?? 0) + 1)
    else if (facts.isFile()) found.items.push({ ...item, type: 'file', size: facts.size })
    else if (facts.isDirectory()) await scanFolder({ ...item, type: 'folder', size: 0 })
    else found.skipped.push({ name, reason: `it is a ${describeKind(facts)}` })
  }

  async function scanFolder(item: Item): Promise<void> {
    const inside = await readdir(item.path)
    found.items.push(item)
    await scanNames(inside, item.path, item.name)
  }

  async function scanNames(inside: string[], path: string, above: string): Promise<void> {
    const text = rules && inside.includes(GIT_RULES) && (await readRules(join(path, GIT_RULES)))
    if (text) rules.addGitRules(above, text)
    for (const name of inside.sort()) {
      const full = above === '' ? name : `${above}/${name}`
      if (name === '.git' && !all)
        found.skipped.push({ name: full, reason: 'use --all to import it' })
      else
        await scanEntry(join(path, name), full).catch((error: unknown) =>
          found.skipped.push({ name: full, reason: describeFailure(name, error) }),
        )
    }
  }

  await scanNames(names, folder, '')
  return found
}

const ARCHIVE = /\.(?:tar|tgz|tbz2?|txz|zip|7z|rar|(?:tar\.)?(?:gz|bz2|xz|zst|lz4?|Z))$/i

const NAME_FOLDER = 'Name the folder that it is in'
const SEND_ARCHIVE = 'Unpack it and name the folder, or send a tar, tar.gz or zip to POST /import'

async function namesIn(folder: string): Promise<string[]> {
  try {
    if (!(await stat(folder)).isDirectory())
      throw new UserError(
        `Cannot import ${folder}: it is not a folder. ${ARCHIVE.test(folder) ? SEND_ARCHIVE : NAME_FOLDER}`,
      )
    return await readdir(folder)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(
      `Cannot import ${folder}: ${describeSystemError(error)}. Name a folder that you can read`,
      { cause: error },
    )
  }
}

/** Node reads a name that is not UTF-8 with this character in it, and finds no entry under that name. */
const REPLACEMENT = '\uFFFD'

const describeFailure = (name: string, error: unknown) =>
  name.includes(REPLACEMENT) ? 'its name is not UTF-8' : describeSystemError(error)

function describeKind(facts: Awaited<ReturnType<typeof lstat>>): string {
  if (facts.isSymbolicLink()) return 'symbolic link'
  if (facts.isSocket()) return 'socket'
  return facts.isFIFO() ? 'pipe' : 'device'
}
