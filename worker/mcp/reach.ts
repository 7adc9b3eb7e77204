/**
 * Reach: what a caller may ever touch is a matter of the transport, so that standard clients ask for
 * more in the standard way. Everything that one request lacks is named in one challenge.
 *
 * @module
 */

import { isRecord, recordOf } from '#core/json.ts'
import { parentOf, resolvePath, type StorePath } from '#core/path.ts'
import { isWithinReach, type Area } from '../area.ts'
import type { Caller } from '../sessions/caller.ts'
import type { Tool, Touch } from '../tools/tool.ts'
import { pathOf } from './uri.ts'

/** The 403 for a request that touches what its caller may never touch, or null. */
export function beyondReach(
  message: unknown,
  { area }: Caller,
  tools: ReadonlyMap<string, Tool>,
): Response | null {
  const { read, write } = area.reach
  if (read.length + write.length === 0 || !isRecord(message)) return null
  const touches = touchesOf(message, tools).flatMap(alsoRead)
  const missing = touches.flatMap((touch) => missingScope(touch, area))
  return missing.length === 0 ? null : challenge(message['id'], [...new Set(missing)])
}

function touchesOf(
  message: Record<string, unknown>,
  tools: ReadonlyMap<string, Tool>,
): readonly Touch[] {
  const params = recordOf(message['params'])
  const { name, arguments: args, uri } = params
  if (message['method'] === 'tools/call') {
    const tool = tools.get(String(name))
    const input = tool?.parse(args)
    return tool && input?.ok ? tool.touches(input.value) : []
  }
  const path = message['method'] === 'resources/read' ? pathOf(String(uri)) : null
  return path === null ? [] : [{ action: 'read', text: path }]
}

const alsoRead = (touch: Touch): Touch[] =>
  touch.tells ? [{ ...touch, action: 'read' }, touch] : [touch]

function missingScope(touch: Touch, area: Area): string[] {
  const path = resolvePath(touch.text, area.rules.read.defaultRoot)
  if (!path.ok || isWithinReach(area, touch, path.value)) return []
  return [`${touch.action}:file:${folderOf(touch, path.value)}`]
}

function folderOf({ isFolder, text }: Touch, path: StorePath): StorePath {
  return isFolder || text.endsWith('/') ? path : parentOf(path)
}

/** RFC 6750, section 3.1, as MCP wants it. */
function challenge(id: unknown, scopes: readonly string[]): Response {
  const quoted = scopes.map((scope) => encodeURI(scope).replaceAll('"', '%22')).join(' ')
  const message = `This needs more than the session may do: ${scopes.join(', ')}`
  return Response.json(
    {
      jsonrpc: '2.0',
      id: typeof id === 'string' || typeof id === 'number' ? id : null,
      error: { code: -32000, message },
    },
    {
      status: 403,
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${quoted}"` },
    },
  )
}
