/**
 * View side of MCP Apps: handshake, requests and notifications, without dependencies.
 *
 * `connectHost` resolves after the handshake; the view then subscribes to events of the host and
 * sends requests. Optional features that the host declines resolve to a negative result; only a
 * failed tool call or resource read throws. `test/views/bridge.test.ts` runs it against the
 * official host classes.
 *
 * @module
 */

import { recordOf, type JsonRecord } from '#core/json.ts'
import { BridgeError, CODES } from './bridge/error.ts'
import { createEvents, type Events } from './bridge/events.ts'
import { createPeer, type Peer } from './bridge/peer.ts'
import { contentsOf, contextOf, hostOf, reasonOf, resultOf } from './bridge/read.ts'
import { watchHeight } from './bridge/size.ts'
import type {
  CallOptions,
  ContentBlock,
  DisplayMode,
  EmbeddedResource,
  Host,
  HostContext,
  ResourceContents,
  ResourceLink,
  ToolResult,
} from './bridge/types.ts'

export { BridgeError } from './bridge/error.ts'
export type * from './bridge/types.ts'

/** Options of {@link connectHost}. */
export interface ConnectOptions {
  /** Name and version of the view, sent as `appInfo`. */
  readonly name: string
  readonly version: string
  /** The display modes that the view can be shown in. */
  readonly displayModes?: readonly DisplayMode[]
  /** Time limit of the handshake in milliseconds; 30 seconds by default. */
  readonly timeoutMs?: number
}

