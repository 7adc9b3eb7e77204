/**
 * The MCP server: maps tools and resources to the protocol. The only adapter to the SDK.
 *
 * It is the SDK's low-level `Server`, because lists are static, the pipeline of a call checks the schemas,
 * and pages need cursors. It keeps no state, so one is created for each modern request and one for each
 * legacy session.
 *
 * @module
 */

import type { InputRequiredResult, Server, ServerContext, Tool } from '@modelcontextprotocol/server'
import { pathOf } from '#core/file-uri.ts'
import { err } from '#core/result.ts'
import { MODERN_PROTOCOL } from '#core/wire.ts'
import type { Access } from '../access/access.ts'
import { JudgingSpent, problemOfSpent } from '../access/judging.ts'
import { INVALID_PARAMS } from '../access/metadata.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import { call } from '../call/call.ts'
import { accessOfRequest } from '../access/from-metadata.ts'
import type { CallRequest, CallServices } from '../call/context.ts'
import type { Outcome } from '../tools/lib/tool-result.ts'
import { sentence } from '../errors/problem.ts'
import type { Caller } from '../access/caller.ts'
import { MAX_SUBSCRIPTIONS } from '../limits.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import {
  CACHE_HINTS,
  CAPABILITIES,
  SERVER_INFO,
  SOMETHING_WRONG,
  TOOLS_ALONE,
  describeTool,
  linkTo,
} from './server-info.ts'
import type { Tool as ListableTool } from '../tools/lib/tool.ts'
import { identityAt } from './identity.ts'
import { createResources, TEMPLATES, type ResourceParts, type Resources } from './resources.ts'
import type { Sdk, ServerOf, Subscriptions } from './load-sdk.ts'
import { CANCELLED, INTERNAL_ERROR, invalidCursor, McpError } from './mcp-error.ts'
import { isOwnResource } from './notifications.ts'
import { createSkillResults, DirectoryParams, GetParams, ListParams } from './skill-results.ts'
import { elicitationError, requireInput } from './url-elicitation.ts'

/** The services that a server uses. */
export interface Parts extends ServerOf {
  /** The services of tool calls. */
  readonly services: CallServices
  /** Absent in a profile that has tools alone. */
  readonly resources?: ResourceParts
}

/** Descriptions for clients that show apps, and for all others. */
const descriptions = {
  withApps: new WeakMap<ListableTool, Tool>(),
  plain: new WeakMap<ListableTool, Tool>(),
}

/** Builds the result of `tools/list`: the tools that this caller could ever call and its client can use. */
export function listTools(
  { tools }: Pick<CallServices, 'tools'>,
  { access, showsApps }: Pick<Caller, 'access' | 'showsApps'>,
): { tools: Tool[] } {
  const callable = [...tools.values()].filter(
    (tool) => isCallable(tool, access) && (showsApps || !isForApps(tool)),
  )
  const views = showsApps ? tools.views?.(access) : undefined
  return { tools: callable.map((tool) => withView(toolOnce(tool, showsApps), views)) }
}

/** Adds the app that shows the results of a tool, in place of the view of the product. */
function withView(tool: Tool, views: ReadonlyMap<string, string> | undefined): Tool {
  const uri = views?.get(tool.name)
  return uri === undefined ? tool : { ...tool, _meta: { ...tool._meta, ...linkTo(uri) } }
}

/** Whether a tool is of use only to clients that show apps. */
const isForApps = ({ appOnly, app }: ListableTool) => appOnly === true || app !== undefined

function isCallable({ kind, reads, writes, app }: ListableTool, access: Access): boolean {
  if (app && !access.canRead(app.folder)) return false
  if (kind === 'read') return access.hasScope('read')
  const mayWrite = access.hasScope('write') && !access.readOnly
  if (kind === 'act') return !writes || mayWrite
  return mayWrite && (!reads || access.hasScope('read'))
}

