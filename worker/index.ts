/** The entry point of the Worker: the fetch handler, and the classes of its Durable Objects. @module */

import './observe/faults.ts'
import { CAPABILITIES_META, declaresApps } from '#core/wire.ts'
import { hasServerKeys } from './access/metadata.ts'
import { createFront } from './front/routes.ts'
import { configurationIn, type PlainRequest } from './mcp/plain-request.ts'
import { writtenResult } from './mcp/plain-result.ts'
import { writeToolList } from './mcp/static-results.ts'

export { Notifier } from './notifier-object.ts'
export { Workspace } from './workspace.ts'

/** Serializes a result on first use, because the startup time of a Worker is limited. */
function once(write: () => string): (id: string | number) => Response {
  let written: string | undefined
  return (id) => writtenResult(id, (written ??= write()))
}

const toolsForModels = once(writeToolList)

/**
 * Whether the tools depend on the request: fewer with a configuration or a policy, more for a client that shows apps.
 * The workspace also judges a cursor, and whether the configuration is valid.
 */
const dependsOnRequest = ({ params, meta }: PlainRequest) =>
  configurationIn(meta[CAPABILITIES_META]) !== undefined ||
  declaresApps(meta[CAPABILITIES_META]) ||
  hasServerKeys(meta) ||
  Object.hasOwn(params, 'cursor')

const front = createFront({
  'tools/list': (request) => (dependsOnRequest(request) ? null : toolsForModels(request.id)),
})

/** The fetch handler. */
export default front

/** The same handler as a named export, so that `npm start` can call it without the static assets in front. */
export { front }
