/**
 * Conversion of a server's tools, and of their results, to WebMCP.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { visibilityOf } from '#core/visibility.ts'
import { TOOL_META } from '#core/wire.ts'
import { readMembers } from '../approval/members.ts'
import type { Members } from '../approval/tool.ts'
import { encodeHeader } from './client.ts'
import { toText } from './messages.ts'

/** A tool of a server, with the members of WebMCP. */
export interface RemoteTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonRecord
  readonly annotations: Members & {
    readonly readOnlyHint: boolean
    /** Always: the page does not vouch for what a server returns, such as files that people wrote. */
    readonly untrustedContentHint: true
  }
  /** The server can preview a call. */
  readonly previews: boolean
}

/** Converts a listed tool; null if it is malformed or not visible to the model. */
export function readTool(listed: unknown): RemoteTool | null {
  if (!isRecord(listed) || !visibilityOf(listed['_meta']).model) return null
  const name = toText(listed['name'])
  if (name === '') return null
  const annotations = recordOf(listed['annotations'])
  // Official servers and clients pass unknown members through in `_meta` only.
  const facts = { ...annotations, ...recordOf(recordOf(listed['_meta'])[TOOL_META]) }
  const title = toText(listed['title'] ?? annotations['title'])
  return {
    name,
    title,
    description: toText(listed['description']) || title || name,
    inputSchema: recordOf(listed['inputSchema']),
    annotations: {
      ...readMembers(facts),
      readOnlyHint: annotations['readOnlyHint'] === true,
      untrustedContentHint: true,
    },
    previews: facts['preview'] === true,
  }
}

/** Returns the headers that repeat arguments, as `x-mcp-header` in the schema requests. */
export function createMirrorHeaders(
  schema: unknown,
  args: unknown,
  depth = 0,
): Record<string, string> {
  const headers: Record<string, string> = {}
  if (depth > 8) return headers
  for (const [key, property] of Object.entries(recordOf(recordOf(schema)['properties']))) {
    const value = Object.hasOwn(recordOf(args), key) ? recordOf(args)[key] : undefined
    const header = recordOf(property)['x-mcp-header']
    if (isRecord(value)) Object.assign(headers, createMirrorHeaders(property, value, depth + 1))
    else if (typeof header === 'string' && isPlain(value))
      headers[`mcp-param-${header}`] = encodeHeader(`${value}`)
  }
  return headers
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

/**
 * Reduces a result to what an agent receives: blocks for the user only and host data are removed.
 */
export function toAgentResult({ content, isError }: JsonRecord): JsonRecord {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : []
  return {
    content: blocks.filter((block) => !isForPeople(block)),
    ...(isError === true && { isError }),
  }
}

function isForPeople(block: unknown): boolean {
  const { audience } = recordOf(recordOf(block)['annotations'])
  return Array.isArray(audience) && audience.length > 0 && !audience.includes('assistant')
}
