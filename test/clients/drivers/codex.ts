/** Codex, over the Responses API. @module */

import { hostDriver } from '../hosts.ts'

export const driver = hostDriver({
  program: '@openai/codex/bin/codex.js',
  args: (_, prompt) => ['exec', '--skip-git-repo-check', prompt],
  env: ({ home }) => ({ CODEX_HOME: `${home}/.codex` }),
  files: ({ mcp, model }) => ({
    '.codex/config.toml': `model = "gpt-5.2"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "scripted"
base_url = "${model}/v1"
wire_api = "responses"
[mcp_servers.edgewise]
url = "${mcp}"
default_tools_approval_mode = "approve"
`,
  }),
})
