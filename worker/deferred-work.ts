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
import type { Comments } from './comments/comments.ts'
import { earliest, type Inbox } from './decisions/inbox.ts'
import type { Leases } from './leases/leases.ts'
import type { PageLinks } from './page-links/page-links.ts'
import type { Passkeys } from './passkeys/passkeys.ts'
import type { Trusts } from './trust/trusts.ts'
import type { Outbox } from './outbox/outbox.ts'

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

/** Where something can wait for the owner. */
export interface WaitingParts {
  readonly inbox: Pick<Inbox, 'expire'>
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
  readonly outbox: Pick<Outbox, 'deliver'>
  readonly passkeys: Pick<Passkeys, 'expire'>
  readonly trusts: Pick<Trusts, 'expire'>
  readonly leases: Pick<Leases, 'expire'>
  readonly changes: Pick<Changes, 'expire'>
  readonly comments: Pick<Comments, 'expire'>
  readonly pageLinks: Pick<PageLinks, 'expire'>
}

/** Sets the alarm by the time to decide of the rules of now: an earlier alarm was set by those of before. */
export function wakeForExpiry(
  { inbox, alarm }: WaitingParts & { readonly alarm: Pick<Alarm, 'wakeAt'> },
  now: number,
): void {
  const next = inbox.expire(now)
  if (next !== null) alarm.wakeAt(next)
}

/** Does what is due, and sets the alarm for what is due next. */
export async function runAlarm(parts: DeferredParts): Promise<void> {
  const { alarm, store, outbox, inbox, passkeys, trusts, leases, changes, comments, pageLinks } =
    parts
  alarm.rang()
  // A slow receiver must not delay other work, so it is not awaited.
  void outbox.deliver(Date.now())
  const pause = await index(parts.search)
  const isReleasing = store.checkpoints.release()
  const soon = pause ?? (isReleasing ? INDEX_PAUSE_MS : null)
  const next = earliest([
    await sweep(store),
    inbox.expire(Date.now()),
    passkeys.expire(Date.now()),
    trusts.expire(Date.now()),
    leases.expire(Date.now()),
    changes.expire(Date.now()),
    comments.expire(Date.now()),
    pageLinks.expire(Date.now()),
    soon === null ? null : Date.now() + soon,
  ])
  if (next !== null) await alarm.setFor(next)
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
