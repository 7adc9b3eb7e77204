/** Identity headers: how the front tells a workspace object who the caller is. @module */

import { PRINCIPAL_HEADER, SCOPES_HEADER, SESSION_HEADER } from '../auth/identity.ts'
import { MODERN_PROTOCOL } from '#core/wire.ts'
import { BASE_HEADER, LINK_HEADER } from '../sessions/links.ts'

/** Headers that the front alone may set. */
export const OURS = [LINK_HEADER, BASE_HEADER, PRINCIPAL_HEADER, SESSION_HEADER, SCOPES_HEADER]

/**
 * Sets the identity headers of a request and removes those that came from outside. A request without an
 * identity that cannot make a link is returned unchanged; every other one gets the base URL of links.
 */
export function withIdentity(
  request: Request,
  workspace: string,
  identity: Readonly<Record<string, string>>,
): Request {
  const entries = Object.entries(identity)
  const forged = OURS.some((name) => request.headers.has(name))
  if (!forged && entries.length === 0 && makesNoLink(request)) return request
  const headers = new Headers(request.headers)
  for (const name of OURS) headers.delete(name)
  headers.set(BASE_HEADER, linkBase(request, workspace))
  for (const [name, value] of entries) headers.set(name, value)
  return new Request(request, { headers })
}

/**
 * Whether the headers rule out a tool that makes links. A modern request must have the same values in its
 * body; an older one has no such headers, and a name that begins with `=?` is encoded, so neither is ruled
 * out.
 */
function makesNoLink({ headers }: Request): boolean {
  const name = headers.get('mcp-name') ?? ''
  return (
    headers.get('mcp-protocol-version') === MODERN_PROTOCOL &&
    !LINKS.has(name) &&
    !name.startsWith('=?')
  )
}

/** Tools that make links. */
const LINKS = new Set(['delegate', 'transfer_link'])

/** Returns the beginning of the URL of every link to a workspace. */
function linkBase(request: Request, workspace: string): string {
  return `${new URL(request.url).origin}/s/${workspace}`
}
