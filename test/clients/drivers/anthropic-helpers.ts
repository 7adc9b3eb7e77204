/** The MCP helpers of Anthropic's SDK with its tool runner, over both generations of the SDK. @module */

import Anthropic from '@anthropic-ai/sdk'
import { mcpTools } from '@anthropic-ai/sdk/helpers/beta/mcp'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { byModel } from '../agent.ts'
import type { Driver } from '../session.ts'

async function connect(url: URL, mode: string) {
  const info = { name: 'anthropic-helpers', version: '1' }
  if (mode === 'sdk 1') {
    const client = new ClientV1(info)
    await client.connect(new TransportV1(url))
    return client
  }
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(url))
  return client
}

export const driver: Driver = {
  open: ({ url }, mode) =>
    byModel(async (model) => {
      const client = await connect(new URL(url), mode)
      const { tools: listed } = await client.listTools()
      // @ts-expect-error: SDK 2 says unknown of structured content where the helper says object
      const tools = mcpTools(listed, client)
      const anthropic = new Anthropic({ baseURL: model.url, apiKey: 'none', maxRetries: 0 })
      return {
        run: (prompt) =>
          anthropic.beta.messages
            .toolRunner({
              model: 'claude-sonnet-4-5',
              max_tokens: 1000,
              max_iterations: 4,
              tools,
              messages: [{ role: 'user', content: prompt }],
            })
            .runUntilDone(),
        close: () => client.close(),
      }
    }),
}
