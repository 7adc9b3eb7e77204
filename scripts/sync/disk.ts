/**
 * The folder on disk: every change that a sync makes to it.
 *
 * A file is received into a folder beside the state file, checked there, and renamed into its place, so no file is ever
 * half written. Right before a file is replaced or deleted, its stamp is compared, so that what a person has saved
 * meanwhile stays. No name leads outside of the folder: each folder on the way is a real one, because a link could point
 * elsewhere. Tested by `test/sync-disk.test.ts`.
 *
 * @module
 */

import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, type BigIntStats } from 'node:fs'
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  rmdir,
  unlink,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describeSystemError, UserError } from '../errors.ts'
import { faultOfName, foldersOf, STAGE_FOLDER, whyReserved } from './names.ts'
import type { Content, LocalFile } from './plan.ts'

/** A file that was not changed, with the reason; the run goes on with the others. */
export class LeftAlone extends Error {}

/** What changes whenever a file does: size, times and identity. */
export const stampOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats) =>
  [size, mtimeNs, ctimeNs, ino].join(':')

/** Whether its owner may execute it. Windows has no such bit. */
export const isExecutable = ({ mode }: BigIntStats) => (mode & 0o100n) !== 0n

/** Reads what is at a path, without following a link; null if nothing is. */
export async function factsOf(path: string): Promise<BigIntStats | null> {
  try {
    return await lstat(path, { bigint: true })
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return null
    throw error
  }
}

/** Bytes that are read at once. */
const SMALL_BYTES = 1024 * 1024

/** Hashes a file; of a large one, only a part is in memory. */
export async function hashFile(path: string): Promise<string> {
  const digest = createHash('sha256')
  if ((await lstat(path)).size <= SMALL_BYTES)
    return digest.update(await readFile(path)).digest('hex')
  for await (const chunk of createReadStream(path)) digest.update(chunk)
  return digest.digest('hex')
}

/** Changes of one folder. */
export type Disk = ReturnType<typeof createDisk>

/** Opens a folder for changes. */
export function createDisk(folder: string) {
  const stage = join(folder, STAGE_FOLDER)
  /** Content that was received by this run, and is not in its place yet. */
  const whole = new Set<string>()
  const staged = (hash: string) => join(stage, `file-${hash}`)

  async function copyStaged(hash: string): Promise<string> {
    const copy = join(stage, `part-${randomUUID()}`)
    await copyFile(staged(hash), copy)
    await flush(copy)
    return copy
  }

  return {
    folder,

    /** Creates the folder of received files, which only this user can read. */
    async prepare(): Promise<void> {
      const facts = await factsOf(stage)
      if (facts && !facts.isDirectory())
        throw new UserError(`Cannot use ${stage}: it is no folder. Remove it`)
      if (facts) return
      // The folder itself is not created: a wrong name would fill a new one.
      await mkdir(stage, { mode: 0o700 }).catch((error: unknown) => {
        throw new UserError(
          `Cannot sync ${folder}: ${describeSystemError(error)}. Name a folder that you can write`,
        )
      })
    },

    /** Whether the disk ignores case, so that two names can be one file. */
    ignoresCase: async () => (await factsOf(join(folder, STAGE_FOLDER.toUpperCase()))) !== null,

    /** Whether something has this name. */
    has: async (path: string) => (await factsOf(join(folder, path))) !== null,

    /** Whether a file has this content. */
    async holds(path: string, hash: string): Promise<boolean> {
      const target = join(folder, path)
      return ((await factsOf(target))?.isFile() ?? false) && (await hashFile(target)) === hash
    },

    /** Reads a short text; empty if there is no file. */
    async readText(path: string): Promise<string> {
      const target = join(folder, path)
      return (await factsOf(target))?.isFile() ? readFile(target, 'utf8') : ''
    },

    /** Whether content was received completely, by an earlier run or by a deletion here. */
    async hasStaged(hash: string): Promise<boolean> {
      if (whole.has(hash)) return true
      const facts = await factsOf(staged(hash))
      if (!facts?.isFile()) return false
      if ((await hashFile(staged(hash))) === hash) return true
      await rm(staged(hash))
      return false
    },

    /**
     * Receives content.
     *
     * @throws {LeftAlone} If it is not the content with this hash, or longer than `size`.
     */
    async receive(body: AsyncIterable<Uint8Array>, hash: string, size: number): Promise<void> {
      const temporary = join(stage, `part-${randomUUID()}`)
      try {
        if ((await writeHashed(temporary, body, size)) !== hash)
          throw new LeftAlone('it changed in the workspace while it was received')
        await rename(temporary, staged(hash))
        whole.add(hash)
      } finally {
        await rm(temporary, { force: true })
      }
    },

    /** Copies the content of a file here, if it still has it. */
    async reuse(from: LocalFile): Promise<boolean> {
      const temporary = join(stage, `part-${randomUUID()}`)
      try {
        await copyFile(join(folder, from.path), temporary)
        await flush(temporary)
        if ((await hashFile(temporary)) !== from.hash) return false
        await rename(temporary, staged(from.hash))
        return true
      } catch (error) {
        if (isCode(error, 'ENOENT')) return false
        throw error
      } finally {
        await rm(temporary, { force: true })
      }
    },

    /**
     * Puts received content into its place.
     *
     * @throws {LeftAlone} If the place is not as it was scanned, or not inside the folder.
     */
    async place(content: Content, { path, over, isWanted }: Place): Promise<BigIntStats> {
      const target = await safeTarget(folder, path)
      const received = isWanted ? await copyStaged(content.hash) : staged(content.hash)
      if (!isWanted) whole.delete(content.hash)
      await mkdir(dirname(target), { recursive: true })
      await setMode(received, content.executable, await expectUnchanged(target, over))
      if ((await expectUnchanged(target, over)) === null) await placeNew(received, target)
      else await rename(received, target)
      return lstat(target, { bigint: true })
    },

    /** Sets the executable bit of a file whose content stays. */
    async setExecutable(file: LocalFile, executable: boolean): Promise<BigIntStats> {
      const target = await safeTarget(folder, file.path)
      const before = await expectUnchanged(target, file)
      await setMode(target, executable, before)
      return lstat(target, { bigint: true })
    },

    /**
     * Deletes a file, and the folders above it that are empty then.
     *
     * @param isWanted Whether its content is needed elsewhere: it is kept as received then.
     * @throws {LeftAlone} If it is not as it was scanned.
     */
    async remove(file: LocalFile, isWanted: boolean): Promise<void> {
      const target = await safeTarget(folder, file.path)
      if ((await expectUnchanged(target, file)) === null) return
      if (isWanted) await rename(target, staged(file.hash))
      else await unlink(target)
      for (const above of foldersOf(file.path).reverse())
        if (!(await removeEmpty(join(folder, above)))) break
    },

    /** Removes received content that has got its place. */
    async discard(hash: string): Promise<void> {
      await rm(staged(hash), { force: true })
    },
  }
}

