/** Mastra's MCP client with one of its agents. @module */

import { createAnthropic } from '@ai-sdk/anthropic'
import { Agent } from '@mastra/core/agent'
import { MCPClient } from '@mastra/mcp'
import { byModel } from '../agent.ts'
import type { Driver } from '../session.ts'

export const driver: Driver = {
  open: ({ url }) =>
    byModel(async (scripted) => {
      const client = new MCPClient({ servers: { edgewise: { url: new URL(url) } } })
      const provider = createAnthropic({ baseURL: `${scripted.url}/v1`, apiKey: 'none' })
      const agent = new Agent({
        id: 'judge',
        name: 'judge',
        instructions: 'Do what is asked.',
        // @ts-expect-error: its type of a provider's model is of another patch of the AI SDK
        model: provider('claude-sonnet-4-5'),
        tools: await client.listTools(),
      })
      return {
        run: (prompt) => agent.generate(prompt, { maxSteps: 4 }),
        resources: async () =>
          Object.values(await client.resources.list()).flatMap((all) => all.map(({ uri }) => uri)),
        readResource: async (uri) => JSON.stringify(await client.resources.read('edgewise', uri)),
        close: () => client.disconnect(),
      }
    }),
}
