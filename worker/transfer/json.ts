/** What the routes beside MCP have in common. @module */

import { isRecord } from '#core/json.ts'
import { parseBody, readBody } from '../mcp/body.ts'
import { refuse } from './files.ts'

export function notAllowed(allow: string): Response {
  return refuse(405, 'METHOD_NOT_ALLOWED', `Only ${allow} is possible here`, { allow })
}

/** The body, where it is a JSON object within the bounds of a message; null for everything else. */
export async function jsonOf(request: Request): Promise<Record<string, unknown> | null> {
  const text = await readBody(request)
  const body = text.ok ? parseBody(text.value) : text
  return body.ok && isRecord(body.value) ? body.value : null
}
