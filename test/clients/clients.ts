/** The clients that drive the product, each in the modes that differ for a server. @module */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ClientEntry {
  /** Its file in `drivers/`. */
  readonly file: string
  readonly title: string
  /** The package whose version is named. */
  readonly from: string
  /** Modes as the driver knows them. */
  readonly modes: readonly string[]
}

export const CLIENTS: readonly ClientEntry[] = [
  {
    file: 'sdk-1',
    title: 'SDK 1.x',
    from: '@modelcontextprotocol/sdk',
    modes: ['listed', 'unlisted'],
  },
  {
    file: 'sdk-2',
    title: 'SDK 2.x',
    from: '@modelcontextprotocol/client',
    modes: ['legacy', 'legacy unlisted', 'auto', 'auto unlisted', 'modern', 'modern unlisted'],
  },
  {
    file: 'inspector',
    title: 'Inspector, command line',
    from: '@modelcontextprotocol/inspector',
    modes: ['legacy', 'modern'],
  },
  { file: 'ai-sdk', title: 'AI SDK, generateText', from: '@ai-sdk/mcp', modes: ['anthropic'] },
  {
    file: 'langchain',
    title: 'LangChain, createAgent',
    from: '@langchain/mcp-adapters',
    modes: ['anthropic', 'chat', 'responses'],
  },
  {
    file: 'openai-agents',
    title: 'OpenAI Agents SDK',
    from: '@openai/agents',
    modes: ['chat', 'responses', 'structured'],
  },
  {
    file: 'anthropic-helpers',
    title: 'Anthropic SDK, toolRunner',
    from: '@anthropic-ai/sdk',
    modes: ['sdk 1', 'sdk 2'],
  },
  { file: 'cloudflare-agents', title: 'Cloudflare agents', from: 'agents', modes: ['worker'] },
  { file: 'mastra', title: 'Mastra', from: '@mastra/mcp', modes: ['agent'] },
  { file: 'llamaindex', title: 'LlamaIndex tools', from: '@llamaindex/tools', modes: ['tool'] },
  { file: 'mcp-use', title: 'mcp-use, MCPAgent', from: 'mcp-use', modes: ['anthropic'] },
  { file: 'mcp-remote', title: 'mcp-remote', from: 'mcp-remote', modes: ['sdk 1', 'sdk 2'] },
  {
    file: 'mcp-proxy',
    title: 'mcp-proxy over mcp-remote',
    from: 'mcp-proxy',
    modes: ['legacy', 'modern'],
  },
]

/** What is installed, not what is asked for. */
export function versionOf(from: string): string {
  const file = join(import.meta.dirname, 'node_modules', from, 'package.json')
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return version
}
