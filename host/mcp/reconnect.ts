/**
 * Reopens a broken session: after 1 s, 2 s, 4 s and so on up to 30 s, for as long as a retry can
 * help.
 *
 * A request meanwhile starts the next attempt at once. A problem that waiting cannot solve, such as
 * a revoked link, ends the connection. `test/host/mcp/reconnect.test.ts` covers it.
 *
 * @module
 */

import {
  CLOSED,
  ConnectionError,
  type ConnectionProblem,
  type ProblemKind,
  problemOf,
} from './errors.ts'
import type { ConnectionState } from './connection.ts'

/** Delay before the first attempt; it doubles with each one. */
const RETRY_DELAY_MS = 1_000
const MAX_RETRY_DELAY_MS = 30_000

/** Kinds of problems that a retry may solve. */
const TEMPORARY: ReadonlySet<ProblemKind> = new Set<ProblemKind>([
  'unreachable',
  'cors',
  'timeout',
  'server',
  'closed',
  'unknown',
])

/** What a reconnecting session needs from its owner. */
export interface ReconnectingParts<S> {
  readonly open: () => Promise<S>
  /** Called with each new session before it is used. */
  readonly onOpen: (session: S) => void
  /** Called with a session that is no longer used; it must be closed here. */
  readonly release: (session: S) => void
  readonly onChange: (state: ConnectionState) => void
}

/** A session that is replaced when it breaks. */
export class Reconnecting<S> {
  readonly #parts: ReconnectingParts<S>
  #last: S
  #state: ConnectionState = { name: 'open' }
  #wake = () => {}
  #attempt: Promise<void> = Promise.resolve()

  /** @param first A session that is open already. */
  constructor(first: S, parts: ReconnectingParts<S>) {
    this.#last = first
    this.#parts = parts
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** The session that was opened last. */
  get last(): S {
    return this.#last
  }

  /**
   * Resolves with the open session, or with the next one.
   *
   * @throws {ConnectionError} If the next attempt fails or the connection is closed.
   */
  async current(): Promise<S> {
    if (this.#state.name === 'reconnecting') {
      this.#wake()
      await this.#attempt
    }
    if (this.#isOpen()) return this.#last
    throw new ConnectionError(readProblem(this.#state))
  }

  /** Reports a session as broken; ignored unless it is the current one. */
  reportBroken(session: S, problem: ConnectionProblem): void {
    if (!this.#isOpen() || session !== this.#last) return
    this.#parts.release(session)
    void this.#reconnect(problem)
  }

  /** Starts the next attempt now. */
  retryNow(): void {
    this.#wake()
  }

  /** Ends it for good and releases the open session. */
  close(): void {
    if (this.#isClosed()) return
    const wasOpen = this.#isOpen()
    this.#enter({ name: 'closed', problem: null })
    this.#wake()
    if (wasOpen) this.#parts.release(this.#last)
  }

  async #reconnect(first: ConnectionProblem): Promise<void> {
    let problem: ConnectionProblem | null = first
    for (let attempts = 0; problem; attempts++) {
      if (!TEMPORARY.has(problem.kind)) return this.#enter({ name: 'closed', problem })
      const settled = Promise.withResolvers<void>()
      this.#attempt = settled.promise
      await this.#wait(problem, attempts)
      problem = this.#isClosed() ? null : await this.#tryToOpen()
      settled.resolve()
    }
  }

  async #wait(problem: ConnectionProblem, attempts: number): Promise<void> {
    const delay = Math.min(RETRY_DELAY_MS * 2 ** attempts, MAX_RETRY_DELAY_MS)
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, delay)
    this.#wake = resolve
    this.#enter({ name: 'reconnecting', problem, attempts, nextAt: Date.now() + delay })
    await promise
    clearTimeout(timer)
  }

  /** Returns the problem, or null if the session is open or no longer wanted. */
  async #tryToOpen(): Promise<ConnectionProblem | null> {
    try {
      const session = await this.#parts.open()
      if (this.#isClosed()) this.#parts.release(session)
      else this.#accept(session)
      return null
    } catch (error) {
      return this.#isClosed() ? null : problemOf(error)
    }
  }

  #accept(session: S): void {
    this.#last = session
    this.#parts.onOpen(session)
    this.#enter({ name: 'open' })
  }

  #enter(next: ConnectionState): void {
    this.#state = next
    this.#parts.onChange(next)
  }

  // Methods, because the state may change during each await.
  #isOpen(): boolean {
    return this.#state.name === 'open'
  }

  #isClosed(): boolean {
    return this.#state.name === 'closed'
  }
}

function readProblem(state: ConnectionState): ConnectionProblem {
  const problem = state.name === 'open' ? null : state.problem
  return problem ?? CLOSED
}
