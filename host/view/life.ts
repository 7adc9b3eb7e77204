/**
 * From an address to a running app, and back when its frame is lost: loaded once, connected as often as it
 * takes, closed in order.
 *
 * Every step belongs to a run; a new run, or the end, aborts the one before, and whatever that still
 * brings is dropped.
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

export interface Life {
  readonly session: () => Session | null
  /** Begins, or begins anew after the running app was let go. */
  readonly start: () => Promise<void>
  readonly close: () => Promise<void>
  /** Ends at once: the frame is gone already. */
  readonly drop: () => void
}

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

  /** Begins a run, and answers what the one before leaves behind. */
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
    // What it shows may be worth seeing, and it may still begin: so the frame of a late app stays.
    if (isApp(of.resource))
      later(patience(), () => enter('failed', new Fault('APP_DOES_NOT_START')))
    else enter('ready')
  }

  function opened(): void {
    clearTimeout(timer)
    enter('ready')
  }

  /** The frame has gone away by itself. */
  function lost(of: Prepared): void {
    renew()?.drop()
    if (retries >= MAX_RETRIES) return fail(new Fault('APP_DOES_NOT_STAY'))
    const first = numberOf(view, 'retry-delay', FIRST_RETRY)
    enter('connecting')
    later(Math.min(LAST_RETRY, first * 2 ** retries++), () => connect(of))
  }

  /** What runs has come to an end that only a new start mends. */
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

/** In the words of whoever was asked for the resource. */
const readFault = (error: unknown) =>
  new Fault('READ_FAILED', error instanceof Error ? error.message : undefined)
