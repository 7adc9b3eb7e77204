/**
 * Scans a folder on disk: its files with their hashes, and what is left out and why.
 *
 * Links are not followed. A file is hashed only if its stamp has changed since the last run. Tested by
 * `test/sync-local.test.ts`.
 *
 * @module
 */

import type { BigIntStats, Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describeSystemError, UserError } from '../errors.ts'
import { factsOf, hashFile, isCode, isExecutable, stampOf } from './disk.ts'
import { GIT_RULES, Ignores, type IgnoreOptions, type Reason } from './ignores.ts'
import { MAX_OPEN_FILES, MAX_RULE_DEPTHS, MAX_RULES_BYTES } from './limits.ts'
import { faultOfName, RULES_FILE } from './names.ts'
import type { LocalFile } from './plan.ts'
import { forEachOf } from './together.ts'
import type { Hashed, State } from './state.ts'

/** A file or folder that is not kept in step, with the reason. */
export interface Skipped {
  readonly name: string
  readonly reason: string
}

/** A folder as it was scanned. */
export interface Scan {
  readonly files: ReadonlyMap<string, LocalFile>
  readonly ignores: Ignores
  /** How many entries are left out, by the reason; a folder counts as one. */
  readonly left: ReadonlyMap<Reason, number>
  /** Entries that cannot be kept in step. */
  readonly skipped: readonly Skipped[]
  /** Names that are in use by something other than a file. */
  readonly taken: ReadonlySet<string>
  /** Folders by their names in NFC, as they are on disk. */
  readonly folders: ReadonlyMap<string, string>
}

interface Job {
  readonly folder: string
  readonly state: Pick<State, 'hashes'>
  readonly ignores: Ignores
  readonly files: Map<string, LocalFile>
  readonly left: Map<Reason, number>
  readonly skipped: Skipped[]
  readonly taken: Set<string>
  readonly folders: Map<string, string>
  /** Names of files that are scanned, or about to be. */
  readonly names: Set<string>
}

/**
 * Scans a folder, and keeps the hashes of its files in the state.
 *
 * @throws {UserError} If the folder or its rules cannot be read.
 */
export async function scanFolder(
  folder: string,
  state: Pick<State, 'hashes' | 'rules'>,
  options: IgnoreOptions,
): Promise<Scan> {
  const own = (await readRules(join(folder, RULES_FILE))) ?? ''
  const ignores = new Ignores(own, options)
  for (const [name, text] of state.rules) ignores.addFormerRules(name, text)
  const job: Job = {
    folder,
    state,
    ignores,
    files: new Map(),
    left: new Map(),
    skipped: [],
    taken: new Set(),
    folders: new Map([['', '']]),
    names: new Set(),
  }
  await checkFolder(folder)
  await scanOne(job, '', '')
  for (const name of state.hashes.keys()) if (!job.files.has(name)) state.hashes.delete(name)
  return job
}

async function checkFolder(folder: string): Promise<void> {
  try {
    if ((await stat(folder)).isDirectory()) return
  } catch (error) {
    throw new UserError(`Cannot sync ${folder}: ${describeSystemError(error)}. Create it first`)
  }
  throw new UserError(`Cannot sync ${folder}: it is not a folder. Name a folder`)
}

const join2 = (above: string, name: string) => (above === '' ? name : `${above}/${name}`)

/** Scans one folder. `name` is in NFC, `path` as on disk. */
async function scanOne(job: Job, name: string, path: string): Promise<void> {
  const entries = await list(job, name, path)
  const rules = entries.find((entry) => entry.name === GIT_RULES && entry.isFile())
  if (rules) {
    const text = await readRules(join(job.folder, path, GIT_RULES))
    if (text !== null) job.ignores.addGitRules(name, text)
  }
  const files: Place[] = []
  for (const entry of entries) {
    const place = {
      name: join2(name, entry.name.normalize('NFC')),
      path: join2(path, entry.name),
    }
    if (await scanEntry(job, entry, place)) files.push(place)
  }
  await forEachOf(files, MAX_OPEN_FILES, (place) => scanFile(job, place))
}

