/**
 * View side of MCP Apps: handshake, requests and notifications, without dependencies.
 *
 * `connectHost` resolves after the handshake; the view then subscribes to events of the host and
 * sends requests. Optional features that the host declines resolve to a negative result; only a
 * failed tool call or resource read throws. `test/views/bridge/bridge.test.ts` runs it against the
 * official host classes.
 *
 * @module
 */

import { recordOf, type JsonRecord } from '#core/json.ts'
import { APPS_PROTOCOL } from '#core/wire.ts'
import { BridgeError, CODES } from './bridge/error.ts'
import { createEvents, type Events } from './bridge/events.ts'
import { Peer } from './bridge/peer.ts'
import { handleNotification, handleRequest, type State } from './bridge/incoming.ts'
import { parseContents, parseContext, parseHost, parseResult } from './bridge/parse.ts'
import { observeHeight } from './bridge/size.ts'
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
  /** Name of the view for people, which a host may show instead. */
  readonly title?: string
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
   * Subscribes to an event. The last input, partial, progress, result and cancellation are replayed to a late
   * listener.
   *
   * @param event The name of the event.
   * @param listener Receives the value of the event. An error in it does not stop other listeners.
   * @returns A function that unsubscribes.
   */
  readonly on: Events['on']
  /**
   * Calls a tool of the view's own server.
   *
   * @param name The name of the tool.
   * @param args Its arguments.
   * @param options A signal, a time limit, and the `_meta` of the call.
   * @returns The result; one with `isError` if the tool ran and failed.
   * @throws {BridgeError} When the call could not run.
   * @example
   * ```ts
   * const { structuredContent } = await bridge.callTool('get_time', { zone: 'UTC' })
   * ```
   */
  callTool(
    name: string,
    args: JsonRecord,
    options?: CallOptions & { readonly meta?: JsonRecord },
  ): Promise<ToolResult>
  /**
   * Reads a resource of the view's own server.
   *
   * @param uri The URI of the resource.
   * @param options A signal and a time limit.
   * @returns The contents; malformed ones are left out.
   * @throws {BridgeError} When the read failed.
   * @example
   * ```ts
   * const { contents } = await bridge.readResource('file:///notes.md')
   * ```
   */
  readResource(uri: string, options?: CallOptions): Promise<{ contents: ResourceContents[] }>
  /**
   * Requests that the host opens a link.
   *
   * @param url The address.
   * @returns False if the host declines.
   */
  openLink(url: string): Promise<boolean>
  /**
   * Sends a message in the user's name.
   *
   * @param text The text of the message.
   * @returns False if the host declines.
   */
  sendMessage(text: string): Promise<boolean>
  /**
   * Sets the content that the model receives with its next turn, replacing the previous one.
   *
   * @param update Text blocks, structured content, or both.
   * @returns False if the host declines.
   */
  updateModelContext(update: ModelContext): Promise<boolean>
  /**
   * Requests a display mode.
   *
   * @param mode The mode to change to.
   * @returns The mode in force afterwards.
   */
  requestDisplayMode(mode: DisplayMode): Promise<string>
  /**
   * Requests that the host downloads files.
   *
   * @param contents Files with their contents, or links to them.
   * @returns False if the host declines.
   */
  downloadFile(contents: readonly (EmbeddedResource | ResourceLink)[]): Promise<boolean>
  /**
   * Sends a log message to the host.
   *
   * @param level A level of MCP, such as `info` or `error`.
   * @param data Any JSON value.
   */
  log(level: string, data: unknown): void
  /**
   * Reports the height of the page to the host from now on.
   *
   * @returns A function that stops reporting.
   */
  reportSize(): () => void
  /** Requests that the host removes the view. */
  requestTeardown(): void
  /** Stops listening and rejects all pending requests. */
  close(): void
}

const HANDSHAKE_MS = 30_000

/**
 * Connects a view to the host that embeds it.
 *
 * @param options Name and version of the view, its display modes, and the time limit.
 * @returns The connection, after the handshake.
 * @throws {BridgeError} When the page is not embedded, or the host does not respond in time or
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
  if (parent === window) throw new BridgeError(CODES.failed, 'This page is not embedded in a host')
  const events = createEvents()
  const state: State = { context: {} }
  const peer = new Peer(parent, {
    request: (method, params) => handleRequest(method, params, events),
    notification: (method, params) => handleNotification(method, params, events, state),
  })
  try {
    const handshake = await shakeHands(peer, options)
    state.context = parseContext(handshake['hostContext'])
    peer.notify('ui/notifications/initialized', {})
    return createBridge(peer, events, state, parseHost(handshake), options.name)
  } catch (error) {
    peer.close()
    throw error
  }
}

async function shakeHands(
  peer: Peer,
  { name, title, version, displayModes, timeoutMs = HANDSHAKE_MS }: ConnectOptions,
): Promise<JsonRecord> {
  const params = {
    protocolVersion: APPS_PROTOCOL,
    appInfo: { name, ...(title && { title }), version },
    appCapabilities: { ...(displayModes && { availableDisplayModes: displayModes }) },
  }
  return recordOf(await peer.request('ui/initialize', params, { timeoutMs }))
}

function createBridge(peer: Peer, events: Events, state: State, host: Host, name: string): Bridge {
  /** Sends a request that the host may decline; null if it did. */
  const request = async (method: string, params: object): Promise<JsonRecord | null> => {
    try {
      const result = recordOf(await peer.request(method, params))
      return result['isError'] === true ? null : result
    } catch (error) {
      if (error instanceof BridgeError) return null
      throw error
    }
  }
  const isGranted = async (method: string, params: object) =>
    (await request(method, params)) !== null

  return {
    host,
    get context() {
      return state.context
    },
    on: events.on,
    async callTool(tool, args, { meta, ...options } = {}) {
      const params = { name: tool, arguments: args, ...(meta && { _meta: meta }) }
      return parseResult(await peer.request('tools/call', params, options))
    },
    async readResource(uri, options) {
      return parseContents(await peer.request('resources/read', { uri }, options))
    },
    openLink: (url) => isGranted('ui/open-link', { url }),
    sendMessage: (text) =>
      isGranted('ui/message', { role: 'user', content: [{ type: 'text', text }] }),
    updateModelContext: (update) => isGranted('ui/update-model-context', update),
    async requestDisplayMode(mode) {
      const { availableDisplayModes, displayMode = 'inline' } = state.context
      if (availableDisplayModes && !availableDisplayModes.includes(mode)) return displayMode
      const granted = (await request('ui/request-display-mode', { mode }))?.['mode']
      return typeof granted === 'string' ? granted : displayMode
    },
    downloadFile: (contents) => isGranted('ui/download-file', { contents }),
    log: (level, data) => peer.notify('notifications/message', { level, logger: name, data }),
    reportSize: () =>
      observeHeight((height) => peer.notify('ui/notifications/size-changed', { height })),
    requestTeardown: () => peer.notify('ui/notifications/request-teardown', {}),
    close: () => peer.close(),
  }
}
