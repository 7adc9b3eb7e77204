/** The entry point of the Worker: the fetch handler, and the Durable Object class of a workspace. @module */

import './observe/faults.ts'
import { CAPABILITIES_META, declaresApps } from '#core/wire.ts'
import { createFront } from './front/routes.ts'
import { configurationIn, type PlainRequest } from './mcp/plain-request.ts'
import { writtenResult } from './mcp/plain-result.ts'
import { writeDiscovery, writeToolList } from './mcp/static-results.ts'

export { Workspace } from './workspace.ts'

/** Serializes a result on first use, because the startup time of a Worker is limited. */
function once(write: () => string): (id: string | number) => Response {
  let written: string | undefined
  return (id) => writtenResult(id, (written ??= write()))
}

const toolsForModels = once(writeToolList)

const discovered = once(writeDiscovery)

/** Whether the client configures its requests: its tools may be fewer, and the configuration may be invalid. */
const isConfigured = ({ meta }: PlainRequest) =>
  configurationIn(meta[CAPABILITIES_META]) !== undefined

/** Whether the client shows apps: it is also offered those of the workspace. */
const showsApps = ({ meta }: PlainRequest) => declaresApps(meta[CAPABILITIES_META])

const front = createFront({
  'tools/list': (request) =>
    isConfigured(request) || showsApps(request) ? null : toolsForModels(request.id),
  'server/discover': ({ id }) => discovered(id),
})

/** The fetch handler. */
export default front

/** The same handler as a named export, so that `npm start` can call it without the static assets in front. */
export { front }
