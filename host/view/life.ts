/**
 * The lifecycle of a view: loads the resource once, connects the app, reconnects it when its frame
 * is lost, and closes it in order.
 *
 * Every step belongs to a run. A new run, or the end, aborts the previous one, and its late results
 * are dropped.
 *
 * @module
 */

import type { McpView } from './element.ts'
import { numberOf } from './events.ts'
import { Fault } from './fault.ts'
import type { Prepared } from './frame.ts'
import { FIRST_RETRY, INIT_TIMEOUT, LAST_RETRY, MAX_RETRIES } from './limits.ts'
import { isApp } from './resource.ts'
import { within } from './rpc.ts'
import { createSession, type Session } from './session.ts'
import type { ErrorCode, ViewState } from './types.ts'

/** The lifecycle of one element. */
export interface Life {
  readonly session: () => Session | null
  /** Starts, after closing the running app. */
  readonly start: () => Promise<void>
  /** Asks the app to end, then removes its frame. */
  readonly close: () => Promise<void>
  /** Ends at once, without asking the app: its frame is already gone. */
  readonly drop: () => void
}

/**
 * Creates a lifecycle, in the state `idle`.
 *
 * @param load Loads the resource and finds the sandbox.
 * @param begun Called with each new session; it must put the frame into the document.
 * @param enter Called with each new state, and with the error for `failed`.
 */
export function createLife(
  view: McpView,
  load: (signal: AbortSignal) => Promise<Prepared>,
  begun: (session: Session) => void,
  enter: (state: ViewState, fault?: Fault<ErrorCode>) => void,
): Life {
  let session: Session | null = null
  let run = new AbortController()
  let timer = 0
  let retries = 0

  function later(ms: number, act: () => void): void {
    timer = window.setTimeout(act, ms)
  }

  /** Aborts the current run and starts a new one; returns the previous session. */
  function renew(): Session | null {
    const before = session
    run.abort()
    run = new AbortController()
    clearTimeout(timer)
    session = null
    return before
  }

  async function end(): Promise<AbortSignal> {
    const before = renew()
    const { signal } = run
    await before?.leave()
    before?.drop()
    return signal
  }

  async function start(): Promise<void> {
    const signal = await end()
    if (signal.aborted) return
    retries = 0
    enter('loading')
    try {
      connect(await within(patience(), signal, load))
    } catch (error) {
      if (!signal.aborted) fail(error instanceof Fault ? error : readFault(error))
    }
  }

  const patience = () => numberOf(view, 'init-timeout', INIT_TIMEOUT)

  function connect(of: Prepared): void {
    session = createSession(view, of, { opened, lost: () => lost(of), fail })
    begun(session)
    enter('connecting')
    // The frame stays: its content may be useful, and a late handshake still makes the app ready.
    if (isApp(of.resource))
      later(patience(), () => enter('failed', new Fault('APP_DOES_NOT_START')))
    else enter('ready')
  }

  function opened(): void {
    clearTimeout(timer)
    enter('ready')
  }

  /** Reconnects after the app left its frame, with growing delays. */
  function lost(of: Prepared): void {
    renew()?.drop()
    if (retries >= MAX_RETRIES) return fail(new Fault('APP_DOES_NOT_STAY'))
    const first = numberOf(view, 'retry-delay', FIRST_RETRY)
    enter('connecting')
    later(Math.min(LAST_RETRY, first * 2 ** retries++), () => connect(of))
  }

  /** Ends the session after an error that only a new start can solve. */
  function fail(fault: Fault<ErrorCode>): void {
    renew()?.drop()
    enter('failed', fault)
  }

  async function close(): Promise<void> {
    const signal = await end()
    if (!signal.aborted) enter('closed')
  }

  function drop(): void {
    renew()?.drop()
    enter('closed')
  }

  return { session: () => session, start, close, drop }
}

/** Keeps the message of the server or the network. */
const readFault = (error: unknown) =>
  new Fault('READ_FAILED', error instanceof Error ? error.message : undefined)
