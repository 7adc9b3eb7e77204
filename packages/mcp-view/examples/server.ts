import { templatePage, textFallback, toolMeta, uiResource } from '@edgewise/mcp-view/server'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'

const RATES = [
  { currency: 'CHF', rate: 0.94 },
  { currency: 'JPY', rate: 171.2 },
  { currency: 'USD', rate: 1.08 },
]

const columns = [
  { key: 'currency', label: 'Currency', sortable: true },
  { key: 'rate', label: 'Rate', sortable: true },
]
const config = { title: 'Exchange rates', columns }
const { listed, content } = uiResource({
  uri: 'ui://rates/table',
  name: 'rates',
  title: 'Exchange rates',
  html: templatePage({ template: 'data-table', name: 'rates', config }),
})

function createServer(): McpServer {
  const server = new McpServer({ name: 'rates', version: '1.0.0' })
  server.registerResource(listed.name, listed.uri, listed, async () => ({ contents: [content] }))
  server.registerTool(
    'list_rates',
    {
      description: 'Lists what one euro is worth',
      inputSchema: z.object({ least: z.number().default(0).describe('Lowest rate to list') }),
      annotations: { readOnlyHint: true },
      _meta: toolMeta(listed.uri),
    },
    async ({ least }) => {
      const rows = RATES.filter(({ rate }) => rate >= least)
      return { structuredContent: { rows }, content: textFallback(rows) }
    },
  )
  return server
}

/** For Workers, Deno and Bun. In Node, `toNodeHandler` of `@modelcontextprotocol/node` wraps it. */
export default createMcpHandler(createServer)
