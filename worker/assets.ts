/**
 * What was built for browsers: the console, the scripts that any page may load, and the sandbox.
 *
 * The console runs no script but its own file and can be framed by nobody. Apps run in a page of
 * another origin, whose rules `sandbox.ts` writes.
 *
 * @module
 */

import type { Env } from './env.ts'

/** Scripts for pages of any origin. */
const PUBLIC = new Set([
  '/webmcp.js',
  '/webmcp-core.js',
  '/webmcp.mjs',
  '/webmcp-core.mjs',
  '/webmcp-dialog.mjs',
  '/webmcp-forms.mjs',
  '/webmcp-remote.mjs',
  '/mcp-view.js',
])

const OWN = new Set(['/console.js', '/console.css'])

const COMMON = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

/** A script for everybody, which neither host nor origin has to be known for; null for all else. */
export function publicScript(request: Request, env: Env): Promise<Response> | null {
  // Every call comes by here, and none of them reads.
  if (!isReading(request)) return null
  const { pathname } = new URL(request.url)
  if (!PUBLIC.has(pathname)) return null
  return fetchAsset(request, env, pathname, {
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  })
}

/** The console and what it loads; null for all else. */
export async function consoleAsset(request: Request, env: Env): Promise<Response | null> {
  const { pathname } = new URL(request.url)
  if (!isReading(request)) return null
  if (OWN.has(pathname)) return fetchAsset(request, env, pathname, {})
  return pathname === '/' ? consolePage(request, env) : null
}

async function consolePage(request: Request, env: Env): Promise<Response> {
  const sandbox = sandboxOrigin(request, env)
  const asset = await env.ASSETS.fetch(new URL('/index.html', request.url))
  const page = (await asset.text()).replace('{{sandbox}}', sandbox)
  return new Response(page, {
    headers: {
      ...COMMON,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyFor(sandbox),
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    },
  })
}

/** It may call any MCP server that the person names, so where it connects is not limited. */
function policyFor(sandbox: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    'connect-src *',
    `frame-src ${sandbox}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Where apps run: `SANDBOX_ORIGIN`, and on this machine the other name of the same server. */
export function sandboxOrigin(request: Request, { SANDBOX_ORIGIN }: Env): string {
  if (SANDBOX_ORIGIN !== undefined) return new URL(SANDBOX_ORIGIN).origin
  const url = new URL(request.url)
  url.hostname = url.hostname === '127.0.0.1' ? 'localhost' : '127.0.0.1'
  return url.origin
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

const isReading = ({ method }: Request) => method === 'GET' || method === 'HEAD'
