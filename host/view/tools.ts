/**
 * Calls in both directions: tools of the server that an app may call, and tools and elicitations of the app.
 *
 * An app may call the tools that its own server makes visible to apps. It cannot pass grants
 * (`requests.ts`): the page asks the user for those when it calls the server.
 *
 * @module
 */

import { isRecord, isString, type JsonRecord } from '#core/json.ts'
import { visibilityOf } from '#core/visibility.ts'
import { numberAttribute } from './dom.ts'
import { invalid, refused } from './errors.ts'
import { emit, emitOwnLog } from './events.ts'
import { APP_CALL_TIMEOUT, CALL_TIMEOUT, MAX_APP_TOOLS } from './limits.ts'
import { withTimeout } from './rpc.ts'
import type { CallOptions, Outcome, Tool, ToolCall, ViewHost, ViewServer } from './types.ts'

const isName = (name: unknown): name is string => isString(name) && /^[\w./-]{1,128}$/.test(name)

/**
 * Runs a request to the view's server, with the time limit of `call-timeout`.
 *
 * @throws {ViewError} If the view has no server. Errors of the server are passed on.
 * @throws {DOMException} `TimeoutError` at the time limit.
 */
export async function askServer<T>(
  view: ViewHost,
  signal: AbortSignal,
  work: (server: ViewServer, options: CallOptions) => Promise<T>,
): Promise<T> {
  const { server } = view
  if (!server) throw refused('No server')
  const time = numberAttribute(view, 'call-timeout', CALL_TIMEOUT)
  return withTimeout(time, signal, (inner) => work(server, { signal: inner }))
}

/**
 * Handles `tools/call` of an app and reports it as `mcp-call`, whatever its outcome.
 *
 * @throws {ViewError} If the params are invalid, or the tool is unknown or not visible to apps. Errors
 *   of the server are passed on.
 */
export async function callTool(
  view: ViewHost,
  params: JsonRecord,
  signal: AbortSignal,
): Promise<unknown> {
  const call = readCall(params)
  let outcome: Outcome = 'refused'
  try {
    await checkVisible(view, call.name)
    outcome = 'failed'
    const result = await askServer(view, signal, (server, options) =>
      server.callTool(call, options),
    )
    if (result.isError !== true) outcome = 'done'
    return result
  } catch (error) {
    if (signal.aborted) outcome = 'cancelled'
    throw error
  } finally {
    emitCall(view, call, outcome, 'server')
  }
}

function readCall({ name, arguments: args = {}, _meta }: JsonRecord): ToolCall {
  if (!isName(name)) throw invalid('tool name')
  if (!isRecord(args)) throw invalid('arguments')
  return { name, arguments: { ...args }, ...(isRecord(_meta) && { _meta }) }
}

async function checkVisible(view: ViewHost, name: string): Promise<void> {
  const listed = await view.server?.tools?.()
  const tool = (listed ?? ownTool(view)).find((each) => each.name === name)
  if (listed && !tool) throw invalid(`tool: ${name}`)
  const { app, warning } = visibilityOf(tool?._meta)
  if (warning !== null) emitOwnLog(view, 'warning', `${name}: ${warning}`)
  if (!app) throw refused(`The tool "${name}" is not for apps`)
}

const ownTool = ({ tool }: ViewHost): readonly Tool[] => (tool ? [tool] : [])

/** Handles `tools/list` of an app: the server's tools that are visible to apps. */
export async function listTools(view: ViewHost): Promise<unknown> {
  const tools = (await view.server?.tools?.()) ?? ownTool(view)
  return { tools: tools.filter(({ _meta }) => visibilityOf(_meta).app) }
}

type AppRequest = (method: string, params: JsonRecord, timeout: number) => Promise<unknown>

/** Lists the app's own tools; drops invalid names, names of server tools, and those over the limit. */
async function listAppTools(
  view: ViewHost,
  request: AppRequest,
  params: JsonRecord,
): Promise<unknown> {
  const result = await request('tools/list', params, APP_CALL_TIMEOUT)
  const listed = isRecord(result) && Array.isArray(result['tools']) ? result['tools'] : []
  const taken = new Set((await view.server?.tools?.())?.map(({ name }) => name))
  const tools = listed.filter((tool: unknown) => isNewTool(tool, taken)).slice(0, MAX_APP_TOOLS)
  const left = listed.length - tools.length
  if (left > 0) emitOwnLog(view, 'warning', `${left} tools left out`)
  return { tools }
}

/** Checks a tool's name and reserves it, so that no later tool has the same one. */
function isNewTool(tool: unknown, taken: Set<string>): boolean {
  const name = isRecord(tool) ? tool['name'] : null
  const isNew = isName(name) && !taken.has(name)
  if (isNew) taken.add(name)
  return isNew
}

/** Calls one of the app's own tools and reports it as `mcp-call`. */
async function callAppTool(
  view: ViewHost,
  request: AppRequest,
  params: JsonRecord,
): Promise<unknown> {
  const call = readCall(params)
  let outcome: Outcome = 'failed'
  try {
    const result = await request('tools/call', { ...call }, APP_CALL_TIMEOUT)
    if (!isRecord(result)) throw refused('Invalid result')
    if (result['isError'] !== true) outcome = 'done'
    return result
  } finally {
    emitCall(view, call, outcome, 'app')
  }
}

/** Lets the app show an elicitation; what it answers is not checked. */
const elicitByApp = (view: ViewHost, request: AppRequest, params: JsonRecord): Promise<unknown> =>
  request('elicitation/create', params, numberAttribute(view, 'call-timeout', CALL_TIMEOUT))

/** The requests that a page may send to an app. */
export const APP_REQUESTS = {
  'tools/list': listAppTools,
  'tools/call': callAppTool,
  'elicitation/create': elicitByApp,
} as const

function emitCall(view: ViewHost, call: ToolCall, outcome: Outcome, of: 'server' | 'app'): void {
  emit(view, 'mcp-call', { arguments: {}, ...call, outcome, of })
}
