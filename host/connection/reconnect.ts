/**
 * Reopens a broken session: after 1 s, 2 s, 4 s and so on up to 30 s, for as long as a retry can
 * help.
 *
 * A request meanwhile starts the next attempt at once. A problem that waiting cannot solve, such as
 * a revoked link, ends the connection. `test/host/connection-reconnect.test.ts` plays it through.
 *
 * @module
 */

import { CLOSED, ConnectionError, problemOf } from './problem.ts'
import type { ConnectionProblem, ConnectionState, ProblemKind } from './types.ts'

const FIRST_DELAY_MS = 1_000
const LONGEST_DELAY_MS = 30_000

/** Kinds of problems that a retry may solve. */
const PASSING: ReadonlySet<ProblemKind> = new Set<ProblemKind>([
  'unreachable',
  'cors',
  'timeout',
  'server',
  'closed',
  'unknown',
])

/** What a reconnecting session needs from its owner. */
export interface ReconnectingParts<L> {
  readonly open: () => Promise<L>
  /** Called with each new session before it is used. */
  readonly opened: (line: L) => void
  /** Called with a session that is no longer used; it must be closed here. */
  readonly release: (line: L) => void
  readonly changed: (state: ConnectionState) => void
}

/** A session that is replaced when it breaks. */
export interface Reconnecting<L> {
  readonly state: ConnectionState
  /** The session that was opened last. */
  readonly last: L
  /**
   * Resolves with the open session, or with the next one.
   *
   * @throws {ConnectionError} If the next attempt fails or the connection is closed.
   */
  current(): Promise<L>
  /** Reports a session as broken; ignored unless it is the current one. */
  lost(line: L, problem: ConnectionProblem): void
  /** Starts the next attempt now. */
  hurry(): void
  /** Ends it for good and releases the open session. */
  close(): void
}

/** Keeps a session open, starting with one that is open already. */
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

  /** Returns the problem, or null if the session is open or no longer wanted. */
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

  // Functions, because the state may change during each await.
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

/** A delay that can be cut short. */
function sleeping(ms: number): { over: Promise<void>; wake: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const wake = () => {
    clearTimeout(timer)
    resolve()
  }
  return { over: promise, wake }
}
