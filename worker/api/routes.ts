/**
 * The routes of a workspace beside MCP: files, their changes, archives, checkpoints, configuration, sessions and the
 * audit log. They are for the person; `link.ts` serves files through a session link.
 *
 * @module
 */

import { nameOf, resolvePath, ROOT } from '#core/path.ts'
import { decodePercent } from '#core/percent.ts'
import { ownerAccess } from '../access/access.ts'
import { BY_OWNER } from '../audit/decision-note.ts'
import type { OpenFor } from '../access/workspace.ts'
import { createAttempts } from '../auth/attempts.ts'
import { principalOf } from '../sessions/callers.ts'
import { emailIn } from '../sessions/identity.ts'
import type { Actor } from '../audit/change-note.ts'
import { isReading } from '../http.ts'
import { limitsOf } from '../store/limits.ts'
import { discardUnread } from '../archive/bytes.ts'
import { notAllowed, problem, refuse } from '../errors/respond.ts'
import type { OwnerServices } from '../owner/act.ts'
import { serveAct } from '../owner/serve.ts'
import { serveGrant } from '../owner/sessions.ts'
import { serveFeed, type FeedParts } from './feed.ts'
import type { FeedCaller } from './feed-page.ts'
import { readVersion } from './feed-query.ts'
import { serveFile } from './files.ts'
import type { FileContext } from '../access/file-context.ts'

/** The services that these routes use. */
export interface RoutesParts extends Omit<OwnerServices, 'openWhole'>, Omit<FeedParts, 'drafts'> {
  readonly openFor: OpenFor
}

/** The services of these routes, with the counters of sign-in attempts. */
interface RoutesContext extends OwnerServices, FeedParts {
  readonly drafts: OwnerServices['drafts']
  readonly attempts: ReturnType<typeof createAttempts>
}

/** Creates the handler of these routes. */
export function createRoutes(parts: RoutesParts) {
  // Rules restrict agents: the person sees and changes the whole workspace.
  const openWhole = () => parts.openFor(ownerAccess(parts.config.current), null)
  const context: RoutesContext = { ...parts, openWhole, attempts: createAttempts() }
  return (request: Request) => route(context, request)
}

async function route(context: RoutesContext, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/files' || pathname.startsWith('/files/'))
    return serveOne(context, request, pathname.slice('/files'.length) || '/')
  if (pathname === '/changes') return serveFeed(request, () => openFeed(context, request), context)
  if (pathname === '/import') return importInto(context, request, searchParams)
  if (pathname === '/export' || pathname.startsWith('/export/'))
    return exportFrom(context, request, pathname.slice('/export'.length))
  // Only the front can request `/attempt` and `/grant`.
  if (pathname === '/attempt') return countAttempt(context, request, searchParams)
  if (pathname === '/grant') return serveGrant(request, actorOf(request), context)
  const served = await serveAct(request, actorOf(request), context)
  return served ?? refuse(404, 'NOT_FOUND', `Not found: ${pathname}`)
}

/** Returns what a route needs to change files for the person. */
function openForPerson(context: RoutesContext, request: Request): FileContext {
  return {
    workspace: context.openWhole(),
    actor: actorOf(request),
    limits: limitsOf(context.config.current),
    decision: BY_OWNER,
  }
}

/** The owner in person waits for no decisions, and no rules restrict what it reads. */
const openFeed = (context: RoutesContext, request: Request): FeedCaller => ({
  workspace: context.openWhole(),
  budget: principalOf(request),
  draft: null,
  isCurrent: () => true,
})

async function serveOne(
  context: RoutesContext,
  request: Request,
  encoded: string,
): Promise<Response> {
  const path = resolvePath(decodePercent(encoded))
  const person = openForPerson(context, request)
  return path.ok
    ? serveFile(request, path.value, person)
    : problem({ reason: 'bad_path', text: encoded, detail: path.error })
}

async function importInto(
  context: RoutesContext,
  request: Request,
  query: URLSearchParams,
): Promise<Response> {
  const to = query.get('to') ?? '/'
  const into = resolvePath(to)
  const person = openForPerson(context, request)
  const after = readAfter(query.get('after'), person)
  // An archive has no maximum size, and a refused one is read to its end as one with a mistake is.
  if (!into.ok || request.method !== 'POST' || after instanceof Response)
    await discardUnread(request, Infinity)
  if (!into.ok) return problem({ reason: 'bad_path', text: to, detail: into.error })
  if (request.method !== 'POST') return notAllowed('POST')
  if (after instanceof Response) return after
  if (!request.body)
    return refuse(
      400,
      'MISSING_BODY',
      'Cannot import: the body is missing. Send a tar, tar.gz or zip archive.',
    )
  const { importArchive } = await import('../archive/import.ts')
  const report = await importArchive(request.body, { into: into.value, after }, person)
  return Response.json(report, { status: report.error === undefined ? 200 : 422 })
}

/** Parses the version that the sender of an archive knows; null without one. */
const readAfter = (text: string | null, { workspace }: FileContext): number | null | Response =>
  text === null ? null : readVersion(text, workspace)

const MEDIA_TYPES = { tar: 'application/x-tar', zip: 'application/zip' } as const

/** Serves a folder, whose path is that of the request or its parameter `from`, as an archive. */
async function exportFrom(
  context: RoutesContext,
  request: Request,
  path: string,
): Promise<Response> {
  if (!isReading(request)) return notAllowed('GET, HEAD')
  const query = new URL(request.url).searchParams
  const format = query.get('format') ?? formatFor(request)
  if (format !== 'tar' && format !== 'zip')
    return refuse(400, 'INVALID_QUERY', 'Invalid format: expected tar or zip.')
  const from = path.length > 1 ? decodePercent(path) : (query.get('from') ?? '/')
  const folder = resolvePath(from)
  if (!folder.ok) return problem({ reason: 'bad_path', text: from, detail: folder.error })
  const { store: files } = context.openWhole()
  const type = files.stat(folder.value)?.type
  if (type !== 'folder') {
    return problem({ reason: type ? 'not_a_folder' : 'not_found', path: folder.value })
  }
  const { exportArchive } = await import('../archive/export.ts')
  const name = folder.value === ROOT ? 'workspace' : nameOf(folder.value)
  const exported = { folder: folder.value, format } as const
  return new Response(request.method === 'HEAD' ? null : exportArchive(files, exported), {
    headers: {
      'content-type': MEDIA_TYPES[format],
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}.${format}`,
      'x-content-type-options': 'nosniff',
    },
  })
}

/** The format of a request without a parameter for it: tar, unless it accepts zip and not tar. */
function formatFor({ headers }: Request): string {
  const accepted = headers.get('accept') ?? ''
  return accepted.includes(MEDIA_TYPES.zip) && !accepted.includes(MEDIA_TYPES.tar) ? 'zip' : 'tar'
}

function countAttempt(
  { attempts }: RoutesContext,
  { method }: Request,
  sender: URLSearchParams,
): Response {
  const from = sender.get('from') ?? ''
  if (method === 'POST') return new Response(String(attempts.count(from, sender.has('known'))))
  attempts.forget(from, sender.has('known'))
  return new Response(null, { status: 204 })
}

/** Returns the person as the actor; only the person reaches these routes. */
function actorOf(request: Request): Actor {
  const email = emailIn(request)
  const person = { principal: principalOf(request), session: null, label: null }
  return email === null ? person : { ...person, email }
}
