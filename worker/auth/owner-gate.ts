/**
 * Authentication when an owner is configured: tokens, cookies, links, and the pages for sign-in and consent.
 *
 * A client sends a token of its grant, the owner's browser a cookie, and a sub-agent a link, which its
 * workspace checks. Every other request is answered with a challenge or sent to sign-in.
 *
 * @module
 */

import type { Env } from '../env.ts'
import { isLocal, isReading } from '../http.ts'
import { restrictFetch } from '../outbound.ts'
import { refuseUnanswerable } from './authorization-request.ts'
import { authorize } from './consent.ts'
import { withAnyName } from './grant-store.ts'
import type { Identity } from '../sessions/identity.ts'
import { authorizationServer, type Props } from './oauth.ts'
import { findOwner } from './owner.ts'
import { serveOAuth } from './protocol.ts'
import { isDavPath, isPageLink } from '../sessions/links.ts'
import { metadataUrl, resourceMetadata, resourceOf } from './resource.ts'
import { refuseMethod, signIn, signOut, redirectToSignIn } from './signin.ts'

const PROTOCOL =
  /^\/(?:oauth\/|\.well-known\/(?:oauth-authorization-server|openid-configuration)(?:\/|$))/

// The libraries use the global `fetch`.
globalThis.fetch = restrictFetch(globalThis.fetch)

/** Returns the identity of a request, or the response that serves or refuses it. */
export async function authenticateByOwner(
  request: Request,
  received: Env,
  context: ExecutionContext,
): Promise<Identity | Response> {
  const env = withAnyName(received)
  const url = new URL(request.url)
  const { pathname, origin } = url
  if (url.protocol !== 'https:' && !isLocal(request)) return insecure()
  if (PROTOCOL.test(pathname)) return serveOAuth(request, env, context)
  const metadata = resourceMetadata(url)
  if (metadata) return isReading(request) ? metadata : refuseMethod('GET, HEAD')
  if (pathname === '/signin') return signIn(request, env)
  if (pathname === '/signout') return signOut(request)
  // The workspace of a link checks the secret.
  if (pathname.startsWith('/s/') || isPageLink(pathname) || isDavPath(pathname))
    return { kind: 'local' }
  const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (token !== undefined) return (await clientOf(token, origin, env)) ?? challenge(url, true)
  const owner = await findOwner(request, env)
  if (!owner) return beforeSignIn(request, env)
  if (pathname === '/authorize') return authorize(request, env, owner)
  return isForgery(request) ? refuseForgery() : owner
}

async function beforeSignIn(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url)
  const isAsked = url.pathname === '/authorize' && isReading(request)
  const refusal = isAsked && (await refuseUnanswerable(request, env))
  if (refusal) return refusal
  return isNavigation(request) ? redirectToSignIn(request) : challenge(url, false)
}

async function clientOf(token: string, origin: string, env: Env): Promise<Identity | null> {
  const known = await authorizationServer(origin).validateToken<Props>(
    resourceOf(origin),
    token,
    env,
  )
  if (!known) return null
  const { workspace, session } = known.props
  return { kind: 'client', workspace, session, scopes: known.scope }
}

/** Secrets, cookies and tokens must not travel in clear text. */
function insecure(): Response {
  const message = 'HTTPS is required to sign in or to use a token. Use the same address with https.'
  return Response.json({ code: 'INSECURE', message }, { status: 403 })
}

function challenge(url: URL, hadToken: boolean): Response {
  const parts = [
    ...(hadToken ? ['error="invalid_token"'] : []),
    `resource_metadata="${metadataUrl(url)}"`,
    'scope="read write"',
  ]
  const message = hadToken ? 'Access token invalid or expired' : 'Authentication required'
  return Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32001, message } },
    { status: 401, headers: { 'www-authenticate': `Bearer ${parts.join(', ')}` } },
  )
}

/** Whether a browser navigates to a page, as opposed to an API request. */
const isNavigation = ({ method, headers }: Request) =>
  method === 'GET' && (headers.get('accept') ?? '').includes('text/html')

/**
 * Whether a request may be forged by another page (CSRF): a browser adds its cookie to those, too. A request
 * that changes something must come from this origin with a header that only the console sets.
 */
function isForgery(request: Request): boolean {
  if (isReading(request)) return false
  const { headers, url } = request
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const foreign =
    (origin !== null && origin !== new URL(url).origin) || (site !== null && site !== 'same-origin')
  return foreign || !headers.has('x-edgewise-console')
}

function refuseForgery(): Response {
  const message =
    'Cannot accept this request: it does not come from the console. Send the header X-Edgewise-Console from this origin.'
  return Response.json({ code: 'FORBIDDEN', message }, { status: 403 })
}
