/** The Worker: the front as its handler, and the class of a workspace. @module */

import { DEFAULT_CONFIG } from '#core/config.ts'
import { createFront } from './http.ts'
import { CACHE_HINTS, CAPABILITIES, INSTRUCTIONS, MODERN } from './mcp/facts.ts'
import { freeCaller } from './sessions/caller.ts'
import { listTools } from './mcp/server.ts'
import { TOOLS } from './tools/index.ts'

export { Workspace } from './workspace.ts'

export default createFront({
  'tools/list': () => ({
    ...listTools({ tools: TOOLS }, freeCaller('', DEFAULT_CONFIG)),
    ...CACHE_HINTS['tools/list'],
  }),
  'server/discover': () => ({
    supportedVersions: [MODERN],
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
    ...CACHE_HINTS['server/discover'],
  }),
})
