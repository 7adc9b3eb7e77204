/** A host of `AppBridge` 1.x with a client of SDK 1, which speaks the older protocol with sessions. @module */

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { AppBridge, PostMessageTransport } from 'ext-apps-v1/app-bridge'
import { SERVER, showApp, WITH_APPS } from './app-host.ts'

const INFO = { name: 'app-host', version: '1' }

const client = new Client(INFO, { capabilities: WITH_APPS })
await client.connect(new StreamableHTTPClientTransport(SERVER))

await showApp<CallToolResult>({
  tools: async () => (await client.listTools()).tools,
  call: async (name) => CallToolResultSchema.parse(await client.callTool({ name, arguments: {} })),
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
