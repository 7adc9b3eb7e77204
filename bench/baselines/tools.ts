/**
 * Ten tools of a file server as commonly written with zod: the facts that a model needs, without
 * the extensions of Edgewise's own tools.
 *
 * @module
 */

import { z } from 'zod'

const path = z.string().describe('The path of the file')
const root = z.string().optional().describe('The folder to look in')
const limit = z.int().min(0).optional().describe('Most results')
const edit = z.object({ find: z.string().min(1), replace: z.string() })

const READS = { readOnlyHint: true, openWorldHint: false }
const WRITES = { readOnlyHint: false, destructiveHint: true, openWorldHint: false }

/** The definitions of the tools. */
export const TOOLS = [
  tool('list_roots', 'List the roots', READS, {}),
  tool('find_files', 'Find files by name', READS, {
    pattern: z.string(),
    root,
    glob: z.boolean().optional(),
    max_depth: z.int().min(0).optional(),
    limit,
    offset: z.int().min(0).optional(),
  }),
  tool('search_files', 'Search the lines of text files', READS, {
    pattern: z.string().min(1),
    root,
    glob: z.array(z.string()).optional(),
    context: z.int().min(0).max(100).optional(),
  }),
  tool('read_file', 'Read the lines of a file', READS, {
    path,
    start_line: z.int().min(1).optional(),
    limit,
  }),
  tool('read_multiple_files', 'Read several files', READS, {
    paths: z.array(path).min(1).max(100),
  }),
  tool('write_file', 'Write a file', WRITES, { path, content: z.string() }),
  tool('edit_file', 'Replace text in a file', WRITES, { path, edits: z.array(edit).min(1) }),
  tool('move_file', 'Move a file', WRITES, { source: path, destination: path }),
  tool('delete_file', 'Delete a file', WRITES, { path }),
  tool('delegate', 'Make a link for another agent', WRITES, { scopes: z.array(z.string()) }),
]

function tool(name: string, description: string, annotations: object, shape: z.ZodRawShape) {
  return { name, title: name, description, annotations, inputSchema: z.object(shape) }
}
