/**
 * The record of a request, and the id by which the caller, the front and the object speak of it.
 *
 * @module
 */

import type { Observer, Trail } from './observer.ts'

/** The headers under which the object hears of the id and the trace. */
export const REQUEST_HEADER = 'edgewise-request'
export const TRACE_HEADER = 'edgewise-trace'

/** `00-{trace}-{parent}-{flags}`, see W3C Trace Context. */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/

const PLACE = /^\/([ws])\/([^/]*)(\/.*)$/

/** The workspace that a link leads to. Without one, what stands there may be the secret. */
const LINKED = /^([a-z0-9-]{1,63})\./

/** Answers a request that somebody watches. */
export async function watched(
  request: Request,
  observer: Observer,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  const started = performance.now()
  const trail = { request: crypto.randomUUID(), trace: traceOf(request.headers.get('traceparent')) }
  const response = await answer(withTrail(request, trail))
  const { method, url } = request
  const ms = performance.now() - started
  observer({ event: 'request', ...trail, method, ...placeOf(url), status: response.status, ms })
  const told = new Response(response.body, response)
  told.headers.set('x-request-id', trail.request)
  return told
}

export function traceOf(traceparent: unknown): string | null {
  return typeof traceparent === 'string' ? (TRACEPARENT.exec(traceparent)?.[1] ?? null) : null
}

/** What the front wrote; nothing that came from outside is left of it. */
export function trailOf({ headers }: Request): Trail {
  return { request: headers.get(REQUEST_HEADER) ?? '', trace: headers.get(TRACE_HEADER) }
}

function withTrail(request: Request, { request: id, trace }: Trail): Request {
  const headers = new Headers(request.headers)
  headers.set(REQUEST_HEADER, id)
  headers.delete(TRACE_HEADER)
  if (trace !== null) headers.set(TRACE_HEADER, trace)
  return new Request(request, { headers })
}

/** The secret of a link and the names of files stay out of it. */
function placeOf(url: string): { route: string; workspace: string } {
  const { pathname } = new URL(url)
  const [, kind, named = 'default', rest = pathname] = PLACE.exec(pathname) ?? []
  const workspace = kind === 's' ? (LINKED.exec(named)?.[1] ?? '…') : named.slice(0, 63)
  const start = kind === undefined ? '' : `/${kind}/…`
  const [, first = ''] = rest.split('/', 2)
  const inside = rest.length > first.length + 1
  return { workspace, route: `${start}/${KNOWN.has(first) ? first : '…'}${inside ? '/…' : ''}` }
}

/** All else is a file of the console, or nothing. */
const KNOWN = new Set([
  '',
  'mcp',
  'files',
  'import',
  'export',
  'status',
  'audit',
  'config',
  'sessions',
  'signin',
  'signout',
  'authorize',
  'oauth',
  '.well-known',
])
