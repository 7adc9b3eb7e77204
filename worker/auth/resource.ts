/**
 * The protected resource of a token, under the names that clients use for it.
 *
 * A client names the URL of its MCP endpoint, with or without a workspace. One resource covers all of them,
 * because the person chooses at consent which workspace a token opens. A slash at the end changes nothing, and the
 * metadata repeat it: a client compares them with the URL that it uses.
 *
 * @module
 */

import { WORKSPACE_NAME } from '../workspace-name.ts'

/** Paths of the MCP endpoint: of the default workspace, and of a named one. */
const MCP_PATH = new RegExp(`^/(?:w/(${WORKSPACE_NAME})/)?mcp/?$`)

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** Returns the resource identifier of an origin, which is the origin itself. */
export const resourceOf = (origin: string) => origin

/** Maps the URL of an MCP endpoint of this origin to the one resource; any other resource stays as it is. */
export function knownResource(named: string, origin: string): string {
  return mcpPathIn(named, origin) === null ? named : resourceOf(origin)
}

/** Returns the workspace that a resource URL names; undefined when it names none. */
export function workspaceIn(named: string | null, origin: string): string | undefined {
  return MCP_PATH.exec((named && mcpPathIn(named, origin)) ?? '')?.[1]
}

/** A profile in the URL of a client chooses tools, and is no other resource. */
const PROFILE = /\?profile=[a-z]+$/

function mcpPathIn(named: string, origin: string): string | null {
  const path = named.startsWith(`${origin}/`) ? named.slice(origin.length).replace(PROFILE, '') : ''
  return MCP_PATH.test(path) ? path : null
}

/** Returns the URL of the metadata document of a path (RFC 9728, section 3.1). */
export function metadataUrl({ origin, pathname }: URL): string {
  return origin + WELL_KNOWN + (MCP_PATH.test(pathname) ? pathname : '')
}

/** Serves the protected resource metadata of a well-known URL (RFC 9728); null for every other URL. */
export function resourceMetadata({ origin, pathname }: URL): Response | null {
  if (pathname !== WELL_KNOWN && !pathname.startsWith(`${WELL_KNOWN}/`)) return null
  const path = pathname.slice(WELL_KNOWN.length).replace(/^\/$/, '')
  if (path !== '' && !MCP_PATH.test(path)) return respondNotFound()
  const metadata = {
    resource: path === '' ? resourceOf(origin) : origin + path,
    authorization_servers: [origin],
    bearer_methods_supported: ['header'],
    scopes_supported: ['read', 'write'],
    resource_name: 'Edgewise',
  }
  return Response.json(metadata, { headers: { 'access-control-allow-origin': '*' } })
}

function respondNotFound(): Response {
  const message = 'Not found. Tokens are valid only for /mcp and /w/{workspace}/mcp.'
  return Response.json({ code: 'NOT_FOUND', message }, { status: 404 })
}