async function list(job: Job, name: string, path: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(join(job.folder, path), { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    // What cannot be read is not deleted on the other side.
    throw new UserError(
      `Cannot read ${join(job.folder, path)}: ${describeSystemError(error)}. Leave it out with a line in ${RULES_FILE}: ${name}`,
    )
  }
}

interface Place {
  readonly name: string
  readonly path: string
}

/** Scans an entry that is no file, or says what is wrong with it. Returns whether it is a file. */
async function scanEntry(job: Job, entry: Dirent, { name, path }: Place): Promise<boolean> {
  const why = entry.isDirectory() ? job.ignores.whyFolder(name) : job.ignores.whyFile(name)
  const fault = why === null ? faultOfEntry(job, entry, name) : null
  if (why !== null) job.left.set(why, (job.left.get(why) ?? 0) + 1)
  else if (fault !== null) {
    job.taken.add(name)
    job.skipped.push({ name, reason: fault })
  } else if (entry.isDirectory()) {
    job.folders.set(name, path)
    await scanOne(job, name, path)
  } else {
    job.names.add(name)
    return true
  }
  return false
}

/** Node reads a name that is not UTF-8 with this character in it, and finds no entry under that name. */
const REPLACEMENT = '\uFFFD'

function faultOfEntry(job: Job, entry: Dirent, name: string): string | null {
  if (entry.name.includes(REPLACEMENT)) return 'its name is not UTF-8'
  const fault = faultOfName(name)
  if (fault !== null) return fault
  if (job.names.has(name) || job.folders.has(name))
    return 'another one here has the same name in another form of Unicode'
  if (entry.isSymbolicLink()) return 'it is a symbolic link'
  if (entry.isDirectory() || entry.isFile()) return null
  return 'it is a special file'
}

async function scanFile(job: Job, { name, path }: Place): Promise<void> {
  const full = join(job.folder, path)
  try {
    const facts = await factsOf(full)
    // It was deleted while the folder was read.
    if (!facts?.isFile()) return
    const hash = await hashOf(job.state.hashes, name, { full, facts })
    const executable = isExecutable(facts)
    job.files.set(name, { hash, executable, size: Number(facts.size), path, stamp: stampOf(facts) })
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    job.taken.add(name)
    job.skipped.push({ name, reason: describeSystemError(error) })
  }
}

interface Found {
  readonly full: string
  readonly facts: BigIntStats
}

async function hashOf(
  hashes: Map<string, Hashed>,
  name: string,
  { full, facts }: Found,
): Promise<string> {
  const stamp = stampOf(facts)
  const before = hashes.get(name)
  if (before?.stamp === stamp) return before.hash
  const hash = await hashFile(full)
  rememberHash(hashes, name, { hash, facts })
  return hash
}

/** Times (ms) of a disk may be this coarse: a file that is younger may change without a change of its stamp. */
const COARSE_MS = 2_000n
/** The same of a disk whose times have parts of a second. */
const FINE_MS = 50n

const SECOND_NS = 1_000_000_000n

/** Keeps the hash of a file, unless a later change could have the same stamp. */
export function rememberHash(
  hashes: Map<string, Hashed>,
  name: string,
  { hash, facts }: { readonly hash: string; readonly facts: BigIntStats },
): void {
  const newest = facts.mtimeMs > facts.ctimeMs ? facts.mtimeMs : facts.ctimeMs
  const isFine = facts.ctimeNs % SECOND_NS !== 0n
  if (BigInt(Date.now()) - newest > (isFine ? FINE_MS : COARSE_MS))
    hashes.set(name, { stamp: stampOf(facts), hash })
  else hashes.delete(name)
}

/**
 * Reads a file of ignore rules; null if there is none.
 *
 * @throws {UserError} If it cannot be read, is too long, or has a rule that takes too long.
 */
export async function readRules(path: string): Promise<string | null> {
  try {
    const facts = await factsOf(path)
    if (!facts?.isFile()) return null
    if (facts.size > MAX_RULES_BYTES)
      throw new UserError(`Cannot read ${path}: it is longer than ${MAX_RULES_BYTES} bytes`)
    return checkRules(path, await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`Cannot read ${path}: ${describeSystemError(error)}`)
  }
}

/** @throws {UserError} If a rule takes too long: a scan would not end. */
function checkRules(path: string, text: string): string {
  const depths = (rule: string) => rule.replace(/\/\*\*\s*$/, '').split('**').length - 1
  const isSlow = (rule: string) => !rule.startsWith('#') && depths(rule) > MAX_RULE_DEPTHS
  const at = text.split('\n').findIndex(isSlow)
  if (at < 0) return text
  throw new UserError(
    `Cannot read ${path}: the rule in line ${at + 1} has more than ${MAX_RULE_DEPTHS} times **, which takes too long. Shorten it`,
  )
}
