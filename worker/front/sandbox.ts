/**
 * The sandbox page: the page of another origin in which apps run, with the app's content security policy.
 *
 * The policy comes as `?csp=`, is parsed by `#core/csp.ts` and is sent as a header, which the app's frame
 * inherits; an invalid policy permits nothing. A sandbox host serves this page and nothing else, so an app
 * finds no API on its own origin. Locally, `localhost` and `127.0.0.1` are each other's sandbox; there an app
 * never gets the origin of the host (`host/sandbox/main.ts`). It gets an origin of its own only below
 * `*.localhost`, where nothing else is served either.
 *
 * The page may be embedded by this server's own pages, by `EDGEWISE_ORIGINS` and, locally, by any page of
 * this machine. A site that uses `mcp-view.js` must be listed, as it must be for calling `/mcp`. A page that embeds it
 * gives it the app to run, so where apps keep data a page at another port must be listed as well.
 *
 * @module
 */

import { connectionsOf, policyOf, readCsp, type AppCsp } from '#core/csp.ts'
import { type Env, splitNames } from '../env.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { acceptedHosts, readOrigin } from './guard.ts'
import { isReading } from '../http.ts'

/**
 * The role of a host name: `own` and `opaque` serve only apps, each app with its own or with an opaque
 * origin; `local` is this machine; `main` is every other host.
 */
type Place = 'own' | 'opaque' | 'local' | 'main'

/** Scheme, host and path, matched without parsing a URL because every request passes here. */
const URL_PARTS = /^(https?):\/\/([^/?#]+)([^?#]*)/

const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/
const BELOW_LOCALHOST = /^[a-z0-9-]{1,63}\.localhost(?::\d+)?$/

/** Answers a request for the sandbox page or for a sandbox host; null for every other request. */
export function sandboxAnswer(request: Request, env: Env): MaybePromise<Response> | null {
  const [, , host = '', path = ''] = URL_PARTS.exec(request.url) ?? []
  const place = placeOf(host, env)
  const asked = path === '/sandbox'
  if (!asked) return place === 'own' || place === 'opaque' ? respondEmpty(404) : null
  if (place === 'main') return redirectToSandbox(request, env)
  if (!isReading(request)) return respondEmpty(405)
  // An app that shares this origin could otherwise open the page again, with a policy of its own.
  if (request.headers.get('sec-fetch-site') === 'same-origin') return respondEmpty(403)
  return serve(request, env, place)
}

/** Returns the URL in `SANDBOX_ORIGIN`; undefined if it is not set or empty, null if it is invalid. */
export const sandboxUrl = ({
  SANDBOX_ORIGIN,
}: Pick<Env, 'SANDBOX_ORIGIN'>): URL | null | undefined =>
  SANDBOX_ORIGIN ? readOrigin(SANDBOX_ORIGIN) : undefined

function placeOf(host: string, env: Env): Place {
  if (BELOW_LOCALHOST.test(host)) return 'own'
  const sandbox = sandboxUrl(env)
  if (sandbox === undefined) return LOCAL.test(host) ? 'local' : 'main'
  if (host === sandbox?.host) return LOCAL.test(host) ? 'local' : 'opaque'
  return sandbox && host.endsWith(`.${sandbox.host}`) ? 'own' : 'main'
}

/** Redirects a page that knows only the address of this server to the sandbox origin. */
function redirectToSandbox(request: Request, env: Env): Response {
  const sandbox = sandboxUrl(env)
  if (!sandbox) return respondEmpty(404)
  const { search } = new URL(request.url)
  const location = new URL(`/sandbox${search}`, sandbox).href
  return new Response(null, { status: 307, headers: { location, 'cache-control': 'no-store' } })
}

async function serve(request: Request, env: Env, place: Place): Promise<Response> {
  const asset = await env.ASSETS.fetch(new URL('/sandbox.html', request.url))
  const csp = declaredIn(request)
  const page = (await asset.text()).replace('{{origin}}', place === 'own' ? 'own' : 'opaque')
  return new Response(request.method === 'HEAD' ? null : page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${policyOf(csp)}; frame-ancestors ${embedders(request, env, place)}`,
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
  return readCsp(parseJson(text)).csp
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** Pages of this machine, on any port. An app has another origin or none, so it is not among them. */
const ON_THIS_MACHINE = ['http://localhost:*', 'http://127.0.0.1:*', 'https://localhost:*']

/** Returns the pages of this machine that may embed an app: beside the data of apps, only the console. */
function localEmbedders({ protocol, host, port }: URL, place: Place): string[] {
  if (LOCAL.test(host)) return ON_THIS_MACHINE
  if (place !== 'own' || !BELOW_LOCALHOST.test(host)) return []
  const at = port === '' ? '' : `:${port}`
  return ['localhost', '127.0.0.1'].map((name) => `${protocol}//${name}${at}`)
}

function embedders(request: Request, env: Env, place: Place): string {
  const hosts = acceptedHosts(env).map(({ origin }) => origin)
  const origins = [...hosts, ...splitNames(env.EDGEWISE_ORIGINS)].flatMap(originOf)
  const all = [...localEmbedders(new URL(request.url), place), ...origins]
  return all.length > 0 ? all.join(' ') : "'none'"
}

/**
 * Normalises a configured origin. An invalid one is dropped: a `;` in it would add directives to the header.
 */
function originOf(text: string): string[] {
  const origin = URL.parse(text)?.origin ?? ''
  return /^https?:\/\/[\w.:-]+$/.test(origin) ? [origin] : []
}

function respondEmpty(status: number): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store' } })
}
