/**
 * What the two peers have in common: the stock `createMcpHandler` of `agents` with five tools, each of which is one
 * RPC to a Durable Object that holds the peer's `Workspace`, and a route that writes many files in one request.
 *
 * @module
 */

import { McpServer } from '@modelcontextprotocol/server'
import { createMcpHandler } from 'agents/mcp/server'
import { z } from 'zod'

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
  find(pattern: string, root: string): Promise<string>
  search(pattern: string): Promise<string>
}

const path = z.string().describe('The path of the file')
const range = z.object({ offset: z.int().min(0), length: z.int().min(1) }).optional()
const pattern = z.string().min(1)
const edits = z.array(z.object({ find: z.string().min(1), replace: z.string() })).min(1)

/** The name of the object that answers MCP requests. */
export const DEFAULT = 'default'

/** The object that a `PUT` fills: the path is its name. */
export const nameOf = (request: Request) => new URL(request.url).pathname.slice(1)

/** Answers MCP requests with a peer. */
export function handlePeer(peer: Peer): ReturnType<typeof createMcpHandler> {
  return createMcpHandler(() => createServer(peer))
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

/** Writes the files of a request, pairs of path and content, one after another. */
export async function writeBatch(
  request: Request,
  write: (path: string, content: string) => Promise<unknown>,
): Promise<Response> {
  const files = Batch.parse(await request.json())
  for (const [path, content] of files) await write(path, content)
  return new Response(`wrote ${files.length}`)
}
