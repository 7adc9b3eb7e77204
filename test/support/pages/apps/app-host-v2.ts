/** A host of `AppBridge` 2.x with a client of SDK 2. @module */

import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
} from '@modelcontextprotocol/client'
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'
import { SERVER, showApp, WITH_APPS } from './app-host.ts'

const INFO = { name: 'app-host', version: '2' }

const client = new Client(INFO, { capabilities: WITH_APPS, versionNegotiation: { mode: 'auto' } })
await client.connect(new StreamableHTTPClientTransport(SERVER))

await showApp<CallToolResult>({
  tools: async () => (await client.listTools()).tools,
  call: (name) => client.callTool({ name, arguments: {} }),
  read: async (uri) => (await client.readResource({ uri })).contents,
  async connect(target, { capabilities, context, ready, resize }) {
    const bridge = new AppBridge(client, INFO, capabilities, { hostContext: context })
    bridge.oninitialized = ready
    bridge.onsizechange = ({ height }) => {
      if (height !== undefined) resize(height)
    }
    await bridge.connect(new PostMessageTransport(target, target))
    const send = async (result: CallToolResult) => {
      await bridge.sendToolInput({ arguments: {} })
      await bridge.sendToolResult(result)
    }
    return { send, app: () => bridge.getAppVersion() }
  },
})
