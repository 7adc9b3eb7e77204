/** Gemini CLI, with a server that it trusts. @module */

import { hostDriver } from '../hosts.ts'

export const driver = hostDriver({
  program: '@google/gemini-cli/bundle/gemini.js',
  args: (_, prompt) => ['-p', prompt, '--yolo', '-m', 'gemini-2.5-pro'],
  env: ({ model }) => ({
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: model,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  files: ({ mcp }) => ({
    '.gemini/settings.json': JSON.stringify({
      mcpServers: { edgewise: { httpUrl: mcp, trust: true } },
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    }),
  }),
})
