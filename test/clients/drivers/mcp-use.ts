/** mcp-use with its agent; the newest version that has a client. @module */

import { ChatAnthropic } from '@langchain/anthropic'
import { MCPAgent, MCPClient } from 'mcp-use'
import { byModel } from '../agent.ts'
import type { Driver } from '../session.ts'

process.env['MCP_USE_ANONYMIZED_TELEMETRY'] = 'false'

export const driver: Driver = {
  open: ({ url }) =>
    byModel(async (scripted) => {
      const client = new MCPClient({ mcpServers: { edgewise: { url } } })
      const llm = new ChatAnthropic({
        model: 'claude-sonnet-4-5',
        apiKey: 'none',
        anthropicApiUrl: scripted.url,
        maxRetries: 0,
      })
      const agent = new MCPAgent({ llm, client, maxSteps: 4, memoryEnabled: false })
      await agent.initialize()
      return {
        run: (prompt) => agent.run({ prompt }),
        close: () => agent.close(),
      }
    }),
}
