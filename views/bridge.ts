/**
 * The bridge: a view's side of MCP Apps, from the handshake to its end, without dependencies.
 *
 * `connectHost` answers when the host has; from then on a view listens to what it is told and asks
 * for what it needs. A host may do less than the protocol knows, so what it declines is an answer,
 * and only a tool call or a read that fails throws. `test/views/bridge.test.ts` holds it against the
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

export interface ConnectOptions {
  /** The view's own name and version. */
  readonly name: string
  readonly version: string
  /** The display modes that the view can be shown in. */
  readonly displayModes?: readonly DisplayMode[]
  /** Milliseconds for the handshake. */
  readonly timeoutMs?: number
}

export interface ModelContext {
  readonly content?: readonly ContentBlock[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
}

export interface Bridge {
  readonly host: Host
  readonly context: HostContext
  /** Begins to listen, and answers how to end it. What came before is told to a late listener. */
  readonly on: Events['on']
  /** Calls a tool of the view's own server. Throws a {@link BridgeError} when it could not run. */
  callTool(
    name: string,
    args: JsonRecord,
    options?: CallOptions & { readonly meta?: JsonRecord },
  ): Promise<ToolResult>
  readResource(uri: string, options?: CallOptions): Promise<{ contents: ResourceContents[] }>
  openLink(url: string): Promise<boolean>
  sendMessage(text: string): Promise<boolean>
  /** Tells the model what it should know in its next turn. Replaces what was told before. */
  updateModelContext(update: ModelContext): Promise<boolean>
  /** Answers the mode that is in force afterwards. */
  requestDisplayMode(mode: DisplayMode): Promise<string>
  downloadFile(contents: readonly (EmbeddedResource | ResourceLink)[]): Promise<boolean>
  log(level: string, data: unknown): void
  /** Tells the host the height of the page from now on. Answers how to end it. */
  reportSize(): () => void
  requestTeardown(): void
  close(): void
}

const PROTOCOL_VERSION = '2026-01-26'

const HANDSHAKE_MS = 30_000

/** Hosts wait about a second before they take a view away. */
const TEARDOWN_MS = 900

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
  /** Asks for what a host may decline. */
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
