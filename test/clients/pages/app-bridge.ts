/** A host of the official `AppBridge` with a client of SDK 2. @module */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'
import { WITH_VIEWS } from '../capabilities.ts'

const { searchParams } = new URL(location.href)
const client = new Client(
  { name: 'app-bridge', version: '1' },
  { capabilities: WITH_VIEWS, versionNegotiation: { mode: 'auto' } },
)
const CAN = { serverTools: {}, serverResources: {}, openLinks: {} }

async function show(name: string, args: Record<string, unknown>): Promise<void> {
  const { tools } = await client.listTools()
  const ui = tools.find((tool) => tool.name === name)?._meta?.['ui']
  const uri = ui && typeof ui === 'object' && 'resourceUri' in ui ? String(ui.resourceUri) : ''
  const result = await client.callTool({ name, arguments: args })
  const { contents } = await client.readResource({ uri })
  const [page] = contents
  if (!page || !('text' in page)) throw new Error(`no page at ${uri}`)
  await embed(page.text, args, result)
}

async function embed(html: string, args: Record<string, unknown>, result: CallResult) {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.style.cssText = 'width: 100%; height: 600px' // what is not to be seen is not drawn
  document.body.replaceChildren(frame)
  if (!frame.contentWindow) throw new Error('A frame in a page has a window')
  const bridge = new AppBridge(client, { name: 'app-bridge', version: '1' }, CAN)
  const ready = new Promise<void>((resolve) => {
    bridge.addEventListener('initialized', () => resolve())
  })
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
  frame.srcdoc = html
  await ready
  await bridge.sendToolInput({ arguments: args })
  await bridge.sendToolResult(result)
}

type CallResult = Awaited<ReturnType<Client['callTool']>>

await client.connect(
  new StreamableHTTPClientTransport(new URL(searchParams.get('mcp') ?? '', location.href)),
)
const call = (name: string, args: Record<string, unknown>) =>
  client.callTool({ name, arguments: args })
Object.assign(globalThis, { host: { show, call } })
