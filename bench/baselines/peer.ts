/**
 * What the two peers have in common: the stock `createMcpHandler` of `agents` with six tools, each of which is one
 * RPC to a Durable Object that holds the peer's `Workspace`, a route that writes many files in one request, and one
 * that says what an object has used of its storage.
 *
 * @module
 */

import { McpServer } from '@modelcontextprotocol/server'
import { createMcpHandler } from 'agents/mcp/server'
import { z } from 'zod'
import { countUsage, type Counter } from './counter.ts'

/** One replacement of `edit_file`. */
export interface Edit {
  readonly find: string
  readonly replace: string
}

/** A part of a file, which not every peer can read alone. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/** The methods of a peer's object, one for each tool; each returns the text of the result. */
export interface Peer {
  read(path: string, range?: ByteRange): Promise<string>
  write(path: string, content: string): Promise<string>
  edit(path: string, edits: readonly Edit[]): Promise<string>
  list(path: string): Promise<string>
  find(pattern: string, root: string): Promise<string>
  search(pattern: string): Promise<string>
}

const path = z.string().describe('The path of the file')
const range = z.object({ offset: z.int().min(0), length: z.int().min(1) }).optional()
const pattern = z.string().min(1)
const edits = z.array(z.object({ find: z.string().min(1), replace: z.string() })).min(1)

/** The largest result of `find_files` and `list_folder`. */
export const PAGE = 200

/** The object that answers MCP requests. */
const DEFAULT = 'default'

/** The object that counts what it uses. The others do not, because counting takes time. */
const COUNTED = 'counted'

/** Starts to count in the object that counts. Call it before anything else has the storage. */
export function countIfNamed({ id, storage }: DurableObjectState): Counter | null {
  return id.name === COUNTED ? countUsage(storage) : null
}

/** Answers MCP requests with an object, and sends the others to the object that their path names. */
export function handlePeer<Env>(
  request: Request,
  objectOf: (name: string) => Peer & { fetch(request: Request): Promise<Response> },
  [env, context]: readonly [Env, ExecutionContext],
): Promise<Response> {
  if (request.method !== 'POST')
    return objectOf(new URL(request.url).pathname.slice(1)).fetch(request)
  const peer = objectOf(request.url.endsWith(`?${COUNTED}`) ? COUNTED : DEFAULT)
  return createMcpHandler(() => createServer(peer))(request, env, context)
}

function createServer(peer: Peer): McpServer {
  const server = new McpServer({ name: 'peer', version: '1.0.0' })
  server.registerTool(
    'read_file',
    { description: 'Read a file', inputSchema: z.object({ path, range }) },
    async (input) => result(await peer.read(input.path, input.range)),
  )
  server.registerTool(
    'write_file',
    { description: 'Write a file', inputSchema: z.object({ path, content: z.string() }) },
    async (input) => result(await peer.write(input.path, input.content)),
  )
  server.registerTool(
    'edit_file',
    { description: 'Replace text in a file', inputSchema: z.object({ path, edits }) },
    async (input) => result(await peer.edit(input.path, input.edits)),
  )
  server.registerTool(
    'list_folder',
    { description: 'List a folder', inputSchema: z.object({ path }) },
    async (input) => result(await peer.list(input.path)),
  )
  server.registerTool(
    'find_files',
    { description: 'Find files by name', inputSchema: z.object({ pattern, root: z.string() }) },
    async (input) => result(await peer.find(input.pattern, input.root)),
  )
  server.registerTool(
    'search_files',
    { description: 'Search the lines of text files', inputSchema: z.object({ pattern }) },
    async (input) => result(await peer.search(input.pattern)),
  )
  return server
}

const result = (text: string) => ({ content: [{ type: 'text' as const, text }] })

const Batch = z.array(z.tuple([z.string(), z.string()]))

/** Writes the files of a `PUT`, pairs of path and content, one after another; a `GET` takes what was counted. */
export async function serveObject(
  request: Request,
  counter: Counter | null,
  write: (path: string, content: string) => Promise<unknown>,
): Promise<Response> {
  if (request.method === 'GET') return Response.json(counter?.take() ?? null)
  const files = Batch.parse(await request.json())
  for (const [path, content] of files) await write(path, content)
  return new Response(`wrote ${files.length}`)
}
