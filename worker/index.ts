/** The entry point of the Worker: the fetch handler, and the Durable Object class of a workspace. @module */

import './observe/faults.ts'
import { DEFAULT_CONFIG } from '#core/config.ts'
import { declaresApps } from '#core/wire.ts'
import { createFront } from './http.ts'
import { CACHE_HINTS, CAPABILITIES, INSTRUCTIONS, MODERN } from './mcp/facts.ts'
import { freeCaller } from './sessions/caller.ts'
import { CAPABILITIES_META, writtenResult } from './mcp/plain.ts'
import { listTools } from './mcp/server.ts'
import { TOOLS } from './tools/index.ts'

export { Workspace } from './workspace.ts'

/** Serializes a result on first use, because the startup time of a Worker is limited. */
function once(result: () => Record<string, unknown>): (id: string | number) => Response {
  let answer: ReturnType<typeof writtenResult> | undefined
  return (id) => (answer ??= writtenResult(result()))(id)
}

const toolsFor = (showsApps: boolean) =>
  once(() => ({
    ...listTools({ tools: TOOLS }, { ...freeCaller('', DEFAULT_CONFIG), showsApps }),
    ...CACHE_HINTS['tools/list'],
  }))

const toolsForModels = toolsFor(false)
const toolsForApps = toolsFor(true)

const discovered = once(() => ({
  supportedVersions: [MODERN],
  capabilities: CAPABILITIES,
  instructions: INSTRUCTIONS,
  ...CACHE_HINTS['server/discover'],
}))

const front = createFront({
  'tools/list': ({ id, meta }) =>
    declaresApps(meta[CAPABILITIES_META]) ? toolsForApps(id) : toolsForModels(id),
  'server/discover': ({ id }) => discovered(id),
})

/** The fetch handler. */
export default front

/** The same handler as a named export, so that `npm start` can call it without the static assets in front. */
export { front }
