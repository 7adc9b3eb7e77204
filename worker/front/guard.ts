/**
 * The guard: checks `Host` and `Origin` before every route.
 *
 * A page of another site can make a browser send requests here, also through a DNS name that it points at
 * this machine (DNS rebinding). So both headers must have known values. Away from localhost nothing is served
 * until an owner is configured, see `auth/gate.ts`.
 *
 * @module
 */

import { hasOwner, splitNames, type Env } from '../env.ts'
import { HOST, hostOf, isLocalName } from '../http.ts'
import { isDiscovery } from './server-card.ts'

/** Returns the 400 of a request whose `Host` or URL is malformed (RFC 9112, 3.2), or null. */
export function refuseMalformedHost(request: Request): Response | null {
  return hostOf(request) === null ? refuse(400, 'The Host header is malformed') : null
}

/** Returns the 403 of a request with an unknown host or origin, or null. */
export function refuseUnknownOrigin(request: Request, env: Env): Response | null {
  const host = hostOf(request)
  if (host === null || !(isHost(host, env) || isHealth(request) || isUnset(request, env))) {
    const message = `Host ${JSON.stringify(host)} is not allowed. Add it to EDGEWISE_HOSTS`
    return refuse(403, message)
  }
  const origin = request.headers.get('origin')
  if (origin !== null && !isOpenToEveryOrigin(request) && !isTrusted(origin, request, env)) {
    const message = `Origin ${JSON.stringify(origin)} is not allowed. Add it to EDGEWISE_ORIGINS`
    return refuse(403, message)
  }
  return null
}

/** Adds the CORS headers that let the permitted origin read a response. */
export function withCors(request: Request, response: Response): Response {
  const readable = new Response(response.body, response)
  for (const [name, value] of corsHeaders(request)) readable.headers.set(name, value)
  return readable
}

function corsHeaders(request: Request): [string, string][] {
  return [
    ['access-control-allow-origin', request.headers.get('origin') ?? 'null'],
    ['access-control-expose-headers', 'Mcp-Session-Id, WWW-Authenticate, ETag, Content-Range'],
    ['vary', 'Origin'],
  ]
}

/** Answers a CORS preflight request. */
export function preflight(request: Request): Response {
  const headers = new Headers(corsHeaders(request))
  const wanted = request.headers.get('access-control-request-headers')
  headers.set('access-control-allow-methods', 'GET, HEAD, POST, PUT, DELETE, OPTIONS')
  if (wanted !== null) headers.set('access-control-allow-headers', wanted)
  headers.set('access-control-max-age', '600')
  return new Response(null, { status: 204, headers })
}

/**
 * Whether this Worker is deployed on Cloudflare and has no owner yet: the request passes, and `auth/gate.ts`
 * answers what to set. A local request has no `cf-ray`, so an unknown host name is DNS rebinding.
 */
function isUnset({ headers }: Request, env: Env): boolean {
  return headers.has('cf-ray') && !hasOwner(env)
}

/** Whether a request is a health check, which is answered under any host name. */
export function isHealth({ url }: Request): boolean {
  return HEALTH.test(url)
}

const HEALTH = /^https?:\/\/[^/]+\/healthz(?:\?|$)/

/** Paths open to every origin: OAuth clients run anywhere, and these routes use no cookie. */
const PROTOCOL = /^\/(?:oauth\/|\.well-known\/oauth-)/

/** Tests the normalised path that the routes see: the raw URL `/oauth/%2e%2e/files` leads to `/files`. */
function isOpenToEveryOrigin({ url }: Request): boolean {
  const { pathname } = new URL(url)
  return PROTOCOL.test(pathname) || isDiscovery(pathname)
}

function isHost(host: string, env: Env): boolean {
  // When every user must sign in, another host name gives no more access.
  const anyHost = !env.EDGEWISE_HOSTS && hasOwner(env)
  return (
    isLocalName(host) || anyHost || acceptedHosts(env).some(({ hostname }) => hostname === host)
  )
}

/** The hosts of `EDGEWISE_HOSTS`: each is a name, or an address as a browser shows it. */
export const acceptedHosts = ({ EDGEWISE_HOSTS }: Env): URL[] =>
  splitNames(EDGEWISE_HOSTS).flatMap((name) => readHost(name) ?? [])

/** Reads the name of a host, or the origin of one; null for any other text. */
export function readHost(name: string): URL | null {
  const url = readOrigin(name.includes('://') ? name : `https://${name}`)
  return url && HOST.test(url.host) ? url : null
}

/** Reads an http or https origin, also one with a final slash; null for any other text. */
export function readOrigin(text: string): URL | null {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url : null
}

/**
 * Whether a page of this origin may send requests: the console's own, and those that the operator lists. A
 * page at another port of this machine belongs to another program, so it is as foreign as any other site.
 */
function isTrusted(origin: string, request: Request, env: Env): boolean {
  return origin === ownOrigin(request) || splitNames(env.EDGEWISE_ORIGINS).includes(origin)
}

/** The origin of the pages that this server serves under the name of this request. */
function ownOrigin({ headers, url }: Request): string | undefined {
  const { protocol, host } = new URL(url)
  return URL.parse(`${protocol}//${headers.get('host') ?? host}`)?.origin
}

function refuse(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }, { status })
}
