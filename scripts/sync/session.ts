/**
 * Opens a folder and its workspace for one command: the state file, the lock, and what connects both.
 *
 * @module
 */

import { join } from 'node:path'
import { localUrl } from '../command-line.ts'
import { UserError } from '../errors.ts'
import { takeLock } from '../sqlite-lock.ts'
import type { SyncJob } from './arguments.ts'
import { createDeletionGuard } from './deletions.ts'
import { createDisk } from './disk.ts'
import { createHttpRemote } from './http-remote.ts'
import { scanFolder } from './local.ts'
import { STAGE_FOLDER, STATE_FILE } from './names.ts'
import { createSend, isLink } from './requests.ts'
import type { SyncOptions, SyncParts } from './parts.ts'
import {
  createState,
  describeServer,
  isWrittenHere,
  readState,
  writeState,
  type State,
} from './state.ts'

/** A folder that is open. */
export interface Session {
  readonly parts: SyncParts
  readonly options: SyncOptions
  /** How the workspace is named to the person, without secrets. */
  readonly where: string
}

/**
 * Opens the folder of a job.
 *
 * @throws {UserError} If it is in step with another workspace, or brought an address with it.
 */
export async function openSession(job: SyncJob): Promise<Session> {
  const { folder } = job
  const stored = await readState(folder)
  if (stored && job.base === null) await expectOwn(folder, stored)
  const base = job.base ?? baseOf(stored)
  const server = describeServer(base)
  const to = job.to ?? stored?.to ?? '/'
  if (stored && (stored.server !== server || stored.to !== to))
    throw new UserError(
      `Cannot sync ${folder}: it is in step with ${stored.to} of ${stored.server}. Name that, or remove ${STATE_FILE} in it to begin again`,
    )
  const state = stored ?? createState(server, to)
  const remote = createHttpRemote(
    { base, to, folder },
    createSend(base, process.env['EDGEWISE_OWNER_SECRET']),
  )
  const parts = {
    disk: createDisk(folder),
    remote,
    state,
    guard: createDeletionGuard(),
    scan: () => scanFolder(folder, state, { secrets: job.secrets }),
    save: () => writeState(folder, state),
  }
  return { parts, options: optionsOf(job), where: `${to} of ${server}` }
}

/** Requires the person to name a server that the folder brought with it: it would get the files, and the owner's secret. */
async function expectOwn(folder: string, { server }: State): Promise<void> {
  if (await isWrittenHere(folder)) return
  throw new UserError(
    `Cannot sync ${folder}: its ${STATE_FILE} was copied, and names ${server}. Name the address yourself, or remove the file`,
  )
}

/** The address of the last run; that of a link is a secret, which is not stored. */
function baseOf(stored: State | null): string {
  if (stored === null) return localUrl()
  if (!isLink(stored.server)) return stored.server
  throw new UserError(
    'Cannot sync: the folder is in step through a session link. Set EDGEWISE_LINK to its address',
  )
}

const optionsOf = ({ command, take, deletesMany, acceptsRules }: SyncJob): SyncOptions => ({
  ...{ take, deletesMany, acceptsRules },
  pulls: command !== 'push',
  pushes: command !== 'pull',
})

/**
 * Locks a folder until this process ends: two runs at once would each undo what the other remembers.
 *
 * @returns A function that ends it earlier.
 * @throws {UserError} If another process has it.
 */
export function lockSession(folder: string): () => void {
  const lock = takeLock(join(folder, STAGE_FOLDER, 'lock'))
  if (lock) return () => lock.close()
  throw new UserError(`Cannot sync ${folder}: another sync of it is running. Wait for its end`)
}
