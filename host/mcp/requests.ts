/**
 * The requests of a connection: sent over the current session, with every result but that of
 * `prompts/get` parsed.
 *
 * A legacy session may expire on the server. The request is then repeated in a new session, which
 * is safe because the server did not process the first one. `test/host/mcp/requests.test.ts` has the cases.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { ConnectionError, type ConnectionProblem, problemOf } from './errors.ts'
import {
  parseCallResult,
  parseContents,
  parsePrompts,
  parseResources,
  parseTemplates,
  parseTools,
} from './parse.ts'
import type { Reconnecting } from './reconnect.ts'
import { callAsTask } from './tasks.ts'
import { needsTask } from './tool-facts.ts'
import type { Session } from './session.ts'
import type { CallOptions, ConnectOptions, RequestOptions } from './connection.ts'
import type {
  CallToolResult,
  Page,
  Prompt,
  Resource,
  ResourceContents,
  ResourceTemplate,
  Tool,
} from './types.ts'

/** Sends a request and returns its result as received; rejects with a `ConnectionError`. */
export type Request = (
  method: string,
  params?: JsonRecord,
  options?: CallOptions,
) => Promise<JsonRecord>

/**
 * Creates the function that sends a connection's requests.
 *
 * @param sessions The session in use, and the next one after it breaks.
 * @param onUnauthorized Called with problems of kind `unauthorized` or `forbidden`, before the
 *   rejection.
 */
export function createRequest(
  sessions: Reconnecting<Session>,
  onUnauthorized: NonNullable<ConnectOptions['onUnauthorized']>,
): Request {
  return async function request(method, params, options) {
    const session = await sessions.current()
    try {
      return await session.request(method, params, options)
    } catch (error) {
      const problem = problemOf(error)
      if (isGone(session, problem)) {
        sessions.reportBroken(session, { ...problem, kind: 'closed' })
        return sendInNext(sessions, method, params, options)
      }
      if (problem.kind === 'unreachable') sessions.reportBroken(session, problem)
      if (problem.kind === 'unauthorized' || problem.kind === 'forbidden') onUnauthorized(problem)
      throw new ConnectionError(problem, { cause: error })
    }
  }
}

async function sendInNext(sessions: Reconnecting<Session>, ...request: Parameters<Request>) {
  const session = await sessions.current()
  return session.request(...request).catch((error: unknown) => {
    throw new ConnectionError(problemOf(error), { cause: error })
  })
}

/**
 * Whether the session itself is gone, and not something in it. A server answers 404 then (MCP, section
 * Session Management); those made like the examples of the SDK answer 400 with the code -32000. A 400 was
 * not processed either, so a new session cannot repeat its effect.
 */
function isGone({ session }: Session, { status, code }: ConnectionProblem): boolean {
  return session !== null && (status === 404 || (status === 400 && code === NO_SESSION))
}

const NO_SESSION = -32000

/** The typed requests of a connection, on top of its raw `request`; documented in `Connection`. */
export abstract class TypedRequests {
  /** Sends any request of the protocol. */
  abstract readonly request: Request

  /** Sends `resources/list`. */
  async resources(cursor?: string, options?: RequestOptions): Promise<Page<Resource>> {
    return parseResources(await this.request('resources/list', pageParams(cursor), options))
  }

  /** Sends `resources/templates/list`. */
  async resourceTemplates(
    cursor?: string,
    options?: RequestOptions,
  ): Promise<Page<ResourceTemplate>> {
    const result = await this.request('resources/templates/list', pageParams(cursor), options)
    return parseTemplates(result)
  }

  /** Sends `resources/read`. */
  async readResource(uri: string, options?: RequestOptions): Promise<readonly ResourceContents[]> {
    return parseContents(await this.request('resources/read', { uri }, options))
  }

  /** Sends `prompts/list`. */
  async prompts(cursor?: string, options?: RequestOptions): Promise<Page<Prompt>> {
    return parsePrompts(await this.request('prompts/list', pageParams(cursor), options))
  }

  /** Sends `prompts/get`; its result is not parsed. */
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<JsonRecord> {
    return this.request('prompts/get', { name, arguments: args }, options)
  }

  /** The tools of the server, in the order in which it lists them. */
  abstract readonly tools: readonly Tool[]

  /** Sends `tools/call`; a tool that runs as a task only is waited for. */
  async call(name: string, args: JsonRecord, options?: CallOptions): Promise<CallToolResult> {
    const tool = this.tools.find((one) => one.name === name)
    const params = { name, arguments: args }
    const result =
      tool && needsTask(tool)
        ? await callAsTask(this.request, params, options)
        : await this.request('tools/call', params, options)
    return parseCallResult(result)
  }
}

const pageParams = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor })

const MAX_PAGES = 100
const MAX_TOOLS = 10_000

/**
 * Loads all pages of the tool list. If two tools have the same name, the first counts.
 *
 * @param list Sends `tools/list` with the params it is given.
 * @returns At most 10,000 tools, from at most 100 pages.
 */
export async function listAllTools(
  list: (params: JsonRecord) => Promise<JsonRecord>,
): Promise<readonly Tool[]> {
  const byName = new Map<string, Tool>()
  let cursor: string | undefined
  for (let pages = 0; pages < MAX_PAGES && byName.size < MAX_TOOLS; pages++) {
    const { items, next } = parseTools(await list(pageParams(cursor)))
    for (const tool of items) if (!byName.has(tool.name)) byName.set(tool.name, tool)
    if (next === null || next === cursor) break
    cursor = next
  }
  return [...byName.values()].slice(0, MAX_TOOLS)
}
