/** Runs of a sync between a folder on disk and a workspace of a test. @module */

import { createDeletionGuard } from '../../../scripts/sync/deletions.ts'
import { createDisk } from '../../../scripts/sync/disk.ts'
import { scanFolder } from '../../../scripts/sync/local.ts'
import type { Outcome } from '../../../scripts/sync/outcome.ts'
import type { Remote } from '../../../scripts/sync/remote.ts'
import type { SyncOptions, SyncParts } from '../../../scripts/sync/parts.ts'
import { look, sync, type Look } from '../../../scripts/sync/run.ts'
import { createState, readState, writeState } from '../../../scripts/sync/state.ts'
import { Effects, type Interruption } from './kill.ts'

export const BOTH: SyncOptions = {
  take: null,
  pulls: true,
  pushes: true,
  deletesMany: true,
  acceptsRules: false,
}

async function open(
  folder: string,
  remote: Remote,
  interruptions: readonly Interruption[],
): Promise<SyncParts> {
  const effects = new Effects(interruptions)
  const state = (await readState(folder)) ?? createState('http://localhost', '/')
  return {
    disk: effects.watch(createDisk(folder)),
    remote: effects.watch(remote),
    state,
    guard: createDeletionGuard(),
    scan: effects.wrap(() => scanFolder(folder, state, { secrets: false })),
    save: effects.wrap(() => writeState(folder, state)),
  }
}

/** One run as a process of its own has it: what it knows is in the state file. */
export async function runSync(
  folder: string,
  remote: Remote,
  options: Partial<SyncOptions> = {},
  interruptions: readonly Interruption[] = [],
): Promise<Outcome> {
  return sync(await open(folder, remote, interruptions), { ...BOTH, ...options })
}

/** What `--dry-run` and `status` look at. */
export async function lookAt(
  folder: string,
  remote: Remote,
  options: Partial<SyncOptions> = {},
): Promise<Look> {
  return look(await open(folder, remote, []), { ...BOTH, ...options })
}
