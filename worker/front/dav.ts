/**
 * WebDAV in the front: its addresses, `OPTIONS`, and the password, which is a session link.
 *
 * The workspace of the link checks it, as it does for `/s/…`. Nothing else opens these addresses: no cookie, no token and
 * not the secret of the owner. `test/worker/dav/password.test.ts` has the cases.
 *
 * @module
 */

import { refuse } from '../errors/respond.ts'
import { enterWorkspace } from '../observe/request.ts'
import { withIdentity } from '../sessions/identity-headers.ts'
import {
  DAV_PATH,
  DAV_ROUTE,
  isDavPath,
  LINK_HEADER,
  parseToken,
  PREFIX_HEADER,
  SENDER_HEADER,
  type Token,
} from '../sessions/links.ts'

/** Behind a session link, which needs no password. */
const LINKED_DAV = /^\/s\/[^/]+\/dav(?:\/.*)?$/

/** The methods of WebDAV. */
export const DAV_METHODS = [
  ...['OPTIONS', 'GET', 'HEAD', 'PUT', 'DELETE'],
  ...['MKCOL', 'COPY', 'MOVE', 'PROPFIND', 'PROPPATCH', 'LOCK', 'UNLOCK'],
] as const

/**
 * Answers what the server can do; null for other paths, and for the preflight requests of browsers. The root of the server
 * is answered as well: Explorer asks there first, and opens nothing where that is not WebDAV.
 */
export function davOptions({ headers, url }: Request): Response | null {
  const { pathname } = new URL(url)
  const isDav = pathname === '/' || isDavPath(pathname) || LINKED_DAV.test(pathname)
  if (!isDav || headers.has('access-control-request-method')) return null
  return new Response(null, {
    headers: { allow: DAV_METHODS.join(', '), dav: '1, 2, 3', 'ms-author-via': 'DAV' },
  })
}

/** Finds the object of a workspace by its name; a response if there can be none. */
type ObjectOf = (workspace: string) => Fetcher | Response

/** A request below an address of WebDAV, with the link by which it may be served. */
export interface DavRequest {
  readonly token: Token
  /** The beginning of its path, which the client sees in every address. */
  readonly prefix: string
  readonly rest: string
  /** The address from which a password came. */
  readonly sender?: string
}

/** Serves a request that has a session link as its password. */
export async function serveDavFront(
  request: Request,
  objectOf: ObjectOf,
  sender: string,
): Promise<Response> {
  const { pathname } = new URL(request.url)
  const [, named, rest = ''] = DAV_ROUTE.exec(pathname) ?? []
  const token = passwordOf(request)
  if (!token || (named !== undefined && named !== token.workspace)) return challenge()
  const prefix = pathname.slice(0, pathname.length - rest.length)
  const dav = { token, prefix, rest, sender }
  const answer = await forwardDav(request, dav, objectOf)
  if (answer.status === 401) return challenge()
  // A wrong link can name any workspace, so only a right one is recorded.
  if (answer.status !== 429) enterWorkspace(token.workspace)
  return answer
}

/** Sends a request to the object of its link. */
export async function forwardDav(
  request: Request,
  { token: { workspace, secret }, prefix, rest, sender }: DavRequest,
  objectOf: ObjectOf,
): Promise<Response> {
  const object = objectOf(workspace)
  if (object instanceof Response) return challenge()
  const known = withIdentity(request, workspace, {
    ...{ [LINK_HEADER]: secret, [PREFIX_HEADER]: prefix },
    ...(sender !== undefined && { [SENDER_HEADER]: sender }),
  })
  known.headers.delete('authorization')
  return object.fetch(new Request(new URL(DAV_PATH + rest, request.url), known))
}

/** The longest credentials that are decoded: a link of a long host name fits. */
const MAX_CREDENTIALS = 1_000

/** The token in a password: alone, or in the whole link. The user name says nothing. */
function passwordOf({ headers }: Request): Token | null {
  const header = headers.get('authorization') ?? ''
  const [, encoded] = /^Basic +([\w+/=-]+) *$/i.exec(header) ?? []
  if (encoded === undefined || encoded.length > MAX_CREDENTIALS) return null
  const text = decodeBase64(encoded)
  const password = text.slice(text.indexOf(':') + 1).trim()
  const [, inLink = password] = /^https?:\/\/[^/]+\/s\/([^/]+)(?:\/mcp)?\/?$/.exec(password) ?? []
  return parseToken(inLink)
}

function decodeBase64(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}

/** Every link that cannot be used gets the same answer, and so does every other password. */
function challenge(): Response {
  const message = 'Sign in with a session link as the password, and any user name.'
  const headers = { 'www-authenticate': 'Basic realm="Edgewise", charset="UTF-8"' }
  return refuse(401, 'LINK_REQUIRED', message, headers)
}
