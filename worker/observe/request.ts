/**
 * The record of a request, and the id by which the caller, the front and the object speak of it.
 *
 * @module
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Observer, Trail } from './observer.ts'

/** The headers under which the object hears of the id and the trace. */
export const REQUEST_HEADER = 'edgewise-request'
export const TRACE_HEADER = 'edgewise-trace'

/** `00-{trace}-{parent}-{flags}`, see W3C Trace Context. */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/

const PLACE = /^\/([ws])\/[^/]*(\/.*)$/

/** Methods by their names; any other is whatever a client wrote. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])

/** Stands for whatever must not be written. */
const UNKNOWN = '…'

interface Visit {
  readonly trail: Trail
  workspace: string
}

const visits = new AsyncLocalStorage<Visit>()

/** The id of the request that is being answered; empty where none is watched. */
export const currentRequest = (): string => visits.getStore()?.trail.request ?? ''

/** Runs work on behalf of a request. */
export const during = <T>(trail: Trail, work: () => T): T =>
  visits.run({ trail, workspace: UNKNOWN }, work)

export const currentTrail = (): Trail | undefined => visits.getStore()?.trail

/**
 * Notes the workspace that a request was let into. Until then its name is only a part of a URL, where
 * anybody may have written anything.
 */
export function enterWorkspace(name: string): void {
  const visit = visits.getStore()
  if (visit) visit.workspace = name
}

/** Answers a request and records it. */
export async function watched(
  request: Request,
  observer: Observer,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  const started = performance.now()
  const trail = { request: crypto.randomUUID(), trace: traceOf(request.headers.get('traceparent')) }
  const visit: Visit = { trail, workspace: UNKNOWN }
  const response = await visits.run(visit, () => answer(withTrail(request, trail)))
  const { workspace } = visit
  const method = METHODS.has(request.method) ? request.method : UNKNOWN
  const ms = performance.now() - started
  const { status } = response
  const route = routeOf(request.url)
  observer({ event: 'request', ...trail, method, route, workspace, status, ms })
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

/** The template of a route: the secret of a link and all names stay out of it. */
function routeOf(url: string): string {
  const { pathname } = new URL(url)
  const [, kind, rest = pathname] = PLACE.exec(pathname) ?? []
  const start = kind === undefined ? '' : `/${kind}/${UNKNOWN}`
  const [, first = ''] = rest.split('/', 2)
  const inside = rest.length > first.length + 1
  return `${start}/${KNOWN.has(first) ? first : UNKNOWN}${inside ? `/${UNKNOWN}` : ''}`
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
  'file',
  'signin',
  'signout',
  'authorize',
  'oauth',
  '.well-known',
])
