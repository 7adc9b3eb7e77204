/**
 * The MCP server: maps tools and resources to the protocol. The only adapter to the SDK.
 *
 * It is the SDK's low-level `Server`, because lists are static, the pipeline of a call checks the schemas,
 * and pages need cursors. It keeps no state, so one is created for each modern request and one for each
 * legacy session.
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
import type { Access } from '../access/access.ts'
import { INVALID_PARAMS, parseMetadata } from '../access/metadata.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import { accessOf, call, type Outcome, type Surroundings } from '../call.ts'
import type { Caller } from '../sessions/caller.ts'
import { MAX_NAME_LENGTH, MAX_SUBSCRIPTIONS } from '../limits.ts'
import {
  CACHE_HINTS,
  CAPABILITIES,
  INSTRUCTIONS,
  SERVER_INFO,
  SOMETHING_WRONG,
  listed,
} from './facts.ts'
import type { Tool as ListableTool } from '../tools/tool.ts'
import { createResources, TEMPLATES, type ResourceParts, type Resources } from './resources.ts'
import type { CallerSource } from './endpoint.ts'
import type { Subscriptions } from './legacy.ts'
import { StrictServer } from './strict.ts'
import { pathOf } from './uri.ts'

/** The services that a server uses. */
export interface Parts {
  /** The services of tool calls. */
  readonly around: Surroundings
  readonly resources: ResourceParts
  readonly callerOf: CallerSource
  /** Set for a session, which has a stream to deliver updates to. */
  readonly subscriptions?: Subscriptions
}

const shown = new Map<string, Tool>()

/** Builds the result of `tools/list`: the tools that this caller could ever call and its client can use. */
export function listTools(
  { tools }: Pick<Surroundings, 'tools'>,
  { access, showsApps }: Pick<Caller, 'access' | 'showsApps'>,
): { tools: Tool[] } {
  const callable = [...tools.values()].filter(
    (tool) => isCallable(tool, access) && (showsApps || !tool.appOnly),
  )
  return { tools: callable.map((tool) => toolOnce(tool, showsApps)) }
}

function isCallable({ kind, reads }: ListableTool, access: Access): boolean {
  if (kind === 'read') return access.hasScope('read')
  if (kind === 'act') return true
  return access.hasScope('write') && !access.readOnly && (!reads || access.hasScope('read'))
}

/** Tool descriptions with their schemas are built once, on first use. */
function toolOnce(tool: ListableTool, showsApps: boolean): Tool {
  const key = `${tool.name} ${showsApps}`
  const known = shown.get(key) ?? listed(tool, showsApps)
  shown.set(key, known)
  return known
}

/** Creates a server with all its request handlers. */
export function createServer({ around, resources, callerOf, subscriptions }: Parts): Server {
  const server = new StrictServer(SERVER_INFO, {
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
    cacheHints: CACHE_HINTS,
  })

  /** Opens the workspace with the access of one request. */
  function workspaceOf(meta: Meta, context: ServerContext): CallerWorkspace {
    const caller = callerOf(context)
    const metadata = parseMetadata(meta)
    if (!metadata.ok) throw new ProtocolError(metadata.error.code, metadata.error.message)
    const access = accessOf(caller, metadata.value)
    if (!access.ok) throw new ProtocolError(INVALID_PARAMS, access.error)
    return around.openFor(access.value, caller.session?.id ?? null)
  }

  const resourcesOf = (meta: Meta, context: ServerContext): Resources =>
    createResources(resources, workspaceOf(meta, context), callerOf(context))

  server.setRequestHandler(
    'tools/list',
    guarded((_request, context) => listTools(around, callerOf(context))),
  )
  server.setRequestHandler(
    'tools/call',
    guarded(({ params }, context) => {
      const { name, arguments: args, _meta: meta } = params
      return callTool({ name, args, meta, caller: callerOf(context) }, around, context)
    }),
  )

  server.setRequestHandler(
    'resources/list',
    guarded(({ params }, context) => resourcesOf(params?._meta, context).list(params?.cursor)),
  )
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler(
    'resources/read',
    guarded(({ params }, context) => resourcesOf(params._meta, context).read(params.uri)),
  )
  server.setRequestHandler(
    'completion/complete',
    guarded(({ params }, context) => ({
      completion:
        params.ref.type === 'ref/resource'
          ? resourcesOf(params._meta, context).complete(params.argument.value)
          : { values: [] },
    })),
  )

  if (subscriptions) {
    server.setRequestHandler(
      'resources/subscribe',
      guarded(({ params }, context) => {
        const { access } = workspaceOf(params._meta, context)
        if (params.uri.length > MAX_NAME_LENGTH)
          throw new ProtocolError(INVALID_PARAMS, `A URI may have ${MAX_NAME_LENGTH} characters`)
        const path = pathOf(params.uri)
        // A hidden file is subscribed to like one that does not exist: no update ever comes.
        if (path === null || !access.canRead(path) || subscriptions.add(params.uri)) return {}
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

type Meta = Readonly<Record<string, unknown>> | undefined

/** Logs a bug; the client only learns that there was one. */
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
