/** LangChain's MCP adapters with an agent, and the message conversions of two providers. @module */

import { ChatAnthropic } from '@langchain/anthropic'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { byModel } from '../agent.ts'
import type { Driver } from '../session.ts'

function chatModel(mode: string, url: string) {
  if (mode === 'anthropic')
    return new ChatAnthropic({
      model: 'claude-sonnet-4-5',
      apiKey: 'none',
      anthropicApiUrl: url,
      maxRetries: 0,
    })
  return new ChatOpenAI({
    model: 'gpt-5.2',
    apiKey: 'none',
    configuration: { baseURL: `${url}/v1` },
    useResponsesApi: mode === 'responses',
    maxRetries: 0,
  })
}

export const driver: Driver = {
  open: ({ url }, mode) =>
    byModel(async (model) => {
      const client = new MultiServerMCPClient({
        mcpServers: { edgewise: { transport: 'http', url } },
      })
      const tools = await client.getTools()
      const agent = createAgent({ model: chatModel(mode, model.url), tools })
      return {
        run: (prompt) => agent.invoke({ messages: [{ role: 'user', content: prompt }] }),
        resources: async () =>
          Object.values(await client.listResources()).flatMap((all) => all.map(({ uri }) => uri)),
        readResource: async (uri) => JSON.stringify(await client.readResource('edgewise', uri)),
        close: () => client.close(),
      }
    }),
}
