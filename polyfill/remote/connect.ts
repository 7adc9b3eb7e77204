/**
 * Remote tools: registers the tools of an MCP server in the page.
 *
 * Calls pass the page's approval gate. For a call that needs review the user sees the server's own
 * preview, and the approval is bound to it, so that exactly the previewed change is made. The list
 * follows the server's notifications. `test/pages/polyfill/approval-remote.slow.test.ts` runs it against
 * this product and against a server of the older protocol version.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { withServer } from '../approval/server-of.ts'
import { createCalls, type AskPermission } from './calls.ts'
import { openClient, type Client } from './client.ts'
import { RpcError, toText } from './messages.ts'
import { readTool, type RemoteTool } from './tools.ts'

/** Options of {@link connect}. */
export interface ConnectOptions {
  /** URL of the MCP endpoint, relative to the page. */
  readonly url: string
  /** Prefix of every tool name. */
  readonly prefix?: string | undefined
  /** Headers of every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * Access of this page's agents, as a configuration of the mcp4h proposals; the user can grant
   * more for a single call.
   */
  readonly configuration?: JsonRecord | undefined
}

/** The registered tools of one server. */
export interface Connection {
  /** The names under which tools are currently registered. */
  readonly tools: readonly string[]
  /** Unregisters all tools and ends every call. */
  close(): void
}

/** Maximum number of tools of one server. */
export const MAX_TOOLS = 500

const MAX_PAGES = 50

/** Shortest and longest delay in milliseconds before a retry. */
const MIN_RETRY_MS = 1_000
const MAX_RETRY_MS = 30_000

interface Registered {
  readonly definition: string
  readonly controller: AbortController
}

/**
 * Connects to a server and registers its tools.
 *
 * @param options The server, and how its tools are named.
 * @param ask Asks the user for scopes that the server requests.
 * @throws When the server cannot be reached, refuses the connection or does not list its tools.
 */
export async function connect(options: ConnectOptions, ask: AskPermission): Promise<Connection> {
  const controller = new AbortController()
  const { signal } = controller
  const url = new URL(options.url, document.baseURI).href
  const { headers, configuration } = options
  const client = await openClient({ url, headers, configuration, signal })
  const registered = new Map<string, Registered>()
  let syncing: Promise<void> = Promise.resolve()
  const sync = () => (syncing = syncing.then(update, update))

  await sync()
  if (client.notifies) void follow(client, sync, signal)
  return {
    get tools() {
      return [...registered.keys()]
    },
    close() {
      for (const tool of registered.values()) tool.controller.abort()
      registered.clear()
      controller.abort()
      client.close()
    },
  }

  /** Registers, replaces and unregisters tools, so that they match the server's list. */
  async function update(): Promise<void> {
    const listed = await listTools(client)
    if (signal.aborted) return
    const wanted = new Map(listed.map((tool) => [(options.prefix ?? '') + tool.name, tool]))
    for (const [name, { definition, controller: one }] of registered) {
      if (JSON.stringify(wanted.get(name)) === definition) wanted.delete(name)
      else {
        one.abort()
        registered.delete(name)
      }
    }
    await Promise.all([...wanted].map(([name, tool]) => register(name, tool)))
  }

  async function register(name: string, tool: RemoteTool): Promise<void> {
    const own = new AbortController()
    const { previews, ...rest } = tool
    const { preview, execute } = createCalls(tool, name, client, ask)
    const definition = {
      ...rest,
      name,
      execute: withServer(execute, url),
      ...(previews && { preview }),
    }
    registered.set(name, { definition: JSON.stringify(tool), controller: own })
    try {
      await contextOf(document).registerTool(definition, { signal: own.signal })
    } catch (error) {
      if (!own.signal.aborted) console.warn(`WebMCP: ${name} of ${url} was not registered`, error)
      if (registered.get(name)?.controller === own) registered.delete(name)
    }
  }
}

/** Connects with retries, for callers that do not wait; null if the server refuses. */
export async function connectWithRetries(options: ConnectOptions, ask: AskPermission) {
  for (let wait = MIN_RETRY_MS; ; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
    try {
      return await connect(options, ask)
    } catch (error) {
      console.warn(`WebMCP: ${options.url} cannot be used`, error)
      // A client error would be the same on a retry.
      if (error instanceof RpcError && error.status < 500) return null
      await pause(wait)
    }
  }
}

async function listTools(client: Client): Promise<RemoteTool[]> {
  const tools: RemoteTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page++) {
    const answer = await client.request('tools/list', cursor === undefined ? {} : { cursor })
    const listed: readonly unknown[] = Array.isArray(answer['tools']) ? answer['tools'] : []
    tools.push(...listed.map(readTool).filter((tool) => tool !== null))
    if (typeof answer['nextCursor'] !== 'string') break
    cursor = toText(answer['nextCursor'])
  }
  return tools.slice(0, MAX_TOOLS)
}

/** Follows changes for the lifetime of the connection, and reopens the stream when it breaks. */
async function follow(client: Client, sync: () => Promise<void>, signal: AbortSignal) {
  let wait = MIN_RETRY_MS
  while (!signal.aborted) {
    const began = performance.now()
    try {
      await client.listen(() => void sync().catch(() => {}))
    } catch (error) {
      if (error instanceof RpcError && error.status < 500 && error.status !== 404) return
    }
    wait = performance.now() - began > MAX_RETRY_MS ? MIN_RETRY_MS : wait
    await pause(wait)
    wait = Math.min(wait * 2, MAX_RETRY_MS)
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface Registry {
  registerTool(tool: object, options: { signal: AbortSignal }): Promise<unknown>
}

function contextOf(owner: Document): Registry {
  if ('modelContext' in owner) return owner.modelContext as Registry
  throw new Error('This page has no model context')
}
