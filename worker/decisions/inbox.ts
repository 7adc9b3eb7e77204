/**
 * The inbox of the owner: all kinds of what waits for a decision, with one time to decide and one count.
 *
 * A kind keeps its rows itself: a change waits until it is decided, an app or a skill for as long as its files are not those
 * that were approved. `test/worker/decisions/inbox.test.ts` has the cases.
 *
 * @module
 */

import type { OwnerConfig } from '../access/owner-config.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { effective } from '../store/limits.ts'

/** A kind of what waits. */
export interface WaitingKind {
  /** Counts what waits. */
  readonly countWaiting: () => MaybePromise<number>
  /**
   * Ends what has waited longer than `lifetimeMs` at the time `now`. Returns when the next will have, or null. Without it,
   * nothing of the kind expires.
   */
  readonly expire?: (now: number, lifetimeMs: number) => number | null
}

/** The kinds of what waits, by their names. */
export interface WaitingKinds {
  readonly changes: WaitingKind
  readonly requests: WaitingKind
  readonly apps: WaitingKind
  readonly skills: WaitingKind
}

/** The inbox of one workspace. */
export type Inbox = ReturnType<typeof createInbox>

/** Opens the inbox. */
export function createInbox(config: Pick<OwnerConfig, 'current'>, kinds: WaitingKinds) {
  const all: readonly WaitingKind[] = [kinds.changes, kinds.requests, kinds.apps, kinds.skills]
  const lifetimeMs = () => effective(config.current, 'draft_ttl_seconds') * 1000
  return {
    /** The time (ms) to decide by the rules of now. */
    lifetimeMs,
    /** Counts what waits, of each kind and in all. */
    count: async () => {
      const changes = await kinds.changes.countWaiting()
      const requests = await kinds.requests.countWaiting()
      const apps = await kinds.apps.countWaiting()
      const skills = await kinds.skills.countWaiting()
      return { waiting: changes + requests + apps + skills, requests, apps, skills }
    },
    /** Ends what had waited too long at a time. Returns when the next will have, or null. */
    expire: (now: number): number | null =>
      earliest(all.map(({ expire }) => (expire ? expire(now, lifetimeMs()) : null))),
  }
}

/** Returns the earliest of some times; null without any. */
export function earliest(times: readonly (number | null)[]): number | null {
  const next = Math.min(...times.map((time) => time ?? Infinity))
  return next === Infinity ? null : next
}

/** Ends what is due at a time. Returns when the next is due, or null. */
export function endDue<T>(
  waiting: readonly T[],
  now: number,
  dueOf: (one: T) => number,
  end: (one: T) => void,
): number | null {
  return earliest(
    waiting.map((one) => {
      const due = dueOf(one)
      if (due > now) return due
      end(one)
      return null
    }),
  )
}
