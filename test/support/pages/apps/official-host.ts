/**
 * A host made of the official `AppBridge`, as plain as it can be: one opaque frame, no proxy.
 *
 * It shows that the views of the product run in the host that others build on. What a view asks of its
 * server goes to the real one.
 *
 * @module
 */

import type { CallToolResult, ReadResourceResult } from '@modelcontextprotocol/client'
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

export interface OfficialSpec {
  readonly html: string
  /** The MCP address of the view's server. */
  readonly mcp: string
  readonly input?: Record<string, unknown>
  readonly result?: { readonly content: { type: 'text'; text: string }[] } & Record<string, unknown>
  readonly hostContext?: Record<string, unknown>
}

interface Seen {
  readonly type: string
  readonly detail: unknown
}

const seen: Seen[] = []
let bridge: AppBridge | undefined

async function show(spec: OfficialSpec): Promise<void> {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  document.body.append(frame)
  if (!frame.contentWindow) throw new Error('A frame in a page has a window')
  bridge = made(frame, spec)
  const ready = new Promise<void>((resolve) => {
    bridge?.addEventListener('initialized', () => resolve())
  })
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
  frame.srcdoc = spec.html
  await ready
  if (spec.input) await bridge.sendToolInput({ arguments: spec.input })
  if (spec.result) await bridge.sendToolResult(spec.result)
}

function made(frame: HTMLIFrameElement, { hostContext = {}, mcp }: OfficialSpec) {
  const capabilities = {
    openLinks: {},
    serverTools: {},
    serverResources: {},
    logging: {},
    downloadFile: {},
    message: { text: {} },
    updateModelContext: { text: {}, structuredContent: {} },
  }
  const info = { name: 'official', version: '2.0.4' }
  const host = new AppBridge(null, info, capabilities, { hostContext })
  host.addEventListener('sizechange', ({ height }) => {
    if (height !== undefined) frame.style.height = `${height}px`
    seen.push({ type: 'size', detail: { height } })
  })
  host.addEventListener('loggingmessage', (detail) => seen.push({ type: 'log', detail }))
  host.oncalltool = async (params) => {
    seen.push({ type: 'call', detail: params })
    return ask<CallToolResult>(mcp, 'tools/call', params.name, params)
  }
  host.onreadresource = async (params) => {
    seen.push({ type: 'read', detail: params })
    return ask<ReadResourceResult>(mcp, 'resources/read', params.uri, params)
  }
  host.onopenlink = async (detail) => answer('open-link', detail)
  host.onmessage = async (detail) => answer('message', detail)
  host.onupdatemodelcontext = async (detail) => answer('model-context', detail)
  host.ondownloadfile = async (detail) => answer('download', detail)
  host.onrequestdisplaymode = async ({ mode }) => {
    seen.push({ type: 'display-mode', detail: { mode } })
    return { mode: mode === 'fullscreen' ? mode : 'inline' }
  }
  return host
}

let last = 0

/** One request of protocol 2026-07-28, which needs no session. */
async function ask<T>(mcp: string, method: string, name: string, params: object): Promise<T> {
  const meta = {
    ...Object(Reflect.get(params, '_meta')),
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'official', version: '2.0.4' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const response = await fetch(mcp, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: ++last,
      method,
      params: { ...params, _meta: meta },
    }),
  })
  const { result, error } = (await response.json()) as { result?: T; error?: { message: string } }
  if (result === undefined) throw new Error(error?.message)
  return result
}

const VERSION = '2026-07-28'

function answer(type: string, detail: unknown) {
  seen.push({ type, detail })
  return {}
}

const driver = {
  show,
  ask,
  seen,
  app: () => ({ info: bridge?.getAppVersion(), capabilities: bridge?.getAppCapabilities() }),
  changeContext: (context: Record<string, unknown>) => bridge?.setHostContext(context),
  partial: (input: Record<string, unknown>) => bridge?.sendToolInputPartial({ arguments: input }),
  cancel: (reason: string) => bridge?.sendToolCancelled({ reason }),
  teardown: () => bridge?.teardownResource({}),
}

declare global {
  // oxlint-disable-next-line no-var -- the only word that declares a global
  var official: typeof driver
}

globalThis.official = driver
