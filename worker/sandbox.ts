/**
 * The page of another origin in which apps run, with the rules of the app that is to run there.
 *
 * The rules come as `?csp=`, are read by `#core/csp.ts` and go out as a header, which the app's frame
 * inherits; what cannot be read opens nothing. A host for apps serves this page and nothing else, so
 * whatever runs there finds no API beside it. On this machine `localhost` and `127.0.0.1` are each
 * other's sandbox; there an app never gets the host's origin (`host/sandbox/main.ts`), only below
 * `*.localhost`, where nothing else is served either.
 *
 * Who may embed it: this server's own pages, `EDGEWISE_ORIGINS`, and on this machine any page of this
 * machine. A site that uses `mcp-view.js` has to be among them, as it has to be for calling `/mcp`.
 *
 * @module
 */

import { connectionsOf, policyOf, readCsp, type AppCsp } from '#core/csp.ts'
import type { Env } from './env.ts'

/** What a host is for: nothing but apps, with an origin for each or none; this machine; all the rest. */
type Place = 'own' | 'opaque' | 'local' | 'main'

/** Scheme, host and path, told without parsing a URL: every request comes by here. */
const URL_PARTS = /^(https?):\/\/([^/?#]+)([^?#]*)/

const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/
const BELOW_LOCALHOST = /^[a-z0-9-]{1,63}\.localhost(?::\d+)?$/

/** The answer where a request is for the sandbox or for its host; null for all else. */
export function sandboxAnswer(request: Request, env: Env): Promise<Response> | Response | null {
  const [, , host = '', path = ''] = URL_PARTS.exec(request.url) ?? []
  const place = placeOf(host, env)
  const asked = path === '/sandbox'
  if (!asked) return place === 'own' || place === 'opaque' ? nothing(404) : null
  if (place === 'main') return elsewhere(request, env)
  if (request.method !== 'GET' && request.method !== 'HEAD') return nothing(405)
  // An app that shares this origin could otherwise open the page again, with rules of its own.
  if (request.headers.get('sec-fetch-site') === 'same-origin') return nothing(403)
  return serve(request, env, place)
}

function placeOf(host: string, { SANDBOX_ORIGIN }: Env): Place {
  if (BELOW_LOCALHOST.test(host)) return 'own'
  if (SANDBOX_ORIGIN === undefined) return LOCAL.test(host) ? 'local' : 'main'
  const sandbox = new URL(SANDBOX_ORIGIN).host
  if (host === sandbox) return LOCAL.test(host) ? 'local' : 'opaque'
  return host.endsWith(`.${sandbox}`) ? 'own' : 'main'
}

/** A page that only knows this server's address is sent on to where apps run. */
function elsewhere(request: Request, { SANDBOX_ORIGIN }: Env): Response {
  if (SANDBOX_ORIGIN === undefined) return nothing(404)
  const { search } = new URL(request.url)
  const location = new URL(`/sandbox${search}`, SANDBOX_ORIGIN).href
  return new Response(null, { status: 307, headers: { location, 'cache-control': 'no-store' } })
}

async function serve(request: Request, env: Env, place: Place): Promise<Response> {
  const asset = await env.ASSETS.fetch(new URL('/sandbox.html', request.url))
  const csp = declaredIn(request)
  const page = (await asset.text()).replace('{{origin}}', place === 'own' ? 'own' : 'opaque')
  return new Response(request.method === 'HEAD' ? null : page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${policyOf(csp)}; frame-ancestors ${embedders(request, env)}`,
      'connection-allowlist': connectionsOf(csp),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'cross-origin',
      'origin-agent-cluster': '?1',
      'cache-control': 'no-cache',
      vary: 'sec-fetch-site',
    },
  })
}

function declaredIn(request: Request): AppCsp {
  const text = new URL(request.url).searchParams.get('csp')
  return readCsp(parsed(text)).csp
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** Pages of this machine, on any port. An app has another origin or none, so it is not among them. */
const ON_THIS_MACHINE = ['http://localhost:*', 'http://127.0.0.1:*', 'https://localhost:*']

function embedders(request: Request, env: Env): string {
  const { host } = new URL(request.url)
  const local = LOCAL.test(host) || BELOW_LOCALHOST.test(host)
  const hosts = listed(env.EDGEWISE_HOSTS).map((name) => name && `https://${name}`)
  const origins = [...hosts, ...listed(env.EDGEWISE_ORIGINS)].flatMap(originOf)
  const all = [...(local ? ON_THIS_MACHINE : []), ...origins]
  return all.length > 0 ? all.join(' ') : "'none'"
}

const listed = (names: string | undefined) => (names ?? '').split(',').map((name) => name.trim())

/** A configured origin in normal form, or nothing: it ends in a header, and a host may hold a `;`. */
function originOf(text: string): string[] {
  const origin = URL.parse(text)?.origin ?? ''
  return /^https?:\/\/[\w.:-]+$/.test(origin) ? [origin] : []
}

function nothing(status: number): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store' } })
}
