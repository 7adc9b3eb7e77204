/** Helpers of the routes beside MCP. @module */

import { isRecord } from '#core/json.ts'
import { parseBody, readBody } from '../mcp/body.ts'
import { refuse } from './files.ts'

/** Builds the 405 of a method that is not allowed. */
export function notAllowed(allow: string): Response {
  return refuse(405, 'METHOD_NOT_ALLOWED', `Only ${allow} is possible here`, { allow })
}

/** Reads a body as a JSON object, within the limits of a message; null for anything else. */
export async function jsonOf(request: Request): Promise<Record<string, unknown> | null> {
  const text = await readBody(request)
  const body = text.ok ? parseBody(text.value) : text
  return body.ok && isRecord(body.value) ? body.value : null
}
