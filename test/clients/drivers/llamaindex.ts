/** LlamaIndex's tools of an MCP server; its agents pass the result of a tool to a model. @module */

import { mcp } from '@llamaindex/tools'
import { fromBlocks } from '../model-input.ts'
import type { Driver } from '../session.ts'

export const driver: Driver = {
  async open({ url }) {
    const server = mcp({ url, verbose: false })
    const tools = await server.tools()
    return {
      tools: async () => tools.map(({ metadata }) => metadata.name),
      async call({ name, args }) {
        const tool = tools.find(({ metadata }) => metadata.name === name)
        if (!tool?.call) throw new Error(`no tool ${name}`)
        const output = await tool.call({ ...args })
        return { readings: [fromBlocks(output)] }
      },
      close: () => server.cleanup(),
    }
  },
}
