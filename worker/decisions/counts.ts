/**
 * Who waits for a decision, and how often there was one. Kept in memory: an eviction ends every call that waits.
 *
 * @module
 */

import { waitUntil } from '../wait-until.ts'
import { MAX_COUNTED_OWNERS, MAX_WAITING_CALLS } from '../limits.ts'

/** Creates the counts of decisions, by owner. */
export function createDecisionCounts() {
  const counts = new Map<string, number>()
  const waiting = new Map<string, Set<() => void>>()
  let total = 0
  /** The newest decision for an owner that is not counted any more. */
  let forgotten = 0
  function count(owner: string): void {
    counts.delete(owner)
    counts.set(owner, ++total)
    const [oldest] = counts
    if (counts.size <= MAX_COUNTED_OWNERS || oldest === undefined) return
    counts.delete(oldest[0])
    forgotten = oldest[1]
  }
  return {
    /** A number that grows with each decision for an owner, and sometimes with one for another. */
    count: (owner: string) => counts.get(owner) ?? forgotten,
    /** Records a decision, and resolves what waits for it. */
    add: (owner: string): void => {
      count(owner)
      for (const resolve of waiting.get(owner) ?? []) resolve()
    },
    /** Resolves at the next decision for an owner, after `ms`, or when `signal` is aborted. */
    next: (owner: string, ms: number, signal?: AbortSignal): Promise<void> =>
      waitFor(waiting, owner, ms, signal),
  }
}

async function waitFor(
  waiting: Map<string, Set<() => void>>,
  owner: string,
  ms: number,
  signal?: AbortSignal,
): Promise<void> {
  const calls = waiting.get(owner) ?? new Set()
  if (calls.size >= MAX_WAITING_CALLS || signal?.aborted) return
  waiting.set(owner, calls)
  await waitUntil(calls, ms, signal)
  if (calls.size === 0) waiting.delete(owner)
}
