/**
 * The state file of a folder that is kept in step: what both sides had when they were last equal, and what waits.
 *
 * It is replaced as a whole, after its content is on disk, so a crash leaves the old one or the new one. An old one is
 * enough: what was done after it is found to be equal on both sides. It has no secret: a session link is known by its
 * digest. Tested by `test/sync-run.test.ts`.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { lstat, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { describeSystemError, UserError } from '../errors.ts'
import { parseJson } from '../parse-json.ts'
import { isCode } from './disk.ts'
import { faultOfName, STAGE_FOLDER, STATE_FILE } from './names.ts'
import type { Known } from './plan.ts'
import type { Source } from './remote.ts'

/** The hash of a file on disk, which holds while its stamp does. */
export interface Hashed {
  readonly stamp: string
  readonly hash: string
}

/** What is remembered of a folder. */
export interface State {
  /** The workspace, without secrets. */
  readonly server: string
  /** The folder of the workspace. */
  readonly to: string
  /** The version of the workspace up to which its changes are known; null before the first run. */
  version: number | null
  /** Which workspace that was, and what of it could be read; null before the first run. */
  source: Source | null
  /** The time of the newest decision that was read, by the clock of the server. */
  decidedAt: number
  readonly known: Map<string, Known>
  readonly hashes: Map<string, Hashed>
  /** Texts of ignore rules that still count, although the workspace has changed them, by the names of their files. */
  readonly rules: Map<string, string>
}

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const content = z.object({ hash, executable: z.boolean() })
const remote = content.extend({ version: z.int(), size: z.int() })

const known = z.object({
  base: content.nullable(),
  remote: remote.nullable(),
  proposal: z
    .object({
      state: z.enum(['sending', 'waits', 'declined']),
      content: content.nullable(),
      draft: z.string(),
      at: z.number(),
      version: z.int().exactOptional(),
      earlier: content.nullable().exactOptional(),
      isDoubted: z.boolean().exactOptional(),
      note: z.string().exactOptional(),
    })
    .exactOptional(),
  conflict: content.extend({ copy: z.string() }).exactOptional(),
})

const name = z.string().refine((text) => faultOfName(text) === null)

const schema = z.object({
  format: z.literal(1),
  server: z.string(),
  to: z.string(),
  version: z.int().nullable(),
  source: z.object({ workspace: z.string(), access: z.string() }).nullable(),
  decidedAt: z.number(),
  // Pairs, because a record has no `__proto__`, which a file can have as its name.
  known: z.array(z.tuple([name, known])),
  hashes: z.array(z.tuple([name, z.object({ stamp: z.string(), hash })])),
  rules: z.array(z.tuple([name, z.string()])),
})

const fileIn = (folder: string) => join(folder, STATE_FILE)

/** Creates the state of a folder that was never in step. */
export const createState = (server: string, to: string): State => ({
  server,
  to,
  version: null,
  source: null,
  decidedAt: 0,
  known: new Map(),
  hashes: new Map(),
  rules: new Map(),
})

/**
 * Reads the state of a folder; null if it has none.
 *
 * @throws {UserError} If the file cannot be read.
 */
export async function readState(folder: string): Promise<State | null> {
  let text: string
  try {
    text = await readFile(fileIn(folder), 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw unreadable(folder, describeSystemError(error))
  }
  const read = schema.safeParse(parseJson(text))
  if (!read.success) throw unreadable(folder, 'it is damaged or of another release')
  const { format: _, ...state } = read.data
  return {
    ...state,
    known: new Map(state.known),
    hashes: new Map(state.hashes),
    rules: new Map(state.rules),
  }
}

const unreadable = (folder: string, reason: string) =>
  new UserError(
    `Cannot read ${fileIn(folder)}: ${reason}. Remove it to begin again: equal files stay as they are`,
  )

const stamped = z.object({ inode: z.string() })

/**
 * Whether the state file of a folder was written here. One that came with a folder, in a clone or an archive, has another
 * inode than it says, and may name a server that collects secrets.
 */
export async function isWrittenHere(folder: string): Promise<boolean> {
  const read = stamped.safeParse(parseJson(await readFile(fileIn(folder), 'utf8')))
  const { ino } = await lstat(fileIn(folder), { bigint: true })
  return read.success && read.data.inode === String(ino)
}

/** Replaces the state file. */
export async function writeState(folder: string, state: State): Promise<void> {
  const plain = {
    format: 1,
    ...state,
    known: [...state.known],
    hashes: [...state.hashes],
    rules: [...state.rules],
  }
  const temporary = join(folder, STAGE_FOLDER, 'state')
  // What a crash left, or a link that came with the folder, through which another file would be written.
  await rm(temporary, { force: true })
  const file = await open(temporary, 'wx', 0o600)
  try {
    const { ino } = await file.stat({ bigint: true })
    await file.writeFile(JSON.stringify({ ...plain, inode: String(ino) }))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, fileIn(folder))
}

/** Names a workspace without its secret: the token of a session link becomes its digest. */
export function describeServer(base: string): string {
  return base.replace(/\/s\/([^/]+)$/, (_, token: string) => {
    const digest = createHash('sha256').update(token).digest('hex').slice(0, 16)
    return `/s/sha256-${digest}`
  })
}
