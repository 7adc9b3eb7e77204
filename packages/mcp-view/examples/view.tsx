import '@edgewise/mcp-view'
import type { CallToolResult, Tool } from '@edgewise/mcp-view'
import type {} from '@edgewise/mcp-view/react'
import type { Client } from '@modelcontextprotocol/client'
import { useMemo } from 'react'

interface Props {
  client: Client
  tool: Tool
  input: Record<string, unknown>
  result: CallToolResult | null
}

/** Shows the app of a tool call; what the app asks for goes to the client's server. */
export function ToolView({ client, tool, input, result }: Props) {
  const server = useMemo(
    () => ({
      readResource: (uri: string, options: { signal: AbortSignal }) =>
        client.readResource({ uri }, options),
      callTool: (params: { name: string }, options: { signal: AbortSignal }) =>
        client.callTool(params, options),
      tools: async () => (await client.listTools()).tools,
    }),
    [client],
  )
  return (
    <mcp-view
      sandbox="https://apps.example/sandbox"
      server={server}
      tool={tool}
      toolInput={input}
      toolResult={result}
      onmcp-message={({ detail }) => detail.respondWith(confirm(JSON.stringify(detail.content)))}
    />
  )
}
