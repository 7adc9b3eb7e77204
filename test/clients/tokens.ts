/**
 * What `tools/list` costs a model. A host puts name, description and input schema of each tool into the prompt,
 * and nothing else; so only these are counted, with the tokenizer of the GPT-4o family.
 *
 * @module
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer/model/gpt-4o'

export interface ToolTokens {
  readonly name: string
  readonly tokens: number
}

/** The tools that a client lists that shows no views. */
export async function tokensOfTools(origin: string): Promise<ToolTokens[]> {
  const options = { versionNegotiation: { mode: 'auto' } } as const
  const client = new Client({ name: 'tokens', version: '1' }, options)
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin)))
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name, description, inputSchema: parameters }) => ({
    name,
    tokens: countTokens(JSON.stringify({ name, description, parameters })),
  }))
}
