/**
 * Keeps a folder in step until it is stopped: a run after every change of either side, and after failures with growing
 * pauses. Tested by `test/e2e/sync.test.ts`.
 *
 * @module
 */

import { watch } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../errors.ts'
import { MAX_PAUSE_MS } from './limits.ts'
import { STAGE_FOLDER, STATE_FILE } from './names.ts'

/** What is watched, and what is done then. */
export interface WatchParts {
  readonly folder: string
  /** Runs once; called again after a change. */
  readonly run: () => Promise<void>
  /** Waits for a change of the workspace. */
  readonly waitThere: (signal: AbortSignal) => Promise<void>
  readonly report: (error: UserError) => void
  readonly signal: AbortSignal
}

/** Time (ms) in which changes on disk are taken together: editors write a file in several steps. */
const SETTLE_MS = 300

/** Shortest pause (ms) after a failure; each further one doubles it. */
const PAUSE_MS = 1_000

/** Runs until the signal. Failures that a person can act on are reported, once for each message. */
export async function watchBoth(parts: WatchParts): Promise<void> {
  const { signal } = parts
  const changes = watchDisk(parts.folder, signal)
  let failures = 0
  let last = ''
  while (!signal.aborted) {
    try {
      changes.reset()
      await parts.run()
      await waitForEither(parts, changes)
      failures = 0
      last = ''
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof UserError)) throw error
      if (error.message !== last) parts.report(error)
      last = error.message
      await pause(Math.min(PAUSE_MS * 2 ** failures++, MAX_PAUSE_MS), signal)
    }
  }
}

const pause = (time: number, signal: AbortSignal) =>
  sleep(time, undefined, { signal }).catch(() => {})

/** Waits until a side has changed. The wait for the workspace ends with it, and the other way round. */
async function waitForEither({ waitThere, signal }: WatchParts, changes: Changes): Promise<void> {
  const over = new AbortController()
  const either = AbortSignal.any([signal, over.signal])
  try {
    await Promise.race([changes.next(), waitThere(either)])
  } finally {
    over.abort()
  }
  if (changes.isPending()) await pause(SETTLE_MS, signal)
}

interface Changes {
  /** Forgets what has changed so far: a run is about to look. */
  reset(): void
  isPending(): boolean
  next(): Promise<void>
}

function watchDisk(folder: string, signal: AbortSignal): Changes {
  let pending = Promise.withResolvers<void>()
  let isPending = false
  const watcher = watch(folder, { recursive: true, signal }, (_, name) => {
    if (name !== null && isOwn(name)) return
    isPending = true
    pending.resolve()
  })
  // Its folder may be deleted: the next run reports it.
  watcher.on('error', () => pending.resolve())
  return {
    reset() {
      isPending = false
      pending = Promise.withResolvers()
    },
    isPending: () => isPending,
    next: () => pending.promise,
  }
}

const isOwn = (name: string) => {
  const [first] = name.split(/[/\\]/)
  return first === STAGE_FOLDER || first === STATE_FILE
}