/** Tool descriptions with their schemas are built once, on first use. */
function toolOnce(tool: ListableTool, showsApps: boolean): Tool {
  const known = showsApps ? descriptions.withApps : descriptions.plain
  const description = known.get(tool) ?? describeTool(tool, showsApps)
  known.set(tool, description)
  return description
}

/** Creates a server with all its request handlers. */
export function createServer(sdk: Sdk, parts: Parts): Server {
  const guard = createGuard(sdk)
  const server = new sdk.StrictServer(SERVER_INFO, identityAt(parts.origin), {
    capabilities: parts.resources ? CAPABILITIES : TOOLS_ALONE,
    instructions: parts.instructions,
    cacheHints: CACHE_HINTS,
  })
  handleTools({ server, guard }, parts)
  if (!parts.resources) return server
  handleResources({ server, guard }, parts, parts.resources)
  handleSkills({ server, guard }, parts, parts.resources)
  if (parts.subscriptions) handleSubscriptions({ server, guard }, parts, parts.subscriptions)
  return server
}

/** A server, and what reports the errors of its handlers. */
interface Guarded {
  readonly server: Server
  readonly guard: Guard
}

function handleTools({ server, guard }: Guarded, { services, callerOf }: Parts): void {
  server.setRequestHandler(
    'tools/list',
    guard(({ params }, context) => {
      refuseCursor(params)
      const { access } = openForRequest({ services, callerOf }, params?._meta, context)
      return listTools(services, { ...callerOf(context), access })
    }),
  )
  server.setRequestHandler(
    'tools/call',
    guard(({ params }, context) => {
      const { name, arguments: args } = params
      const { inputResponses: responses, envelope } = context.mcpReq
      // The SDK moves what names the client out of `_meta`.
      const meta = { ...envelope, ...params._meta }
      const state = context.mcpReq.requestState()
      const request = { name, args, meta, caller: callerOf(context), state, responses }
      return callTool(request, services, context)
    }),
  )
}

/** Refuses a cursor for a list that has one page. */
function refuseCursor(params: { readonly cursor?: unknown } | undefined): void {
  if (params?.cursor !== undefined) throw invalidCursor()
}

function handleResources({ server, guard }: Guarded, parts: Parts, sources: ResourceParts): void {
  const resourcesOf = (meta: Meta, context: ServerContext): Resources =>
    createResources(sources, openForRequest(parts, meta, context), parts.callerOf(context))

  server.setRequestHandler(
    'resources/list',
    guard(({ params }, context) => resourcesOf(params?._meta, context).list(params?.cursor)),
  )
  server.setRequestHandler(
    'resources/templates/list',
    guard(({ params }, context) => {
      refuseCursor(params)
      // They are the same for all, but a malformed key of ours is refused.
      openForRequest(parts, params?._meta, context)
      return { resourceTemplates: TEMPLATES }
    }),
  )
  server.setRequestHandler(
    'resources/read',
    guard(({ params }, context) => resourcesOf(params._meta, context).read(params.uri)),
  )
  server.setRequestHandler(
    'completion/complete',
    guard(({ params }, context) => ({
      completion:
        params.ref.type === 'ref/resource'
          ? resourcesOf(params._meta, context).complete(params.argument.value)
          : { values: [] },
    })),
  )
}

