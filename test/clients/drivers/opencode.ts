/** OpenCode, with the Anthropic provider that it carries. @module */

import { hostDriver } from '../hosts.ts'

export const driver = hostDriver({
  program: 'opencode-linux-x64/bin/opencode',
  args: (_, prompt) => ['run', prompt],
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  files: ({ mcp, model }) => ({
    'opencode.json': JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      model: 'anthropic/claude-sonnet-4-5',
      small_model: 'anthropic/claude-sonnet-4-5',
      permission: { '*': 'allow' },
      provider: {
        anthropic: {
          options: { baseURL: `${model}/v1`, apiKey: 'none' },
          models: {
            'claude-sonnet-4-5': {
              name: 'Claude',
              attachment: true,
              tool_call: true,
              modalities: { input: ['text', 'image'], output: ['text'] },
              limit: { context: 200_000, output: 8000 },
            },
          },
        },
      },
      mcp: { edgewise: { type: 'remote', url: mcp, enabled: true } },
    }),
  }),
})
