/**
 * Reach: what a caller may ever touch is a matter of the transport, so that standard clients ask for
 * more in the standard way. Everything that one request lacks is named in one challenge.
 *
 * @module
 */

import { parseIntent } from '#core/intent/template.ts'
import { isRecord, recordOf } from '#core/json.ts'
import { parentOf, resolvePath, type StorePath } from '#core/path.ts'
import { noteBeyond } from '../account.ts'
import { isWithinReach, type Area } from '../area.ts'
import type { Surroundings } from '../call.ts'
import type { Caller } from '../sessions/caller.ts'
import type { Tool, Touch } from '../tools/tool.ts'
import { pathOf } from './uri.ts'

/** The 403 for a request that touches what its caller may never touch, or null. The audit tells of it. */
export function beyondReach(
  message: unknown,
  caller: Caller,
  { tools, store }: Pick<Surroundings, 'tools' | 'store'>,
): Response | null {
  const { area } = caller
  const { read, write } = area.reach
  if (read.length + write.length === 0 || !isRecord(message)) return null
  const wish = wishOf(message, tools)
  const lacks = wish.touches.flatMap(alsoRead).flatMap((touch) => lackOf(touch, area))
  if (lacks.length === 0) return null
  const scopes = [...new Set(lacks.map(({ scope }) => scope))]
  const paths = [...new Set(lacks.map(({ path }) => path))]
  noteBeyond({ ...wish, paths, caller }, store.audit)
  return challenge(message['id'], scopes)
}

/** What a message asks for: a tool with its arguments, or a resource, and all that it touches. */
interface Wish {
  readonly tool: Pick<Tool, 'name' | 'intent'>
  readonly args: unknown
  readonly touches: readonly Touch[]
}

const READING = { name: 'resources/read', intent: parseIntent('Read {uri}') }

function wishOf(
  { method, params }: Record<string, unknown>,
  tools: ReadonlyMap<string, Tool>,
): Wish {
  const { name, arguments: args, uri } = recordOf(params)
  const tool = method === 'tools/call' ? tools.get(String(name)) : undefined
  const input = tool?.parse(args)
  if (tool && input?.ok) return { tool, args, touches: tool.touches(input.value) }
  const path = method === 'resources/read' ? pathOf(String(uri)) : null
  const touches: Touch[] = path === null ? [] : [{ action: 'read', text: path }]
  return { tool: READING, args: { uri }, touches }
}

const alsoRead = (touch: Touch): Touch[] =>
  touch.tells ? [{ ...touch, action: 'read' }, touch] : [touch]

function lackOf(touch: Touch, area: Area): { scope: string; path: StorePath }[] {
  const path = resolvePath(touch.text, area.rules.read.defaultRoot)
  if (!path.ok || isWithinReach(area, touch, path.value)) return []
  return [{ scope: `${touch.action}:file:${folderOf(touch, path.value)}`, path: path.value }]
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