/** Where received content goes. */
export interface Place {
  /** Relative to the folder. */
  readonly path: string
  /** The file that it replaces, as it was scanned; null if there was none. */
  readonly over: LocalFile | null
  /** Whether another file gets the same content, which is kept then. */
  readonly isWanted: boolean
}

/** Puts a file where there is none. A link fails if there is one by now, and a rename would replace it. */
async function placeNew(received: string, target: string): Promise<void> {
  try {
    await link(received, target)
  } catch (error) {
    if (isCode(error, 'EEXIST')) throw new LeftAlone('it was created here meanwhile')
    // Some file systems have no links.
    return rename(received, target)
  }
  await unlink(received)
}

/** Waits until the content of a file is on disk: after a crash it could be empty, and would be sent so. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function writeHashed(
  path: string,
  body: AsyncIterable<Uint8Array>,
  size: number,
): Promise<string> {
  const digest = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  let written = 0
  try {
    for await (const chunk of body) {
      written += chunk.length
      if (written > size) throw new LeftAlone('the server sent more than the file has')
      digest.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return digest.digest('hex')
}

/**
 * Returns where a name is on disk.
 *
 * @throws {LeftAlone} If it leads outside of the folder, or is never kept in step.
 */
async function safeTarget(folder: string, path: string): Promise<string> {
  const name = path.normalize('NFC')
  const fault = faultOfName(name) ?? whyReservedPlace(name)
  if (fault !== null) throw new LeftAlone(fault)
  for (const above of foldersOf(path)) {
    const facts = await factsOf(join(folder, above))
    if (facts?.isSymbolicLink()) throw new LeftAlone(`${above} is a symbolic link`)
    if (facts && !facts.isDirectory()) throw new LeftAlone(`${above} is no folder here`)
  }
  return join(folder, path)
}

/** Copies of conflicts are written here, and nothing else that is reserved. */
function whyReservedPlace(name: string): string | null {
  const reason = whyReserved(name)
  return reason === 'it is a copy of a conflict' ? null : reason
}

/** Returns the facts of what is at a path; null if nothing is. */
async function expectUnchanged(
  target: string,
  file: LocalFile | null,
): Promise<BigIntStats | null> {
  const facts = await factsOf(target)
  if (file === null && facts === null) return null
  // It is gone, as it would be afterwards.
  if (file !== null && facts === null) return null
  if (file === null && facts?.isDirectory() && (await removeEmpty(target))) return null
  if (!facts?.isFile()) throw new LeftAlone('something else is in its place here')
  if (file === null || stampOf(facts) !== file.stamp)
    throw new LeftAlone('it was changed here meanwhile')
  return facts
}

const READ_BITS = 0o444
const EXECUTE_BITS = 0o111

/** Sets the mode that a new file would have, or that of the file which is replaced, with or without executable bits. */
async function setMode(
  path: string,
  executable: boolean,
  before: BigIntStats | null,
): Promise<void> {
  if (process.platform === 'win32') return
  const mode = before ? Number(before.mode & 0o777n) : 0o666 & ~process.umask()
  await chmod(path, executable ? mode | ((mode & READ_BITS) >> 2) | 0o100 : mode & ~EXECUTE_BITS)
}

async function removeEmpty(path: string): Promise<boolean> {
  try {
    await rmdir(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

/** Whether an error is one of the system with this code. */
export const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

/** Describes why one file could not be changed; anything but a system error is a bug and is thrown. */
export function whyLeftAlone(error: unknown): string {
  if (error instanceof LeftAlone) return error.message
  if (error instanceof Error && 'code' in error && 'syscall' in error)
    return describeSystemError(error)
  throw error
}
