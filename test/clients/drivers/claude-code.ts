/** Claude Code, without its search for tools, so that the model is given all of them. @module */

import { hostDriver } from '../hosts.ts'

export const driver = hostDriver({
  program: '@anthropic-ai/claude-code-linux-x64/claude',
  args: ({ mcp }, prompt) => [
    '-p',
    prompt,
    '--model',
    'claude-sonnet-4-5',
    '--mcp-config',
    JSON.stringify({ mcpServers: { edgewise: { type: 'http', url: mcp } } }),
    '--strict-mcp-config',
    '--allowedTools',
    'mcp__edgewise',
  ],
  env: ({ model }) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    ENABLE_TOOL_SEARCH: 'false',
  }),
  files: () => ({}),
})