/** Content for the model's next turn, as `ui/update-model-context` takes it. */
export interface ModelContext {
  readonly content?: readonly ContentBlock[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
}

/** A connection to the host, from the handshake until `close()`. */
export interface Bridge {
  /** Name, version and capabilities of the host. */
  readonly host: Host
  /** The current host context; a new object after each `context` event. */
  readonly context: HostContext
  /**
   * Subscribes to an event. The last input, partial, result and cancellation are replayed to a late
   * listener.
   *
   * @returns A function that unsubscribes.
   */
  readonly on: Events['on']
  /**
   * Calls a tool of the view's own server.
   *
   * @throws {BridgeError} When the call could not run; a tool that ran and failed resolves with
   *   `isError`.
   */
  callTool(
    name: string,
    args: JsonRecord,
    options?: CallOptions & { readonly meta?: JsonRecord },
  ): Promise<ToolResult>
  /**
   * Reads a resource of the view's own server.
   *
   * @throws {BridgeError} When the read failed.
   */
  readResource(uri: string, options?: CallOptions): Promise<{ contents: ResourceContents[] }>
  /** Asks the host to open a link; false if it declines. */
  openLink(url: string): Promise<boolean>
  /** Sends a message in the user's name; false if the host declines. */
  sendMessage(text: string): Promise<boolean>
  /**
   * Sets the content that the model receives with its next turn, replacing the previous one; false
   * if the host declines.
   */
  updateModelContext(update: ModelContext): Promise<boolean>
  /** Requests a display mode; resolves to the mode in force afterwards. */
  requestDisplayMode(mode: DisplayMode): Promise<string>
  /** Asks the host to download files; false if it declines. */
  downloadFile(contents: readonly (EmbeddedResource | ResourceLink)[]): Promise<boolean>
  /** Sends a log message to the host. */
  log(level: string, data: unknown): void
  /**
   * Reports the height of the page to the host from now on.
   *
   * @returns A function that stops reporting.
   */
  reportSize(): () => void
  /** Asks the host to remove the view. */
  requestTeardown(): void
  /** Stops listening and rejects all pending requests. */
  close(): void
}

const PROTOCOL_VERSION = '2026-01-26'

const HANDSHAKE_MS = 30_000

/** Below the time that hosts wait before they remove a view: about a second. */
const TEARDOWN_MS = 900

/**
 * Connects a view to the host that embeds it.
 *
 * @param options Name and version of the view, its display modes, and the time limit.
 * @returns The connection, after the host has answered `ui/initialize`.
 * @throws {BridgeError} When the page is not embedded, or the host does not answer in time or
 *   refuses.
 * @example
 * ```ts
 * const bridge = await connectHost({ name: 'clock', version: '1.0.0' })
 * bridge.on('result', ({ structuredContent }) => draw(structuredContent))
 * const stop = bridge.reportSize()
 * const result = await bridge.callTool('get_time', { zone: 'UTC' })
 * ```
 */
export async function connectHost(options: ConnectOptions): Promise<Bridge> {
  if (parent === window) throw new BridgeError(CODES.failed, 'There is no host round this page')
  const events = createEvents()
  const state: State = { context: {} }
  const peer = createPeer(parent, {
    answer: (method, params) => answer(method, params, events),
    hear: (method, params) => hear(method, params, events, state),
  })
  try {
    const shaken = await shakeHands(peer, options)
    state.context = contextOf(shaken['hostContext'])
    peer.notify('ui/notifications/initialized', {})
    return bridgeOver(peer, events, state, hostOf(shaken), options.name)
  } catch (error) {
    peer.close()
    throw error
  }
}

interface State {
  context: HostContext
}

async function shakeHands(
  peer: Peer,
  { name, version, displayModes, timeoutMs = HANDSHAKE_MS }: ConnectOptions,
): Promise<JsonRecord> {
  const params = {
    protocolVersion: PROTOCOL_VERSION,
    appInfo: { name, version },
    appCapabilities: { ...(displayModes && { availableDisplayModes: displayModes }) },
  }
  return recordOf(await peer.request('ui/initialize', params, { timeoutMs }))
}

function answer(method: string, params: JsonRecord, events: Events): Promise<object> | undefined {
  if (method === 'ping') return Promise.resolve({})
  return method === 'ui/resource-teardown' ? tearDown(params, events) : undefined
}

async function tearDown(params: JsonRecord, events: Events): Promise<object> {
  const late = new Promise((resolve) => setTimeout(resolve, TEARDOWN_MS))
  await Promise.race([events.ask('teardown', reasonOf(params)), late])
  return {}
}

const LIST_CHANGED = /^notifications\/(tools|resources|prompts)\/list_changed$/

function hear(method: string, params: JsonRecord, events: Events, state: State): void {
  const args = { arguments: recordOf(params['arguments']) }
  if (method === 'ui/notifications/tool-input') events.emit('input', args)
  else if (method === 'ui/notifications/tool-input-partial') events.emit('partial', args)
  else if (method === 'ui/notifications/tool-result') events.emit('result', resultOf(params))
  else if (method === 'ui/notifications/tool-cancelled') events.emit('cancelled', reasonOf(params))
  else if (method === 'ui/notifications/host-context-changed') {
    state.context = { ...state.context, ...contextOf(params) }
    events.emit('context', state.context)
  }
  const what = LIST_CHANGED.exec(method)?.[1]
  if (what === 'tools' || what === 'resources' || what === 'prompts')
    events.emit('changed', { what })
}

function bridgeOver(peer: Peer, events: Events, state: State, host: Host, name: string): Bridge {
  /** Sends a request that the host may decline; null if it did. */
  const may = async (method: string, params: object): Promise<JsonRecord | null> => {
    try {
      const result = recordOf(await peer.request(method, params))
      return result['isError'] === true ? null : result
    } catch (error) {
      if (error instanceof BridgeError) return null
      throw error
    }
  }
  const does = async (method: string, params: object) => (await may(method, params)) !== null

  return {
    host,
    get context() {
      return state.context
    },
    on: events.on,
    async callTool(tool, args, { meta, ...options } = {}) {
      const params = { name: tool, arguments: args, ...(meta && { _meta: meta }) }
      return resultOf(await peer.request('tools/call', params, options))
    },
    async readResource(uri, options) {
      return contentsOf(await peer.request('resources/read', { uri }, options))
    },
    openLink: (url) => does('ui/open-link', { url }),
    sendMessage: (text) => does('ui/message', { role: 'user', content: [{ type: 'text', text }] }),
    updateModelContext: (update) => does('ui/update-model-context', update),
    async requestDisplayMode(mode) {
      const { availableDisplayModes, displayMode = 'inline' } = state.context
      if (availableDisplayModes && !availableDisplayModes.includes(mode)) return displayMode
      const granted = (await may('ui/request-display-mode', { mode }))?.['mode']
      return typeof granted === 'string' ? granted : displayMode
    },
    downloadFile: (contents) => does('ui/download-file', { contents }),
    log: (level, data) => peer.notify('notifications/message', { level, logger: name, data }),
    reportSize: () =>
      watchHeight((height) => peer.notify('ui/notifications/size-changed', { height })),
    requestTeardown: () => peer.notify('ui/notifications/request-teardown', {}),
    close: () => peer.close(),
  }
}
