/** The entry point of the Worker: the fetch handler, and the Durable Object class of a workspace. @module */

import './observe/faults.ts'
import { DEFAULT_CONFIG } from '#core/config.ts'
import { CAPABILITIES_META, declaresApps, MODERN_PROTOCOL } from '#core/wire.ts'
import { createFront } from './front/routes.ts'
import { CACHE_HINTS, CAPABILITIES, INSTRUCTIONS } from './mcp/server-info.ts'
import { freeCaller } from './sessions/caller.ts'
import { writtenResult } from './mcp/plain-result.ts'
import { listTools } from './mcp/server.ts'
import { TOOLS } from './tools/index.ts'

export { Workspace } from './workspace.ts'

/** Serializes a result on first use, because the startup time of a Worker is limited. */
function once(result: () => Record<string, unknown>): (id: string | number) => Response {
  let answer: ReturnType<typeof writtenResult> | undefined
  return (id) => (answer ??= writtenResult(result()))(id)
}

const toolsForModels = once(() => ({
  ...listTools({ tools: TOOLS }, freeCaller('', DEFAULT_CONFIG)),
  ...CACHE_HINTS['tools/list'],
}))

const discovered = once(() => ({
  supportedVersions: [MODERN_PROTOCOL],
  capabilities: CAPABILITIES,
  instructions: INSTRUCTIONS,
  ...CACHE_HINTS['server/discover'],
}))

const front = createFront({
  // A client that shows apps is also offered those of the workspace.
  'tools/list': ({ id, meta }) =>
    declaresApps(meta[CAPABILITIES_META]) ? null : toolsForModels(id),
  'server/discover': ({ id }) => discovered(id),
})

/** The fetch handler. */
export default front

/** The same handler as a named export, so that `npm start` can call it without the static assets in front. */
export { front }
