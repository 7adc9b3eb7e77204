/**
 * Who is asking, as the front tells the object: headers that nobody else can set.
 *
 * @module
 */

import { PRINCIPAL_HEADER, SCOPES_HEADER, SESSION_HEADER } from './auth/identity.ts'
import { MODERN } from './mcp/facts.ts'
import { BASE_HEADER, LINK_HEADER } from './sessions/links.ts'

/** Headers that the front alone may set. */
export const OURS = [LINK_HEADER, BASE_HEADER, PRINCIPAL_HEADER, SESSION_HEADER, SCOPES_HEADER]

/**
 * The request with what only this front may say of it. The name under which callers know a
 * workspace is told where it can matter: links are made by tool calls alone.
 */
export function identified(
  request: Request,
  workspace: string,
  identity: Readonly<Record<string, string>>,
): Request {
  const said = Object.entries(identity)
  const forged = OURS.some((name) => request.headers.has(name))
  if (!forged && said.length === 0 && makesNoLink(request)) return request
  const headers = new Headers(request.headers)
  for (const name of OURS) headers.delete(name)
  headers.set(BASE_HEADER, linkBase(request, workspace))
  for (const [name, value] of said) headers.set(name, value)
  return new Request(request, { headers })
}

/**
 * Whether a request cannot ask for a link, going by its headers, from which a body of the modern era
 * may not differ. Those of the older era say nothing, and a name may come encoded.
 */
function makesNoLink({ headers }: Request): boolean {
  const name = headers.get('mcp-name') ?? ''
  return (
    headers.get('mcp-protocol-version') === MODERN && !LINKS.has(name) && !name.startsWith('=?')
  )
}

/** Tools that make links. */
const LINKS = new Set(['delegate', 'transfer_link'])

/** The beginning of the URL of every link to a workspace. */
function linkBase(request: Request, workspace: string): string {
  return `${new URL(request.url).origin}/s/${workspace}`
}
