/**
 * Static assets: the console, and the scripts that pages of any origin may load.
 *
 * The console runs only its own script file and cannot be framed. Apps run on a page of another origin, which
 * `sandbox.ts` serves.
 *
 * @module
 */

import type { Env } from '../env.ts'
import { isReading } from '../http.ts'
import { sandboxUrl } from './sandbox.ts'

/** Scripts for pages of any origin. */
const PUBLIC = new Set([
  '/webmcp.js',
  '/webmcp-core.js',
  '/webmcp.mjs',
  '/webmcp-core.mjs',
  '/webmcp-dialog.mjs',
  '/webmcp-forms.mjs',
  '/webmcp-frames.mjs',
  '/webmcp-remote.mjs',
  '/webmcp-approvals.mjs',
  '/webmcp-devtools.mjs',
  '/mcp-view.js',
  '/mcp-view.mjs',
  '/bridge.mjs',
])

/** Types of the public modules. */
const TYPES = new Set(['/webmcp.d.ts', '/webmcp-core.d.ts', '/mcp-view.d.ts', '/bridge.d.ts'])

const OWN = new Set(['/console.js', '/console.css', '/playground.js', '/playground.css'])

const PNG = { 'content-type': 'image/png' }

/**
 * What a device loads by itself to install the console, and the service worker. They say nothing of a workspace, and a device
 * may ask without the cookie: iPhones do so for icons, and a worker is to be replaced also after a sign-out.
 */
const INSTALLED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/console.webmanifest': { 'content-type': 'application/manifest+json' },
  // Its own policy: it sends requests to this server alone.
  '/push.js': {
    'content-security-policy': "default-src 'none'; connect-src 'self'; img-src 'self'",
  },
  '/icons/icon.svg': { 'content-security-policy': "default-src 'none'; sandbox" },
  '/icons/192.png': PNG,
  '/icons/512.png': PNG,
  '/icons/maskable.png': PNG,
  '/icons/apple.png': PNG,
  '/icons/badge.png': PNG,
}

const COMMON = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

/**
 * Serves a public script, or the types of one, without checking host or origin; null for every other
 * request.
 */
export function publicScript(request: Request, env: Env): Promise<Response> | null {
  // Every tool call passes here and is a POST, so the method is tested before the URL is parsed.
  if (!isReading(request)) return null
  const { pathname } = new URL(request.url)
  if (!PUBLIC.has(pathname) && !TYPES.has(pathname)) return null
  return fetchAsset(request, env, pathname, {
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    // The name ends as that of a video stream, which is the type that the assets have.
    ...(TYPES.has(pathname) && { 'content-type': 'text/typescript; charset=utf-8' }),
  })
}

/** Serves what a device needs to install the console, to every caller; null for every other request. */
export function installedFile(request: Request, env: Env): Promise<Response> | null {
  if (!isReading(request)) return null
  const { pathname } = new URL(request.url)
  const headers = Object.hasOwn(INSTALLED, pathname) ? INSTALLED[pathname] : undefined
  // A browser asks again each time, so that no device keeps an old service worker or icon.
  return headers
    ? fetchAsset(request, env, pathname, { 'cache-control': 'no-cache', ...headers })
    : null
}

/** Serves the console, the playground and the files they load; null for every other request. */
export async function consoleAsset(request: Request, env: Env): Promise<Response | null> {
  const { pathname } = new URL(request.url)
  if (!isReading(request)) return null
  if (OWN.has(pathname)) return fetchAsset(request, env, pathname, {})
  if (pathname === '/playground')
    return fetchAsset(request, env, '/playground.html', PLAYGROUND_HEADERS)
  return pathname === '/' ? consolePage(request, env) : null
}

/** The playground loads the scripts of this server and connects to nothing. */
const PLAYGROUND_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
}

async function consolePage(request: Request, env: Env): Promise<Response> {
  const sandbox = sandboxOrigin(request, env)
  const asset = await env.ASSETS.fetch(new URL('/index.html', request.url))
  const ownSandbox = ownSandboxPattern(request, env)
  const page = (await asset.text())
    .replace('{{sandbox}}', sandbox)
    .replace('{{own-sandbox}}', ownSandbox)
    .replace('{{app-host}}', (env.EDGEWISE_APP_HOST ?? '').replaceAll('"', '&quot;'))
  return new Response(page, {
    headers: {
      ...COMMON,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyFor(`${sandbox} ${ownSandbox.replace('{app}', '*')}`.trim()),
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    },
  })
}

/** The console may connect to any MCP server that the user names, so `connect-src` is not limited. */
function policyFor(frames: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    'connect-src *',
    "manifest-src 'self'",
    "worker-src 'self'",
    `frame-src ${frames}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Returns the origin in which apps run: `SANDBOX_ORIGIN`, or locally the other name of the same server. */
function sandboxOrigin(request: Request, env: Env): string {
  const sandbox = sandboxUrl(env)
  if (sandbox) return sandbox.origin
  const url = new URL(request.url)
  url.hostname = url.hostname === '127.0.0.1' ? 'localhost' : '127.0.0.1'
  return url.origin
}

/**
 * Returns the address of the origins of apps that declare a `domain`, with `{app}` as their label. It is
 * empty where no name below the sandbox is certain to exist: deployed, unless `SANDBOX_SUBDOMAINS` says so.
 */
function ownSandboxPattern(request: Request, env: Env): string {
  if (env.SANDBOX_SUBDOMAINS === '1' && sandboxUrl(env))
    return sandboxOrigin(request, env).replace('//', '//{app}.')
  const { protocol, hostname, port } = new URL(request.url)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  return isLocal ? `${protocol}//{app}.localhost${port && `:${port}`}` : ''
}

async function fetchAsset(
  request: Request,
  env: Env,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const { method } = request
  const known = request.headers.get('if-none-match')
  const asset = await env.ASSETS.fetch(new URL(path, request.url), {
    method,
    headers: known === null ? {} : { 'if-none-match': known },
  })
  const response = new Response(asset.body, asset)
  for (const [name, value] of Object.entries({ ...COMMON, ...headers }))
    response.headers.set(name, value)
  return response
}
