/** Identity headers: how the front tells a workspace object who the caller is. @module */

import { EMAIL_HEADER, PRINCIPAL_HEADER, SCOPES_HEADER, SESSION_HEADER } from './identity.ts'
import { BASE_HEADER, LINK_HEADER, PREFIX_HEADER, SENDER_HEADER } from './links.ts'

/** Headers that the front alone may set. */
export const IDENTITY_HEADERS = [
  LINK_HEADER,
  BASE_HEADER,
  PRINCIPAL_HEADER,
  EMAIL_HEADER,
  SESSION_HEADER,
  SCOPES_HEADER,
  PREFIX_HEADER,
  SENDER_HEADER,
]

/**
 * The request of a caller to MCP. One without an identity is returned unchanged unless it forges one: its object
 * knows its own name, and with it the base URL of links.
 */
export function withMcpIdentity(
  request: Request,
  workspace: string,
  identity: Readonly<Record<string, string>>,
): Request {
  const isLocal = Object.keys(identity).length === 0
  return isLocal && !isForged(request) ? request : withIdentity(request, workspace, identity)
}

const isForged = ({ headers }: Request) => IDENTITY_HEADERS.some((name) => headers.has(name))

/**
 * Sets the identity headers of a request and the base URL of links, and removes those headers that came from
 * outside.
 */
export function withIdentity(
  request: Request,
  workspace: string,
  identity: Readonly<Record<string, string>>,
): Request {
  const known = new Request(request)
  const { headers } = known
  if (isForged(request)) for (const name of IDENTITY_HEADERS) headers.delete(name)
  headers.set(BASE_HEADER, linkBase(request, workspace))
  for (const [name, value] of Object.entries(identity)) headers.set(name, value)
  return known
}

/** Returns the beginning of the URL of every link to a workspace. */
function linkBase(request: Request, workspace: string): string {
  return `${new URL(request.url).origin}/s/${workspace}`
}
