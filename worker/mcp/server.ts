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
  type Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { call, type Outcome, type Surroundings } from '../call.ts'
import type { Caller } from '../sessions/caller.ts'
import { MAX_SUBSCRIPTIONS } from '../limits.ts'
import { INVALID_PARAMS } from '../terms.ts'
import {
  CACHE_HINTS,
  CAPABILITIES,
  INSTRUCTIONS,
  SERVER_INFO,
  SOMETHING_WRONG,
  listed,
} from './facts.ts'
import type { Tool as ListableTool } from '../tools/tool.ts'
import { TEMPLATES, type Resources } from './resources.ts'
import type { Subscriptions } from './legacy.ts'
import { StrictServer } from './strict.ts'
import { pathOf } from './uri.ts'

export interface Parts {
  readonly around: Surroundings
  readonly resources: Resources
  readonly caller: Caller
  /** Present where there is a session to deliver updates to. */
  readonly subscriptions?: Subscriptions
}

const shown = new Map<string, Tool>()

/** What `tools/list` answers: the tools that this caller could ever call. */
export function listTools(
  { tools }: Pick<Surroundings, 'tools'>,
  { area }: Pick<Caller, 'area'>,
): { tools: Tool[] } {
  const writes = area.reach.write.every((folders) => folders.length > 0)
  const callable = [...tools.values()].filter((tool) => writes || tool.kind !== 'change')
  return { tools: callable.map(toolOnce) }
}

/** Schemas are made once, when somebody first asks. */
function toolOnce(tool: ListableTool): Tool {
  const known = shown.get(tool.name) ?? listed(tool)
  shown.set(tool.name, known)
  return known
}

export function createServer({ around, resources, caller, subscriptions }: Parts): Server {
  const server = new StrictServer(SERVER_INFO, {
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
    cacheHints: CACHE_HINTS,
  })

  server.setRequestHandler(
    'tools/list',
    guarded(() => listTools(around, caller)),
  )
  server.setRequestHandler(
    'tools/call',
    guarded(({ params }, context) => {
      const { name, arguments: args, _meta: meta } = params
      return callTool({ name, args, meta, caller }, around, context)
    }),
  )

  server.setRequestHandler(
    'resources/list',
    guarded(({ params }) => resources.list(params?.cursor)),
  )
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler(
    'resources/read',
    guarded(({ params }) => resources.read(params.uri)),
  )
  server.setRequestHandler(
    'completion/complete',
    guarded(({ params }) => ({
      completion:
        params.ref.type === 'ref/resource'
          ? resources.complete(params.argument.value)
          : { values: [] },
    })),
  )

  if (subscriptions) {
    server.setRequestHandler(
      'resources/subscribe',
      guarded(({ params }) => {
        const path = pathOf(params.uri)
        // What is hidden is subscribed to like what does not exist: nothing is ever told of it.
        const hidden = path !== null && caller.area.shows !== null && !caller.area.shows(path)
        if (hidden || subscriptions.add(params.uri)) return {}
        throw new ProtocolError(
          INVALID_PARAMS,
          `A session may subscribe to ${MAX_SUBSCRIPTIONS} resources`,
        )
      }),
    )
    server.setRequestHandler(
      'resources/unsubscribe',
      guarded(({ params }) => {
        subscriptions.remove(params.uri)
        return {}
      }),
    )
  }
  return server
}

/** A bug is for the log; the client only learns that there was one. */
function guarded<Given extends unknown[], T>(work: (...given: Given) => T | Promise<T>) {
  return async (...given: Given): Promise<T> => {
    try {
      return await work(...given)
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      console.error(error)
      throw new ProtocolError(INTERNAL_ERROR, SOMETHING_WRONG)
    }
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
