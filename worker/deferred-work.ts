/**
 * Deferred work: what the alarm of a workspace does. Notices are delivered, text is indexed, versions that nothing keeps
 * and objects that nothing names are deleted, and what has waited too long ends.
 *
 * `test/worker/changes/preview-expiry.test.ts`, `test/worker/drafts/decide.test.ts` and
 * `test/worker/database/table-groups.test.ts` run the alarm.
 *
 * @module
 */

import type { Alarm } from './alarm.ts'
import type { Changes } from './changes/changes.ts'
import type { Drafts } from './drafts/drafts.ts'
import type { Passkeys } from './passkeys/passkeys.ts'
import type { Requests } from './requests/requests.ts'
import type { OwnerConfig } from './access/owner-config.ts'
import { effective } from './store/limits.ts'
import type { Webhook } from './webhook/notices.ts'

/** Batches of text that one alarm indexes. */
const INDEX_BATCHES = 8

/** Delay (ms) after a batch, in which requests are served: they would wait for all batches. */
const INDEX_TURN_MS = 1

/** Pause (ms) between two alarms with batches. */
const INDEX_PAUSE_MS = 10

/** Delay (ms) after a batch without progress, because a search is running. */
const INDEX_LATER_MS = 1_000

/** Delay (ms) after work that failed, because R2 is unavailable, or has lost an object. */
const FAILED_LATER_MS = 60_000

/** The parts of a workspace in which something can wait for the owner. */
export interface WaitingParts {
  readonly config: Pick<OwnerConfig, 'current'>
  readonly drafts: Pick<Drafts, 'expire'>
  readonly requests: Pick<Requests, 'expire'>
}

/** What the store defers. */
interface DeferredStore {
  readonly checkpoints: { release(): boolean }
  sweep(now: number): Promise<number | null>
}

/** What the index of text defers. */
interface DeferredIndex {
  /** Counts the texts that were indexed. */
  filled(): number
  /** Indexes a batch. Resolves to whether there is more. */
  fill(): Promise<boolean>
}

/** The services with deferred work. */
export interface DeferredParts extends WaitingParts {
  readonly alarm: Alarm
  readonly store: DeferredStore
  readonly search: DeferredIndex
  readonly webhook: Pick<Webhook, 'deliver'>
  readonly passkeys: Pick<Passkeys, 'expire'>
  readonly changes: Pick<Changes, 'expire'>
}

/** Ends what had waited too long at a time. Returns when the next draft and the next request will have, or null. */
function expireWaiting({ config, drafts, requests }: WaitingParts, now: number) {
  const lifetime = effective(config.current, 'draft_ttl_seconds') * 1000
  return [drafts.expire(now, lifetime), requests.expire(now, lifetime)]
}

/** Sets the alarm by the time to decide of the rules of now: an earlier alarm was set by those of before. */
export function wakeForExpiry(
  parts: WaitingParts & { readonly alarm: Pick<Alarm, 'wakeAt'> },
  now: number,
): void {
  for (const time of expireWaiting(parts, now)) if (time !== null) parts.alarm.wakeAt(time)
}

/** Does what is due, and sets the alarm for what is due next. */
export async function runAlarm(parts: DeferredParts): Promise<void> {
  const { alarm, store, webhook, passkeys, changes } = parts
  alarm.rang()
  // A slow receiver must not delay other work, so it is not awaited.
  void webhook.deliver(Date.now())
  const pause = await index(parts.search)
  const isReleasing = store.checkpoints.release()
  const soon = pause ?? (isReleasing ? INDEX_PAUSE_MS : null)
  const times = [
    await sweep(store),
    ...expireWaiting(parts, Date.now()),
    passkeys.expire(Date.now()),
    changes.expire(Date.now()),
    soon === null ? null : Date.now() + soon,
  ]
  const next = times.filter((time) => time !== null).toSorted((a, b) => a - b)[0]
  if (next !== undefined) await alarm.setFor(next)
}

/** Sweeps. Returns when the next sweep is due, or null. */
async function sweep(store: DeferredStore): Promise<number | null> {
  try {
    return await store.sweep(Date.now())
  } catch (error) {
    // An alarm that fails is not repeated if another job has set it for later.
    console.error(error)
    return Date.now() + FAILED_LATER_MS
  }
}

/** Indexes some batches. Returns the delay (ms) until the next ones, or null when nothing is left. */
async function index(search: DeferredIndex): Promise<number | null> {
  const filled = search.filled()
  let later = INDEX_LATER_MS
  try {
    if (!(await fillSome(search))) return null
  } catch (error) {
    // A file that cannot be read now must not stop the sweep.
    console.error(error)
    later = FAILED_LATER_MS
  }
  return search.filled() > filled ? INDEX_PAUSE_MS : later
}

/** Resolves to whether there is more to index. */
async function fillSome(search: DeferredIndex): Promise<boolean> {
  for (let batch = 1; batch < INDEX_BATCHES; batch++) {
    if (!(await search.fill())) return false
    await scheduler.wait(INDEX_TURN_MS)
  }
  return search.fill()
}
