/** OpenAI's Agents SDK over its two model APIs. @module */

import {
  Agent,
  MCPServerStreamableHttp,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
} from '@openai/agents'
import OpenAI from 'openai'
import { byModel } from '../agent.ts'
import type { Driver } from '../session.ts'

export const driver: Driver = {
  open: ({ url }, mode) =>
    byModel(async (scripted) => {
      setTracingDisabled(true)
      const server = new MCPServerStreamableHttp({
        url,
        name: 'edgewise',
        useStructuredContent: mode === 'structured',
      })
      await server.connect()
      const client = new OpenAI({ baseURL: `${scripted.url}/v1`, apiKey: 'none', maxRetries: 0 })
      const model =
        mode === 'chat'
          ? new OpenAIChatCompletionsModel(client, 'gpt-5.2')
          : new OpenAIResponsesModel(client, 'gpt-5.2')
      const agent = new Agent({ name: 'judge', model, mcpServers: [server] })
      return {
        run: (prompt) => run(agent, prompt, { maxTurns: 4 }),
        resources: async () => (await server.listResources()).resources.map(({ uri }) => uri),
        readResource: async (uri) => JSON.stringify(await server.readResource(uri)),
        close: () => server.close(),
      }
    }),
}
