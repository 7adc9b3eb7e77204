/** What the routes beside MCP have in common. @module */

import { isRecord } from '../mcp/plain.ts'
import { refuse } from './files.ts'

export function notAllowed(allow: string): Response {
  return refuse(405, 'METHOD_NOT_ALLOWED', `Only ${allow} is possible here`, { allow })
}

/** The body, where it is a JSON object; null for everything else. */
export async function jsonOf(request: Request): Promise<Record<string, unknown> | null> {
  try {
    const body: unknown = await request.json()
    return isRecord(body) ? body : null
  } catch {
    return null
  }
}
