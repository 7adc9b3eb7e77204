/**
 * Something that is opened again when it breaks: after 1 s, 2 s, 4 s and at most 30 s, for as long as
 * there is hope.
 *
 * Whoever needs it meanwhile brings the next attempt forward. A problem that waiting does not mend,
 * such as a revoked link, ends it. `test/host/connection-reconnect.test.ts` plays it through.
 *
 * @module
 */

import { CLOSED, ConnectionError, problemOf } from './problem.ts'
import type { ConnectionProblem, ConnectionState, ProblemKind } from './types.ts'

const FIRST_DELAY_MS = 1_000
const LONGEST_DELAY_MS = 30_000

/** Kinds of problems that may be over by the next attempt. */
const PASSING: ReadonlySet<ProblemKind> = new Set<ProblemKind>([
  'unreachable',
  'cors',
  'timeout',
  'server',
  'closed',
  'unknown',
])

export interface ReconnectingParts<L> {
  readonly open: () => Promise<L>
  /** Told of each one that was opened, before anybody uses it. */
  readonly opened: (line: L) => void
  readonly release: (line: L) => void
  readonly changed: (state: ConnectionState) => void
}

export interface Reconnecting<L> {
  readonly state: ConnectionState
  /** The last one that was open. */
  readonly last: L
  /** The one that is open, or the next one. */
  current(): Promise<L>
  /** Says that this one is broken. */
  lost(line: L, problem: ConnectionProblem): void
  /** Waits no longer for the next attempt. */
  hurry(): void
  close(): void
}

export function createReconnecting<L>(first: L, parts: ReconnectingParts<L>): Reconnecting<L> {
  let last = first
  let state: ConnectionState = { name: 'open' }
  let wake = () => {}
  let attempt: Promise<void> = Promise.resolve()

  function become(next: ConnectionState): void {
    state = next
    parts.changed(next)
  }

  function lost(line: L, problem: ConnectionProblem): void {
    if (state.name !== 'open' || line !== last) return
    parts.release(line)
    void comeBack(problem)
  }

  async function comeBack(first: ConnectionProblem): Promise<void> {
    let problem = first
    for (let attempts = 0; ; attempts++) {
      if (!PASSING.has(problem.kind)) return become({ name: 'closed', problem })
      const delay = Math.min(FIRST_DELAY_MS * 2 ** attempts, LONGEST_DELAY_MS)
      const sleep = sleeping(delay)
      wake = sleep.wake
      const settled = Promise.withResolvers<void>()
      attempt = settled.promise
      become({ name: 'reconnecting', problem, attempts, nextAt: Date.now() + delay })
      await sleep.over
      const failed = isClosed() ? null : await tryToOpen()
      settled.resolve()
      if (failed === null) return
      problem = failed
    }
  }

  /** What is wrong, or null when it is open or nobody wants it any more. */
  async function tryToOpen(): Promise<ConnectionProblem | null> {
    try {
      const line = await parts.open()
      if (isClosed()) parts.release(line)
      else accept(line)
      return null
    } catch (error) {
      return isClosed() ? null : problemOf(error)
    }
  }

  function accept(line: L): void {
    last = line
    parts.opened(line)
    become({ name: 'open' })
  }

  async function current(): Promise<L> {
    if (state.name === 'reconnecting') {
      wake()
      await attempt
    }
    if (isOpen()) return last
    throw new ConnectionError(problemIn(state))
  }

  function close(): void {
    if (state.name === 'closed') return
    const wasOpen = isOpen()
    become({ name: 'closed', problem: null })
    wake()
    if (wasOpen) parts.release(last)
  }

  // Asked anew after each wait, because the state may have changed meanwhile.
  const isOpen = () => state.name === 'open'
  const isClosed = () => state.name === 'closed'

  return {
    get state() {
      return state
    },
    get last() {
      return last
    },
    current,
    lost,
    hurry: () => wake(),
    close,
  }
}

function problemIn(state: ConnectionState): ConnectionProblem {
  const problem = state.name === 'open' ? null : state.problem
  return problem ?? CLOSED
}

/** A wait that somebody may cut short. */
function sleeping(ms: number): { over: Promise<void>; wake: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const wake = () => {
    clearTimeout(timer)
    resolve()
  }
  return { over: promise, wake }
}
