/**
 * The server: tools and resources put into the protocol's words. The only adapter to the SDK.
 *
 * It is the SDK's low-level `Server`, because lists are static, schemas are checked by the road of a
 * call, and pages need cursors. It keeps no state, so one is made for each modern request and one
 * for each legacy session.
 *
 * @module
 */

import {
  INTERNAL_ERROR,
  ProtocolError,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { call, type Caller, type Outcome, type Surroundings } from '../call.ts'
import { MAX_SUBSCRIPTIONS } from '../limits.ts'
import { INVALID_PARAMS } from '../terms.ts'
import { CACHE_HINTS, CAPABILITIES, INSTRUCTIONS, SERVER_INFO, listed } from './facts.ts'
import { TEMPLATES, type Resources } from './resources.ts'
import type { SessionSubscriptions } from './sessions.ts'

export interface Parts {
  readonly around: Surroundings
  readonly resources: Resources
  readonly caller: Caller
  /** Present where there is a session to deliver updates to. */
  readonly subscriptions?: SessionSubscriptions
}

let toolList: Tool[] | undefined

/** What `tools/list` answers. */
export function listTools(around: Pick<Surroundings, 'tools'>): { tools: Tool[] } {
  toolList ??= [...around.tools.values()].map(listed)
  return { tools: toolList }
}

export function createServer({ around, resources, caller, subscriptions }: Parts): Server {
  const server = new Server(SERVER_INFO, {
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
    cacheHints: CACHE_HINTS,
  })

  server.setRequestHandler('tools/list', () => listTools(around))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: args, _meta: meta } = params
    return guarded(callTool({ name, args, meta, caller }, around, context))
  })

  server.setRequestHandler('resources/list', ({ params }) => resources.list(params?.cursor))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler('resources/read', ({ params }) => guarded(resources.read(params.uri)))
  server.setRequestHandler('completion/complete', ({ params }) => ({
    completion:
      params.ref.type === 'ref/resource'
        ? resources.complete(params.argument.value)
        : { values: [] },
  }))

  if (subscriptions) {
    server.setRequestHandler('resources/subscribe', ({ params }) => {
      if (subscriptions.add(params.uri)) return {}
      throw new ProtocolError(
        INVALID_PARAMS,
        `A session may subscribe to ${MAX_SUBSCRIPTIONS} resources`,
      )
    })
    server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      subscriptions.remove(params.uri)
      return {}
    })
  }
  return server
}

/** A bug is for the log; the client only learns that there was one. */
async function guarded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    console.error(error)
    throw new ProtocolError(INTERNAL_ERROR, 'Something went wrong here')
  }
}

async function callTool(
  request: Parameters<typeof call>[0],
  around: Surroundings,
  context: ServerContext,
): Promise<Outcome> {
  const token = request.meta?.['progressToken']
  const progress = async (done: number, total: number) => {
    if (typeof token !== 'string' && typeof token !== 'number') return
    const params = { progressToken: token, progress: done, total }
    await context.mcpReq.notify({ method: 'notifications/progress', params })
  }
  const signal = context.mcpReq.signal
  const outcome = await call(request, { ...around, progress, signal })
  if (!outcome.ok) throw new ProtocolError(outcome.error.code, outcome.error.message)
  return outcome.value
}
