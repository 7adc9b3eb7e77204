/** A host of mcp-ui's `AppRenderer`, which brings SDK 1 along. @module */

import { AppRenderer } from '@mcp-ui/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { createRoot } from 'react-dom/client'
import { WITH_VIEWS } from '../capabilities.ts'

const { searchParams } = new URL(location.href)
const client = new Client({ name: 'app-renderer', version: '1' }, { capabilities: WITH_VIEWS })
const root = createRoot(document.getElementById('root') ?? document.body)

async function show(name: string, args: Record<string, unknown>): Promise<void> {
  const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: args }))
  const sandbox = { url: new URL(`http://127.0.0.1:${location.port}/sandbox`) }
  root.render(
    <AppRenderer
      key={name}
      {...{ client, sandbox }}
      toolName={name}
      toolInput={args}
      toolResult={result}
    />,
  )
}

await client.connect(
  new StreamableHTTPClientTransport(new URL(searchParams.get('mcp') ?? '', location.href)),
)
await client.listTools()
const call = (name: string, args: Record<string, unknown>) =>
  client.callTool({ name, arguments: args })
Object.assign(globalThis, { host: { show, call } })
