/**
 * The guard: who may speak to this Worker at all, told by `Host` and `Origin`.
 *
 * A page of another site can make a browser send requests here, also through a name that it points
 * at this machine. So both headers have to be known ones. Away from localhost nothing is served
 * until there is an owner, see `auth/admit.ts`.
 *
 * @module
 */

import type { Env } from './env.ts'

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The usual host header, told without parsing a URL. Whether a higher port is one, parsing has to say. */
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(?::(?:\d{1,4}|[1-5]\d{4}))?$/

/** The refusal of a request that may not come in, or null. */
export function refusal(request: Request, env: Env): Response | null {
  const host = hostOf(request)
  if (host === null || !(isHost(host, env) || isHealth(request) || isUnset(request, env))) {
    const message = `This server is not set up to answer as ${JSON.stringify(host)}. Set EDGEWISE_HOSTS`
    return refuse(403, message)
  }
  const origin = request.headers.get('origin')
  if (origin !== null && !isForEverybody(request) && !isOrigin(origin, host, env)) {
    return refuse(403, `Requests from ${JSON.stringify(origin)} are not accepted`)
  }
  return null
}

/** The answer, made readable for the origin that was let in. */
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

/** The answer to a browser that asks beforehand. */
export function preflight(request: Request): Response {
  const headers = new Headers(corsHeaders(request))
  const wanted = request.headers.get('access-control-request-headers')
  headers.set('access-control-allow-methods', 'GET, HEAD, POST, PUT, DELETE, OPTIONS')
  if (wanted !== null) headers.set('access-control-allow-headers', wanted)
  headers.set('access-control-max-age', '600')
  return new Response(null, { status: 204, headers })
}

/** Whether there is somebody to sign in as. Then everybody has to. An empty secret is nobody's. */
export function hasOwner({ EDGEWISE_OWNER_SECRET, EDGEWISE_ACCESS }: Env): boolean {
  return Boolean(EDGEWISE_OWNER_SECRET) || Boolean(EDGEWISE_ACCESS)
}

/**
 * Whether this Worker was deployed and has no owner yet: then the door says what to set. On this machine,
 * where no request came through Cloudflare, an unknown name is one that somebody pointed here.
 */
function isUnset({ headers }: Request, env: Env): boolean {
  return headers.has('cf-ray') && !hasOwner(env)
}

/** Whether a request names this machine as its host. */
export function isLocal(request: Request): boolean {
  return LOCAL.has(hostOf(request) ?? '')
}

/** Whether somebody only wants to know that this Worker lives, which it tells under any name. */
export function isHealth({ url }: Request): boolean {
  return HEALTH.test(url)
}

const HEALTH = /^https?:\/\/[^/]+\/healthz(?:\?|$)/

/** Clients of OAuth run anywhere, and nothing here is done for a cookie. */
const PROTOCOL = /^https?:\/\/[^/]+\/(?:oauth\/|\.well-known\/oauth-)/

const isForEverybody = ({ url }: Request) => PROTOCOL.test(url)

function hostOf(request: Request): string | null {
  const header = request.headers.get('host') ?? new URL(request.url).host
  return LOCAL_HOST.exec(header)?.[1] ?? nameOf(`http://${header}`)
}

function isHost(host: string, env: Env): boolean {
  // Where everybody has to sign in, another name of this server gains nobody anything.
  const anyHost = env.EDGEWISE_HOSTS === undefined && hasOwner(env)
  return LOCAL.has(host) || anyHost || listed(env.EDGEWISE_HOSTS).includes(host)
}

function isOrigin(origin: string, host: string, env: Env): boolean {
  if (listed(env.EDGEWISE_ORIGINS).includes(origin)) return true
  // A page of the web alone: an app's own scheme may have any host, and says who made it to nobody.
  const url = WEB_ORIGIN.test(origin) ? URL.parse(origin) : null
  if (url?.origin !== origin) return false
  return LOCAL.has(url.hostname) ? LOCAL.has(host) : url.hostname === host
}

const WEB_ORIGIN = /^https?:/

function nameOf(url: string): string | null {
  try {
    return new URL(url).hostname
  } catch {
    return null
  }
}

function listed(names: string | undefined): string[] {
  return (names ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function refuse(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }, { status })
}
