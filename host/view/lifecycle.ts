/**
 * The lifecycle of a view: loads the resource once, connects the app, reconnects it when its frame
 * is lost, and closes it in order.
 *
 * Every step belongs to a run. A new run, or the end, aborts the previous one, and its late results
 * are dropped.
 *
 * @module
 */

import { numberAttribute } from './dom.ts'
import { ViewError } from './errors.ts'
import type { Prepared } from './frame.ts'
import { INIT_TIMEOUT, MAX_RETRIES, MAX_RETRY_DELAY, RETRY_DELAY } from './limits.ts'
import { isApp } from './resource.ts'
import { withTimeout } from './rpc.ts'
import { createSession, type Session } from './session.ts'
import type { ErrorCode, ViewHost, ViewState } from './types.ts'

/** The lifecycle of one element. */
export interface Lifecycle {
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
 * One long closure and not a class, because its private state then minifies to single letters, and
 * the element has a size limit.
 *
 * @param load Loads the resource and finds the sandbox.
 * @param onSession Called with each new session; it must put the frame into the document.
 * @param enter Called with each new state, and with the error for `failed`.
 */
export function createLifecycle(
  view: ViewHost,
  load: (signal: AbortSignal) => Promise<Prepared>,
  onSession: (session: Session) => void,
  enter: (state: ViewState, error?: ViewError<ErrorCode>) => void,
): Lifecycle {
  let session: Session | null = null
  let run = new AbortController()
  let timer = 0
  let retries = 0

  /** Aborts the current run and starts a new one; returns the previous session. */
  function renew(): Session | null {
    const before = session
    run.abort()
    run = new AbortController()
    clearTimeout(timer)
    session = null
    return before
  }

  /** Ends the session at once and enters a state. */
  function end(state: ViewState, error?: ViewError<ErrorCode>): void {
    renew()?.close()
    enter(state, error)
  }

  /** Asks the app to end, then enters a state, unless something else began meanwhile. */
  async function endInOrder(state: ViewState): Promise<AbortSignal> {
    const before = renew()
    const { signal } = run
    await before?.teardown()
    before?.close()
    if (!signal.aborted) enter(state)
    return signal
  }

  async function start(): Promise<void> {
    const signal = await endInOrder('loading')
    if (signal.aborted) return
    retries = 0
    try {
      connect(await withTimeout(initTimeout(view), signal, load))
    } catch (error) {
      if (!signal.aborted) end('failed', readError(error))
    }
  }

  function connect(prepared: Prepared): void {
    const { signal } = run
    session = createSession(view, prepared, {
      opened,
      // An app that is asked to end may still reload or fail, which must not end the run after it.
      lost: () => signal.aborted || reconnect(prepared),
      fail: (error) => signal.aborted || end('failed', error),
    })
    onSession(session)
    enter('connecting')
    if (!isApp(prepared.resource)) return enter('ready')
    // The frame stays: its content may be useful, and a late handshake still makes the app ready.
    timer = setTimeout(enter, initTimeout(view), 'failed', new ViewError('APP_DOES_NOT_START'))
  }

  function opened(): void {
    clearTimeout(timer)
    enter('ready')
  }

  /** Reconnects after the app left its frame, with growing delays. */
  function reconnect(prepared: Prepared): void {
    if (retries >= MAX_RETRIES) return end('failed', new ViewError('APP_DOES_NOT_STAY'))
    end('connecting')
    const delay = numberAttribute(view, 'retry-delay', RETRY_DELAY) * 2 ** retries++
    timer = setTimeout(connect, Math.min(MAX_RETRY_DELAY, delay), prepared)
  }

  return {
    session: () => session,
    start,
    close: async () => void (await endInOrder('closed')),
    drop: () => end('closed'),
  }
}

const initTimeout = (view: ViewHost) => numberAttribute(view, 'init-timeout', INIT_TIMEOUT)

/** Keeps the message of the server or the network. */
function readError(error: unknown): ViewError<ErrorCode> {
  if (error instanceof ViewError) return error
  return new ViewError('READ_FAILED', error instanceof Error ? error.message : undefined)
}
