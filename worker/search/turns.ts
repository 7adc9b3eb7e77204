/**
 * Turns: a search lets other requests run in between, and ends when its time or its steps are used up.
 *
 * The clock of a Worker advances only between turns, so a slow pattern needs short turns.
 * `test/worker/search/hostile-text.slow.test.ts` tests the limits.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import { MAX_SEARCH_MS, MAX_SEARCH_STEPS } from '../limits.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Meter } from './meter.ts'

/** Bytes searched before other requests get a turn; the size doubles while turns are short. */
const TURN_BYTES = { first: 256 * 1024, most: 8 * 1024 * 1024 }
const TURN_MS = 20

/** Steps after which other requests get a turn, about a fifth of a second; one line must not take more. */
const TURN_STEPS = 4_000_000

const TOO_SLOW = `Cannot finish the search: it takes more than ${MAX_SEARCH_MS / 1000} seconds. Narrow it with root or glob, or use a simpler pattern`
const TOO_MUCH = `Cannot finish the search: the pattern or a glob takes more than ${MAX_SEARCH_STEPS} steps. Narrow it with root or glob, or use a simpler pattern`

/** The caller that waits for a search. */
export interface Waiting {
  readonly progress?: (done: number, total: number | null) => Promise<void>
  readonly signal?: AbortSignal
}

/** The turns of one search. */
export type Turns = ReturnType<typeof createTurns>

/** Starts the turns of a search of `total` files. */
export function createTurns(total: number | null, { progress, signal }: Waiting) {
  const end = Date.now() + MAX_SEARCH_MS
  const meter: Meter = { left: TURN_STEPS }
  let steps = MAX_SEARCH_STEPS
  let length = TURN_BYTES.first
  let bytes = 0
  let searched = 0
  let reported = 0

  /** Records completed work. Returns false when the time or the steps are used up. */
  function taken(size: number, done: number): MaybePromise<boolean> {
    bytes += size
    searched = done
    return bytes < length && meter.left > 0 ? true : next()
  }

  /** Lets other requests have a turn. */
  async function next(): Promise<boolean> {
    steps -= TURN_STEPS - meter.left
    meter.left = TURN_STEPS
    bytes = 0
    const before = Date.now()
    // The value must increase with each notification (MCP, progress), and one file can take several turns.
    if (searched > reported) await progress?.(searched, total)
    reported = searched
    await scheduler.wait(0)
    signal?.throwIfAborted()
    const now = Date.now()
    if (now - before < TURN_MS) length = Math.min(length * 2, TURN_BYTES.most)
    return now < end && steps > 0
  }

  /** Runs work that comes in parts, with turns in between. */
  function finish<T>(work: Work<T>, refusal = TOO_MUCH): MaybePromise<Result<T, Problem>> {
    const { done, value } = work.next()
    return done ? resultOf(value, refusal) : finishLater(work, refusal)
  }

  async function finishLater<T>(work: Work<T>, refusal: string): Promise<Result<T, Problem>> {
    while (await next()) {
      const { done, value } = work.next()
      if (done) return resultOf(value, refusal)
    }
    return err(problem())
  }

  const problem = (): Problem => ({
    reason: 'over_budget',
    detail: steps > 0 ? TOO_SLOW : TOO_MUCH,
  })
  return { taken, finish, problem, meter }
}

function resultOf<T>(value: T | null, refusal: string): Result<T, Problem> {
  return value === null ? err({ reason: 'over_budget', detail: refusal }) : ok(value)
}

/** Yields where a turn may end; returns null when one part takes more than a turn. */
export type Work<T> = Generator<undefined, T | null, undefined>
