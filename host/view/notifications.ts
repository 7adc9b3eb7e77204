/**
 * Notifications in both directions: those of the app, and those that wait until it is ready.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { setHeight } from './context.ts'
import { askPage, emit, emitOwnLog } from './events.ts'
import { label } from './json.ts'
import { ECHO_TIME, MAX_ECHOES, TOOLS_INTERVAL } from './limits.ts'
import type { ViewHost } from './types.ts'

/** MCP Apps notification: arguments received so far, while they are streamed. */
export const PARTIAL = 'ui/notifications/tool-input-partial'
/** MCP Apps notification: the result of the tool call. */
export const RESULT = 'ui/notifications/tool-result'
/** MCP Apps notification: the tool call ended without a result. */
export const CANCELLED = 'ui/notifications/tool-cancelled'

type Notify = (method: string, params: JsonRecord) => void

/**
 * Creates the handler of an app's notifications; unknown ones are ignored.
 *
 * @param begin Called when the app is initialized.
 */
export function createNotificationHandler(
  view: ViewHost,
  frame: HTMLElement,
  begin: () => void,
): Notify {
  let timer = 0
  const follow = createDamper((height) => setHeight(view, frame, height))

  async function teardown(): Promise<void> {
    if ((await askPage(view, 'mcp-teardown-request', {})) && frame.isConnected) await view.close()
  }

  /** The older form, by which an app reports that it has ended. */
  function endApp(): void {
    emitOwnLog(view, 'warning', 'ui/notifications/teardown is read as the end of the app')
    if (frame.isConnected) void view.close()
  }

  function emitTools(): void {
    timer ||= setTimeout(() => {
      timer = 0
      emit(view, 'mcp-app-tools', null)
    }, TOOLS_INTERVAL)
  }

  return (method, params) => {
    if (method === 'ui/notifications/initialized') begin()
    else if (method === 'ui/notifications/size-changed') resize(view, follow, params)
    else if (method === 'ui/notifications/request-teardown') void teardown()
    else if (method === 'ui/notifications/teardown') endApp()
    else if (method === 'notifications/message') emitLog(view, params)
    else if (method === 'notifications/tools/list_changed') emitTools()
  }
}

type Follow = (height: number) => void

/**
 * Follows the heights that an app reports, unless each is the answer to the one before: an app with `100vh` and a padding
 * would grow without end. Growth that is alike again and again is held back. A further report then is of the content,
 * because nothing was resized; without one, the held height is tried once.
 */
function createDamper(apply: Follow): Follow {
  let [followed, held, growth, ratio, echoes, timer] = [0, -1, 0, 0, 0, 0]

  function follow(height: number): void {
    followed = height
    held = -1
    apply(height)
  }

  return (height) => {
    if (height === held) return
    clearTimeout(timer)
    const before = [growth, ratio] as const
    growth = height - followed
    ratio = height / followed
    const isAlike = Math.abs(growth - before[0]) <= 1 || Math.abs(ratio - before[1]) < 0.002
    echoes = held < 0 && growth > 0 && isAlike ? echoes + 1 : 0
    if (echoes < MAX_ECHOES) return follow(height)
    held = height
    if (echoes === MAX_ECHOES) timer = setTimeout(follow, ECHO_TIME, height)
  }
}

function resize(view: ViewHost, follow: Follow, { width, height }: JsonRecord): void {
  if (isSize(height) && view.displayMode === 'inline') follow(height)
  emit(view, 'mcp-size', { ...(isSize(width) && { width }), ...(isSize(height) && { height }) })
}

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < Infinity

function emitLog(view: ViewHost, { level, logger, data }: JsonRecord): void {
  emit(view, 'mcp-log', { level: label(level) ?? 'info', logger: label(logger) ?? 'app', data })
}

/** Notifications for the app, in the order that MCP Apps requires. */
export interface Outbox {
  /** Sends a notification, or queues it until {@link Outbox.open}. */
  readonly notify: Notify
  /** Sends the tool's input once the app is ready, unless it was sent before. */
  readonly sendInput: () => void
  /** Sends what is queued, the tool's input first. */
  readonly open: () => void
}

/**
 * Creates a closed outbox. It queues the newest notification of each method, as each replaces the ones before: a limit
 * on their number would drop the result of the tool first.
 *
 * @param post Sends a notification to the app.
 */
export function createOutbox(view: Pick<ViewHost, 'toolInput'>, post: Notify): Outbox {
  /** Null once the outbox is open. */
  let queue: Map<string, JsonRecord> | null = new Map()
  let hasInput = false

  function sendInput(): void {
    if (queue || hasInput) return
    hasInput = true
    post('ui/notifications/tool-input', { arguments: view.toolInput ?? {} })
  }

  function notify(method: string, params: JsonRecord): void {
    if (queue) {
      queue.delete(method) // a map keeps the order of the first insertion
      queue.set(method, params)
    } else if (method !== PARTIAL || !hasInput) {
      if (method === RESULT) sendInput()
      post(method, params)
    }
  }

  function open(): void {
    const queued = queue ?? []
    queue = null
    if (view.toolInput) sendInput()
    for (const message of queued) notify(...message)
  }

  return { notify, sendInput, open }
}
