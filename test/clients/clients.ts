/** The clients that drive the product, each in the modes that differ for a server. @module */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../scripts/settings.ts'
import { PAGE_STEPS } from './page-agents.ts'
import { VIEW_STEPS } from './screens.ts'
import { STEPS } from './script.ts'

/** Clients that do the same are in one table. */
export const KINDS = { model: STEPS, views: VIEW_STEPS, pages: PAGE_STEPS, hosts: STEPS } as const

export interface ClientEntry {
  /** That for models, if there is none. */
  readonly kind?: keyof typeof KINDS
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
  {
    kind: 'views',
    file: 'app-renderer',
    title: 'mcp-ui, AppRenderer',
    from: '@mcp-ui/client',
    modes: ['legacy'],
  },
  {
    kind: 'views',
    file: 'app-bridge',
    title: 'ext-apps, AppBridge',
    from: '@modelcontextprotocol/ext-apps',
    modes: ['modern'],
  },
  {
    kind: 'pages',
    file: 'chrome-devtools',
    title: 'chrome-devtools-mcp',
    from: 'chrome-devtools-mcp',
    modes: ['polyfill'],
  },
  {
    kind: 'pages',
    file: 'playwright',
    title: 'Playwright, page.webmcp',
    from: 'playwright',
    modes: ['native', 'polyfill'],
  },
  {
    kind: 'pages',
    file: 'mcp-b',
    title: '@mcp-b/global beside webmcp.js',
    from: '@mcp-b/global',
    modes: ['ours first', 'theirs first'],
  },
]

/** Large, and so in a folder of their own that a person installs. */
export const HOSTS: readonly ClientEntry[] = (
  [
    ['claude-code', 'Claude Code', '@anthropic-ai/claude-code'],
    ['codex', 'Codex', '@openai/codex'],
    ['gemini-cli', 'Gemini CLI', '@google/gemini-cli'],
    ['opencode', 'OpenCode', 'opencode-linux-x64'],
  ] as const
).map(([file, title, from]) => ({ kind: 'hosts', file, title, from, modes: ['one run a step'] }))

const HOSTS_FOLDER = join(import.meta.dirname, 'hosts')

export const haveHosts = existsSync(join(HOSTS_FOLDER, 'node_modules'))

/** The installed version, not the requested one. */
export function versionOf(from: string, kind: ClientEntry['kind']): string {
  const folder = kind === 'hosts' ? HOSTS_FOLDER : import.meta.dirname
  const files = [folder, ROOT].map((at) => join(at, 'node_modules', from, 'package.json'))
  const file = files.find((path) => existsSync(path)) ?? ''
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return version
}
