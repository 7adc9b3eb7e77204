/**
 * Serves the requests that reach an open workspace, by their paths: transfer links, files through session links, the
 * MCP endpoint and its streams, and everything else through the routes of the owner and of files.
 *
 * `test/worker/api/unreadable-rules.test.ts` has what is served while the rules cannot be read.
 *
 * @module
 */

import type { ConfigProblems } from '#core/config.ts'
import type { Caller } from './access/caller.ts'
import type { OwnerConfig } from './access/owner-config.ts'
import { serveLinked } from './api/link.ts'
import { serveTransfer, type TransferParts } from './api/transfer-link.ts'
import type { DavParts } from './dav/context.ts'
import type { Drafts } from './drafts/drafts.ts'
import type { Endpoint } from './mcp/endpoint.ts'
import { readBody } from './mcp/message-body.ts'
import { MCP_URL } from './mcp/plain-request.ts'
import { readProfile } from './mcp/profile.ts'
import { refuseUnreadable } from './owner/config.ts'
import type { PageParts } from './page-links/serve-page.ts'
import type { Callers } from './sessions/callers.ts'
import { SESSION_HEADER } from './sessions/identity.ts'
import {
  DAV_PATH,
  hashSecret,
  LINK_HEADER,
  LINKED_PATH,
  PAGE_PATH,
  refuseLink,
  TRANSFER_PATH,
} from './sessions/links.ts'
import type { Sessions } from './sessions/sessions.ts'

/** The parts of an open workspace that answer requests. */
export interface ServedParts extends TransferParts, DavParts, PageParts {
  readonly callers: Callers
  readonly drafts: Pick<Drafts, 'hear' | 'decidedTimes'>
  /** The name of the workspace; empty if the platform does not tell it. */
  readonly name: string
  readonly config: OwnerConfig
  readonly endpoint: Endpoint
  /** Returns the endpoint of the research profile. */
  readonly research: () => Promise<Endpoint>
  readonly route: (request: Request) => Promise<Response>
}

/** Serves a request. */
export async function serve(parts: ServedParts, request: Request): Promise<Response> {
  const { name, callers, config, endpoint, route, sessions } = parts
  const pathname = MCP_URL.test(request.url) ? '/mcp' : new URL(request.url).pathname
  if (config.problems && !isServedAlways(request, pathname))
    return refuseClosed(request, config.problems, sessions)
  if (pathname === TRANSFER_PATH) return serveTransfer(request, parts)
  if (pathname === DAV_PATH || pathname.startsWith(`${DAV_PATH}/`)) return serveDav(request, parts)
  if (pathname.startsWith(`${LINKED_PATH}/`)) return serveLinked(request, parts)
  if (pathname === PAGE_PATH || pathname.startsWith(`${PAGE_PATH}/`))
    return servePage(request, parts)
  if (pathname !== '/mcp' && pathname !== '/stream') return route(request)
  // A body may take its time, in which rules change and sessions end, so access is computed after it.
  const body = await readBody(request)
  const coming = callers.of(request)
  const resolved = coming instanceof Promise ? await coming : coming
  if (resolved instanceof Response) return resolved
  const caller = withBase(resolved, request.url, name)
  if (pathname !== '/mcp') return endpoint.stream(request, caller)
  const used = readProfile(request.url) === null ? endpoint : await parts.research()
  return used.fetch(request, body, caller)
}

async function serveDav(request: Request, parts: ServedParts): Promise<Response> {
  const dav = await import('./dav/serve-dav.ts')
  return dav.serveDav(request, parts)
}

async function servePage(request: Request, parts: ServedParts): Promise<Response> {
  if (!request.headers.has(LINK_HEADER)) return refuseLink()
  const pages = await import('./page-links/serve-page.ts')
  return pages.servePage(request, parts)
}

/** Refuses a request while the rules cannot be read. A guessed link is answered as in every other workspace. */
async function refuseClosed(
  request: Request,
  problems: ConfigProblems,
  sessions: Pick<Sessions, 'findBySecret'>,
): Promise<Response> {
  const { headers } = request
  const secret = headers.get(LINK_HEADER)
  if (secret !== null && !sessions.findBySecret(await hashSecret(secret))) return refuseLink()
  return refuseUnreadable(problems, secret === null && !headers.has(SESSION_HEADER))
}

/**
 * Whether a request is served even while the rules cannot be read: it stores others, or comes from the front alone, which
 * counts an attempt to sign in or ends a grant.
 */
const isServedAlways = ({ method }: Request, pathname: string) =>
  pathname === '/attempt' ||
  (pathname === '/config' && method === 'PUT') ||
  (pathname === '/grant' && method === 'DELETE')

/**
 * Adds the beginning of links to a caller whose request has none from the front. The URL is not parsed, because
 * every call comes here.
 */
function withBase(caller: Caller, url: string, name: string): Caller {
  if (caller.base !== '') return caller
  return { ...caller, base: `${url.slice(0, url.indexOf('/', 'https://'.length))}/s/${name}` }
}
