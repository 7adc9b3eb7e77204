/** The record of a request, and the request id that the front, the object and the caller share. @module */

import { AsyncLocalStorage } from 'node:async_hooks'
import { ACT_ROOTS } from '#core/owner/acts.ts'
import type { Observer, RequestIds } from './observer.ts'

/** The header that passes the request id to the object. */
export const REQUEST_HEADER = 'edgewise-request'
/** The header that passes the trace id to the object. */
export const TRACE_HEADER = 'edgewise-trace'

/** `00-{trace}-{parent}-{flags}`, see W3C Trace Context. */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/

const PLACE = /^\/([ws])\/[^/]*(\/.*)$/

/** Methods that a record may name; any other is untrusted input. */
const METHODS = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'],
  ...['PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK'],
])

/** Replaces a value that must not be logged. */
const UNKNOWN = '…'

interface Visit {
  readonly ids: RequestIds
  workspace: string
}

const visits = new AsyncLocalStorage<Visit>()

/** Returns the id of the current request; empty when none is recorded. */
export const currentRequest = (): string => visits.getStore()?.ids.request ?? ''

/** Runs work on behalf of a request. */
export const runWithRequest = <T>(ids: RequestIds, work: () => T): T =>
  visits.run({ ids, workspace: UNKNOWN }, work)

/** Returns the id and the trace of the current request. */
export const currentIds = (): RequestIds | undefined => visits.getStore()?.ids

/**
 * Records the workspace that serves the request. Before that, its name is only a part of a URL and untrusted.
 */
export function enterWorkspace(name: string): void {
  const visit = visits.getStore()
  if (visit) visit.workspace = name
}

/** Answers a request, records it, and adds `X-Request-Id` to the response. */
export async function observeRequest(
  request: Request,
  observer: Observer,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  const started = performance.now()
  const ids = { request: crypto.randomUUID(), trace: traceOf(request.headers.get('traceparent')) }
  const visit: Visit = { ids, workspace: UNKNOWN }
  const response = await visits.run(visit, () => answer(withIds(request, ids)))
  const { workspace } = visit
  const method = METHODS.has(request.method) ? request.method : UNKNOWN
  const ms = performance.now() - started
  const { status } = response
  const route = routeOf(request.url)
  observer({ event: 'request', ...ids, method, route, workspace, status, ms })
  const identified = new Response(response.body, response)
  identified.headers.set('x-request-id', ids.request)
  return identified
}

/** Returns the trace id of a `traceparent` header; null when it is invalid. */
export function traceOf(traceparent: unknown): string | null {
  return typeof traceparent === 'string' ? (TRACEPARENT.exec(traceparent)?.[1] ?? null) : null
}

/** Returns the id and the trace that the front wrote; it replaces these headers in every received request. */
export function idsOf({ headers }: Request): RequestIds {
  return { request: headers.get(REQUEST_HEADER) ?? '', trace: headers.get(TRACE_HEADER) }
}

function withIds(request: Request, { request: id, trace }: RequestIds): Request {
  const headers = new Headers(request.headers)
  headers.set(REQUEST_HEADER, id)
  headers.delete(TRACE_HEADER)
  if (trace !== null) headers.set(TRACE_HEADER, trace)
  return new Request(request, { headers })
}

/** Returns the template of a route, without names and without the secret of a link. */
function routeOf(url: string): string {
  const { pathname } = new URL(url)
  // Its paths are names of files.
  if (pathname.startsWith('/p/')) return `/p/${UNKNOWN}`
  const [, kind, rest = pathname] = PLACE.exec(pathname) ?? []
  const start = kind === undefined ? '' : `/${kind}/${UNKNOWN}`
  const [, first = ''] = rest.split('/', 2)
  const inside = rest.length > first.length + 1
  return `${start}/${KNOWN.has(first) ? first : UNKNOWN}${inside ? `/${UNKNOWN}` : ''}`
}

/** The first segments of known routes. Any other path is a file of the console or unknown. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['', 'mcp', 'file', 'files', 'dav', 'import', 'export', ...ACT_ROOTS],
  ...['signin', 'signout', 'authorize', 'oauth', '.well-known'],
])