/** Skills, for hosts that know the extension, and as prompts for all others. */
function handleSkills(
  { server, guard }: Guarded,
  parts: Parts,
  { skills }: Pick<ResourceParts, 'skills'>,
): void {
  const skillsOf = (meta: Meta, context: ServerContext) =>
    createSkillResults(skills, openForRequest(parts, meta, context))
  // Results of the older era have no fields of caches.
  const inEra = <T extends object>(result: T) =>
    server.getNegotiatedProtocolVersion() === MODERN_PROTOCOL
      ? { ...result, ...CACHE_HINTS['resources/read'] }
      : result

  server.setRequestHandler(
    'skills/list',
    { params: ListParams },
    guard((params, context) => inEra(skillsOf(params._meta, context).list(params.cursor))),
  )
  server.setRequestHandler(
    'skills/get',
    { params: GetParams },
    guard((params, context) => inEra(skillsOf(params._meta, context).get(params.uri))),
  )
  server.setRequestHandler(
    'resources/directory/read',
    { params: DirectoryParams },
    guard((params, context) => inEra(skillsOf(params._meta, context).directory(params))),
  )
  server.setRequestHandler(
    'prompts/list',
    guard(({ params }, context) => skillsOf(params?._meta, context).prompts(params?.cursor)),
  )
  server.setRequestHandler(
    'prompts/get',
    guard(({ params }, context) => skillsOf(params._meta, context).prompt(params.name)),
  )
}

function handleSubscriptions(
  { server, guard }: Guarded,
  parts: Parts,
  subscriptions: Subscriptions,
): void {
  server.setRequestHandler(
    'resources/subscribe',
    guard(({ params }, context) => {
      const { access } = openForRequest(parts, params._meta, context)
      const path = pathOf(params.uri)
      const isSeen = isOwnResource(params.uri) || (path !== null && access.canRead(path))
      // A hidden file is subscribed to like one that does not exist: no update ever comes.
      if (!isSeen || subscriptions.add(params.uri)) return {}
      throw new McpError(
        INVALID_PARAMS,
        `Cannot subscribe: a session is limited to ${MAX_SUBSCRIPTIONS} resources`,
      )
    }),
  )
  server.setRequestHandler(
    'resources/unsubscribe',
    guard(({ params }) => {
      subscriptions.remove(params.uri)
      return {}
    }),
  )
}

/** Opens the workspace with the access of one request. */
function openForRequest(
  { services, callerOf }: Pick<Parts, 'services' | 'callerOf'>,
  meta: Meta,
  context: ServerContext,
): CallerWorkspace {
  const caller = callerOf(context)
  const access = accessOfRequest(caller, meta)
  if (!access.ok) throw new McpError(access.error.code, access.error.message)
  return services.openFor(access.value, caller)
}

type Meta = Readonly<Record<string, unknown>> | undefined

type Guard = ReturnType<typeof createGuard>

/** Gives errors of handlers to the SDK. A bug is logged, and the client only learns that there was one. */
function createGuard({ ProtocolError }: Sdk) {
  return function guard<Given extends unknown[], T>(work: (...given: Given) => MaybePromise<T>) {
    return async (...given: Given): Promise<T> => {
      try {
        return await work(...given)
      } catch (error) {
        if (error instanceof McpError)
          throw ProtocolError.fromError(error.code, error.message, error.data)
        if (error instanceof JudgingSpent)
          throw new ProtocolError(INVALID_PARAMS, sentence(problemOfSpent(error)))
        console.error(error)
        throw new ProtocolError(INTERNAL_ERROR, SOMETHING_WRONG)
      }
    }
  }
}

async function callTool(
  request: CallRequest,
  services: CallServices,
  context: ServerContext,
): Promise<Outcome | InputRequiredResult> {
  const token = request.meta?.['progressToken']
  const progress = async (done: number, total: number | null) => {
    if (typeof token !== 'string' && typeof token !== 'number') return
    const params = { progressToken: token, progress: done, ...(total !== null && { total }) }
    await context.mcpReq.notify({ method: 'notifications/progress', params })
  }
  const signal = context.mcpReq.signal
  const outcome = await call(request, { ...services, progress, signal }).catch((error: unknown) => {
    if (signal.aborted) return err(CANCELLED)
    throw error
  })
  if (outcome.ok) return outcome.value
  const { code, message, elicit } = outcome.error
  if (!elicit) throw new McpError(code, message)
  if (request.caller.urlElicitation === 'legacy') throw elicitationError(elicit)
  return requireInput(elicit)
}
