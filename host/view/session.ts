/**
 * One session with an app in its frame, from the handshake to the teardown.
 *
 * Nothing is sent to the app before `ui/notifications/initialized`; until then messages are queued,
 * at most the newest {@link MAX_QUEUED}. The tool's input is sent once, first. Host context is sent
 * when it differs from what was sent last.
 *
 * @module
 */

import { isRecord, type JsonRecord } from '#core/json.ts'
import { changed, contextOf, setHeight } from './context.ts'
import type { McpView } from './element.ts'
import { ask, tell } from './events.ts'
import { Fault, refused } from './fault.ts'
import { openFrame, type Prepared } from './frame.ts'
import { introduction } from './introduction.ts'
import { label, recordIn } from './json.ts'
import { FIRST_HEIGHT, MAX_QUEUED, TEARDOWN_TIMEOUT, TOOLS_PAUSE } from './limits.ts'
import { createMeter } from './meter.ts'
import { answer } from './requests.ts'
import { createPeer } from './rpc.ts'
import type { AppFacts, ErrorCode } from './types.ts'

/** A session with an app. */
export interface Session {
  readonly frame: HTMLIFrameElement
  readonly app: () => AppFacts | null
  /** Sends a notification once the app is ready. */
  readonly say: (method: string, params: JsonRecord) => void
  /** Sends the tool's input once the app is ready, unless it was sent before. */
  readonly sayInput: () => void
  /** Sends the changed members of the host context. */
  readonly update: () => void
  /** Sends a request to the app; rejects if it is not ready. */
  readonly ask: (method: string, params: JsonRecord, timeout: number) => Promise<unknown>
  /** Asks the app to end, and waits until it responds or its time is over. */
  readonly leave: () => Promise<unknown>
  /** Ends the session and removes the frame. */
  readonly drop: () => void
}

/** Callbacks for the end of the handshake, a lost frame, and a fatal error. */
export interface Fate {
  readonly opened: () => void
  readonly lost: () => void
  readonly fail: (fault: Fault<ErrorCode>) => void
}

/** MCP Apps notification: arguments received so far, while they are streamed. */
export const PARTIAL = 'ui/notifications/tool-input-partial'
/** MCP Apps notification: the result of the tool call. */
export const RESULT = 'ui/notifications/tool-result'
/** MCP Apps notification: the tool call ended without a result. */
export const CANCELLED = 'ui/notifications/tool-cancelled'

/**
 * Opens the frame and starts the session.
 *
 * @param prepared The resource and the sandbox's address.
 * @param fate Called when the app is ready, lost, or closed by an error.
 */
export function createSession(view: McpView, prepared: Prepared, fate: Fate): Session {
  const waiting: (readonly [method: string, params: JsonRecord])[] = []
  const fits = createMeter()
  let app: AppFacts | null = null
  let context: JsonRecord = {}
  let open = false
  let saidInput = false
  let toldTools = 0

  const { element: frame, post, close } = openFrame(prepared, received, fate.lost)
  const peer = createPeer(send, reply, told)
  setHeight(view, frame, FIRST_HEIGHT)

  function send(message: JsonRecord): void {
    traffic('sent', message)
    post(message)
  }

  function received(data: unknown): void {
    if (!fits(performance.now())) return fate.fail(new Fault('TOO_MANY_MESSAGES'))
    traffic('received', data)
    if (peer.receive(data)) return
    const { code, message } = new Fault('MALFORMED_MESSAGE')
    tell(view, 'mcp-error', { code, message })
  }

  function traffic(direction: 'sent' | 'received', message: unknown): void {
    if (view.hasAttribute('traffic')) tell(view, 'mcp-traffic', { direction, message })
  }

  async function reply(method: string, params: JsonRecord, signal: AbortSignal): Promise<unknown> {
    if (method === 'ping') return {}
    if (method === 'ui/initialize') return initialize(params)
    if (!app) throw refused('Call ui/initialize first')
    return answer(view, method, params, signal)
  }

  function initialize(params: JsonRecord): JsonRecord {
    const { title, name, version } = recordIn(params, 'appInfo')
    const info = { name: label(title) ?? label(name) ?? 'App', version: label(version) ?? '' }
    app = { info, capabilities: recordIn(params, 'appCapabilities') }
    context = contextOf(view, frame)
    return introduction(view, prepared.resource.declared, context)
  }

  function told(method: string, params: JsonRecord): void {
    if (method === 'ui/notifications/initialized') begin()
    else if (method === 'ui/notifications/size-changed') resize(params)
    else if (method === 'ui/notifications/request-teardown') void letGo()
    else if (method === 'notifications/message') appLog(params)
    else if (method === 'notifications/tools/list_changed') tellTools()
  }

  function begin(): void {
    if (!app || open) return
    open = true
    fate.opened()
    update()
    if (view.toolInput) sayInput()
    for (const [method, params] of waiting.splice(0)) say(method, params)
  }

  function resize({ width, height }: JsonRecord): void {
    if (isSize(height) && view.displayMode === 'inline') setHeight(view, frame, height)
    tell(view, 'mcp-size', { ...(isSize(width) && { width }), ...(isSize(height) && { height }) })
  }

  async function letGo(): Promise<void> {
    if ((await ask(view, 'mcp-teardown-request', {})) && frame.isConnected) await view.close()
  }

  function appLog({ level, logger, data }: JsonRecord): void {
    tell(view, 'mcp-log', { level: label(level) ?? 'info', logger: label(logger) ?? 'app', data })
  }

  function tellTools(): void {
    toldTools ||= window.setTimeout(() => {
      toldTools = 0
      tell(view, 'mcp-app-tools', null)
    }, TOOLS_PAUSE)
  }

  function say(method: string, params: JsonRecord): void {
    if (!open) {
      waiting.push([method, params])
      if (waiting.length > MAX_QUEUED) waiting.shift()
    } else if (method !== PARTIAL || !saidInput) {
      if (method === RESULT) sayInput()
      peer.notify(method, params)
    }
  }

  function sayInput(): void {
    if (!open || saidInput) return
    saidInput = true
    peer.notify('ui/notifications/tool-input', { arguments: view.toolInput ?? {} })
  }

  function update(): void {
    if (!open) return
    const before = context
    context = contextOf(view, frame)
    const news = changed(before, context)
    if (Object.keys(news).length > 0) peer.notify('ui/notifications/host-context-changed', news)
  }

  async function request(method: string, params: JsonRecord, timeout: number): Promise<unknown> {
    if (!open) throw refused('The app is not ready')
    return peer.request(method, params, timeout)
  }

  const leave = () =>
    request('ui/resource-teardown', { reason: 'closed' }, TEARDOWN_TIMEOUT).catch(() => null)

  function drop(): void {
    open = false
    peer.close()
    close()
  }

  return { frame, app: () => app, say, sayInput, update, ask: request, leave, drop }
}

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < Infinity

/** Returns the display modes that an app declares; null if it declares none. */
export function modesOf(app: AppFacts | null): readonly unknown[] | null {
  const modes = app?.capabilities['availableDisplayModes']
  return Array.isArray(modes) ? modes : null
}

/** Whether an app declares tools of its own. */
export const hasTools = (app: AppFacts | null) => isRecord(app?.capabilities['tools'])
