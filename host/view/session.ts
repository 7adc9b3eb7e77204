/**
 * One session with an app in its frame, from the handshake to the teardown.
 *
 * Nothing is sent to the app before `ui/notifications/initialized` (`notifications.ts`). Host
 * context is sent when it differs from what was sent last.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { setHeight, trackContext } from './context.ts'
import { refused, ViewError } from './errors.ts'
import { emit, emitError } from './events.ts'
import { openFrame, type Prepared } from './frame.ts'
import { initializeResult, readApp } from './handshake.ts'
import { INITIAL_HEIGHT, TEARDOWN_TIMEOUT } from './limits.ts'
import { createNotificationHandler, createOutbox, type Outbox } from './notifications.ts'
import { handleRequest } from './requests.ts'
import { createPeer, createRateLimiter } from './rpc.ts'
import type { AppFacts, ErrorCode, ViewHost } from './types.ts'

/** A session with an app. */
export interface Session extends Omit<Outbox, 'open'> {
  readonly frame: HTMLIFrameElement
  readonly app: () => AppFacts | null
  /** Sends the changed members of the host context. */
  readonly update: () => void
  /** Sends a request to the app; rejects if it is not ready. */
  readonly request: (method: string, params: JsonRecord, timeout: number) => Promise<unknown>
  /** Asks the app to end, and waits until it responds or its time is over. */
  readonly teardown: () => Promise<unknown>
  /** Ends the session and removes the frame. */
  readonly close: () => void
}

/** Callbacks for the end of the handshake, a lost frame, and a fatal error. */
export interface SessionCallbacks {
  readonly opened: () => void
  readonly lost: () => void
  readonly fail: (error: ViewError<ErrorCode>) => void
}

/**
 * Opens the frame and starts the session.
 *
 * @param prepared The resource and the sandbox's address.
 * @param on Called when the app is ready, lost, or closed by an error.
 */
export function createSession(view: ViewHost, prepared: Prepared, on: SessionCallbacks): Session {
  const isWithinRate = createRateLimiter()
  const { element, post, close } = openFrame(prepared, receive, on.lost)
  const peer = createPeer(send, answer, createNotificationHandler(view, element, begin))
  const outbox = createOutbox(view, peer.notify)
  let takeChanges = trackContext(view, element)
  let app: AppFacts | null = null
  let isOpen = false
  setHeight(view, element, INITIAL_HEIGHT)

  function send(message: JsonRecord): void {
    emitTraffic(view, 'sent', message)
    post(message)
  }

  function receive(data: unknown): void {
    if (!isWithinRate(performance.now())) return on.fail(new ViewError('TOO_MANY_MESSAGES'))
    emitTraffic(view, 'received', data)
    if (!peer.receive(data)) emitError(view, new ViewError('MALFORMED_MESSAGE'))
  }

  async function answer(method: string, params: JsonRecord, signal: AbortSignal): Promise<unknown> {
    if (method === 'ping') return {}
    if (method === 'ui/initialize') {
      app = readApp(params)
      takeChanges = trackContext(view, element)
      return initializeResult(view, prepared.resource.declared, takeChanges())
    }
    if (!app) throw refused('Call ui/initialize first')
    return handleRequest(view, method, params, signal)
  }

  function begin(): void {
    if (!app || isOpen) return
    isOpen = true
    on.opened()
    update()
    if (isOpen) outbox.open() // unless a listener of the event has ended the session
  }

  function update(): void {
    const changes = isOpen ? takeChanges() : {}
    if (Object.keys(changes).length > 0)
      peer.notify('ui/notifications/host-context-changed', changes)
  }

  async function request(method: string, params: JsonRecord, timeout: number): Promise<unknown> {
    if (!isOpen) throw refused('The app is not ready')
    return peer.request(method, params, timeout)
  }
  const teardown = () =>
    request('ui/resource-teardown', { reason: 'closed' }, TEARDOWN_TIMEOUT).catch(() => null)

  function end(): void {
    isOpen = false
    peer.close()
    close()
  }
  return { ...outbox, frame: element, app: () => app, update, request, teardown, close: end }
}

function emitTraffic(view: ViewHost, direction: 'sent' | 'received', message: unknown): void {
  if (view.hasAttribute('traffic')) emit(view, 'mcp-traffic', { direction, message })
}
