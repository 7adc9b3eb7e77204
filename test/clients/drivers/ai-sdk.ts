/** The AI SDK with its MCP client, and `generateText` with the Anthropic provider. @module */

import { createAnthropic } from '@ai-sdk/anthropic'
import { createMCPClient } from '@ai-sdk/mcp'
import { generateText, stepCountIs } from 'ai'
import { byModel } from '../agent.ts'
import type { Driver } from '../session.ts'

export const driver: Driver = {
  open: ({ url }) =>
    byModel(async (model) => {
      const client = await createMCPClient({ transport: { type: 'http', url } })
      const provider = createAnthropic({ baseURL: `${model.url}/v1`, apiKey: 'none' })
      const tools = await client.tools()
      return {
        run: (prompt) =>
          generateText({
            model: provider('claude-sonnet-4-5'),
            tools,
            prompt,
            stopWhen: stepCountIs(4),
            maxRetries: 0,
          }),
        resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
        readResource: async (uri) => JSON.stringify(await client.readResource({ uri })),
        close: () => client.close(),
      }
    }),
}
