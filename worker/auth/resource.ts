/**
 * The resource that a token is for, by the names under which clients know it.
 *
 * A client names the URL at which it speaks MCP, of this workspace or that one. One resource stands
 * for all of them, because which workspace a token opens is what the person chose at consent.
 *
 * @module
 */

import { WORKSPACE_NAME } from '../names.ts'

/** MCP of the default workspace, and of a named one. */
const MCP_PATH = new RegExp(`^/(?:w/(${WORKSPACE_NAME})/)?mcp$`)

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** What tokens of an origin are for. */
export const resourceOf = (origin: string) => origin

/** A resource that a client names, as the one that stands for it; what is not ours stays as it is. */
export function knownResource(named: string, origin: string): string {
  return mcpPathIn(named, origin) === null ? named : resourceOf(origin)
}

/** The workspace whose URL a client names, if it names one. */
export function workspaceIn(named: string | null, origin: string): string | undefined {
  return MCP_PATH.exec((named && mcpPathIn(named, origin)) ?? '')?.[1]
}

function mcpPathIn(named: string, origin: string): string | null {
  const path = named.startsWith(`${origin}/`) ? named.slice(origin.length) : ''
  return MCP_PATH.test(path) ? path : null
}

/** Where the metadata is of what lies at a path (RFC 9728, section 3.1). */
export function metadataUrl({ origin, pathname }: URL): string {
  return origin + WELL_KNOWN + (MCP_PATH.test(pathname) ? pathname : '')
}

/** RFC 9728: the document that a URL asks for, or null when it asks for none. */
export function resourceMetadata({ origin, pathname }: URL): Response | null {
  if (pathname !== WELL_KNOWN && !pathname.startsWith(`${WELL_KNOWN}/`)) return null
  const path = pathname.slice(WELL_KNOWN.length).replace(/^\/$/, '')
  if (path !== '' && !MCP_PATH.test(path)) return nothingThere()
  const metadata = {
    resource: path === '' ? resourceOf(origin) : origin + path,
    authorization_servers: [origin],
    bearer_methods_supported: ['header'],
    scopes_supported: ['read', 'write'],
    resource_name: 'Edgewise',
  }
  return Response.json(metadata, { headers: { 'access-control-allow-origin': '*' } })
}

function nothingThere(): Response {
  const message = 'Tokens are for MCP, at /mcp and /w/{workspace}/mcp'
  return Response.json({ code: 'NOT_FOUND', message }, { status: 404 })
}
