/**
 * Remote tools: the tools of an MCP server, registered in the page as if they were its own.
 *
 * Calls pass the page's gate. Where a person is to review one, they are shown the server's own
 * preview, and a yes is bound to it, so that what was shown is what is done. The list is kept up to
 * date where the server tells of changes. `test/pages/polyfill-remote.test.ts` runs it against the
 * product and against a server of the older era.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { createCalls, type AskPermission } from './calls.ts'
import { openClient, type Client } from './client.ts'
import { RpcError, stringOf } from './messages.ts'
import { toolOf, type RemoteTool } from './tools.ts'

export interface ConnectOptions {
  readonly url: string
  /** Stands before the name of each tool. */
  readonly prefix?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** What this page's agents may use, as an mcp4h configuration; a person can grant more for a call. */
  readonly configuration?: JsonRecord | undefined
}

export interface Connection {
  /** The names under which tools are registered now. */
  readonly tools: readonly string[]
  /** Takes all tools away and ends every call. */
  close(): void
}

/** Tools that one server may bring along. */
export const MOST_TOOLS = 500

const MOST_PAGES = 50

/** How long to wait before trying again: at first, and at most. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

interface Registered {
  readonly definition: string
  readonly controller: AbortController
}

/** Connects to a server and registers its tools. Rejects when the server cannot be used. */
export async function connect(options: ConnectOptions, ask: AskPermission): Promise<Connection> {
  const controller = new AbortController()
  const { signal } = controller
  const url = new URL(options.url, document.baseURI).href
  const { headers, configuration } = options
  const client = await openClient({ url, headers, configuration, signal })
  const registered = new Map<string, Registered>()
  let syncing: Promise<void> = Promise.resolve()
  const sync = () => (syncing = syncing.then(bring, bring))

  await sync()
  if (client.tells) void follow(client, sync, signal)
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

  /** Makes the page's tools those of the server. */
  async function bring(): Promise<void> {
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
    const definition = { ...rest, name, execute, ...(previews && { preview }) }
    registered.set(name, { definition: JSON.stringify(tool), controller: own })
    try {
      await contextOf(document).registerTool(definition, { signal: own.signal })
    } catch (error) {
      if (!own.signal.aborted) console.warn(`WebMCP: ${name} of ${url} was not registered`, error)
      if (registered.get(name)?.controller === own) registered.delete(name)
    }
  }
}

/** Connects as soon as it can be, where nobody waits for it. */
export async function connectPatiently(options: ConnectOptions, ask: AskPermission) {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await connect(options, ask)
    } catch (error) {
      console.warn(`WebMCP: ${options.url} cannot be used`, error)
      // A server that answers, and refuses, will do so again.
      if (error instanceof RpcError && error.status < 500) return null
      await pause(wait)
    }
  }
}

async function listTools(client: Client): Promise<RemoteTool[]> {
  const tools: RemoteTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES && tools.length < MOST_TOOLS; page++) {
    const answer = await client.request('tools/list', cursor === undefined ? {} : { cursor })
    const listed: readonly unknown[] = Array.isArray(answer['tools']) ? answer['tools'] : []
    tools.push(...listed.map(toolOf).filter((tool) => tool !== null))
    if (typeof answer['nextCursor'] !== 'string') break
    cursor = stringOf(answer['nextCursor'])
  }
  return tools.slice(0, MOST_TOOLS)
}

/** Hears of changes for as long as the connection lasts, however often the stream breaks. */
async function follow(client: Client, sync: () => Promise<void>, signal: AbortSignal) {
  let wait = FIRST_WAIT_MS
  while (!signal.aborted) {
    const began = performance.now()
    try {
      await client.listen(() => void sync().catch(() => {}))
    } catch (error) {
      if (error instanceof RpcError && error.status < 500 && error.status !== 404) return
    }
    wait = performance.now() - began > LONGEST_WAIT_MS ? FIRST_WAIT_MS : wait
    await pause(wait)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
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
