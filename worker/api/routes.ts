/**
 * The routes of a workspace beside MCP: files, archives, checkpoints, configuration, sessions and the audit log. They are
 * for the person; a session link gives no access to them.
 *
 * @module
 */

import { nameOf, resolvePath, ROOT } from '#core/path.ts'
import { decodePercent } from '#core/percent.ts'
import { ownerAccess } from '../access/access.ts'
import { BY_OWNER } from '../call/audit-note.ts'
import type { OwnerConfig } from '../access/owner-config.ts'
import type { CallerWorkspace, OpenFor } from '../access/workspace.ts'
import { createAttempts } from '../auth/attempts.ts'
import { principalOf, type Callers } from '../sessions/callers.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Audit } from '../audit/audit.ts'
import type { Actor } from '../store/change-note.ts'
import { isReading } from '../front/guard.ts'
import { limitsOf } from '../store/limits.ts'
import type { Checkpoints } from '../store/store.ts'
import type { Apps } from '../apps/apps.ts'
import type { AppPages } from '../apps/pages.ts'
import { serveApps } from './apps.ts'
import { serveAudit } from './audit.ts'
import { serveCheckpoints } from './checkpoints.ts'
import { exportTar } from '../archive/export.ts'
import { afterBody, problem, refuse, serveFile, type FileContext } from './files.ts'
import { serveConfig, serveFlags } from './config.ts'
import { serveDrafts } from './drafts.ts'
import { serveNotices } from './notices.ts'
import { serveRequests } from './requests.ts'
import type { Drafts } from '../drafts/drafts.ts'
import type { Requests } from '../requests/requests.ts'
import type { Env } from '../env.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import { servePasskeys } from './passkeys.ts'
import { createSessionRoutes } from './sessions.ts'
import { importTar } from '../archive/import.ts'
import { notAllowed } from './json.ts'

/** The services that these routes use. */
export interface RoutesParts {
  readonly openFor: OpenFor
  readonly sessions: Sessions
  readonly callers: Callers
  readonly config: OwnerConfig
  readonly audit: Audit
  readonly drafts: Drafts
  readonly requests: Requests
  readonly sql: SqlStorage
  readonly checkpoints: Checkpoints
  readonly apps: Apps
  readonly pages: AppPages
  readonly passkeys: Passkeys
  readonly env: Env
  /** Returns the size of the workspace, for `/status`. */
  readonly totals: () => Readonly<Record<string, number>>
}

/** The services of these routes, with the counters of sign-in attempts. */
interface RoutesContext extends RoutesParts {
  readonly attempts: ReturnType<typeof createAttempts>
  readonly sessionRoutes: ReturnType<typeof createSessionRoutes>
}

/** Creates the handler of these routes. */
export function createRoutes(parts: RoutesParts) {
  const sessionRoutes = createSessionRoutes({ ...parts, actorOf })
  const context: RoutesContext = { ...parts, attempts: createAttempts(), sessionRoutes }
  return (request: Request) => route(context, request)
}

async function route(context: RoutesContext, request: Request): Promise<Response> {
  const { sessionRoutes, audit } = context
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/files' || pathname.startsWith('/files/'))
    return serveOne(context, request, pathname.slice('/files'.length) || '/')
  if (pathname === '/import') return importInto(context, request, searchParams.get('to') ?? '/')
  if (pathname === '/export') return exportFrom(context, request, searchParams.get('from') ?? '/')
  if (pathname === '/status')
    return isReading(request) ? Response.json(context.totals()) : notAllowed('GET, HEAD')
  // Only the front can request `/attempt` and `/grant`.
  if (pathname === '/attempt') return countAttempt(context, request, searchParams)
  if (pathname === '/grant')
    return request.method === 'DELETE'
      ? sessionRoutes.endGrant(request)
      : sessionRoutes.grant(request)
  if (pathname === '/audit' || pathname === '/audit/check')
    return serveAudit(request, { audit, actorOf })
  if (pathname === '/config') return serveConfig(request, { ...context, actorOf })
  if (pathname === '/config/flags') return serveFlags(request, { ...context, actorOf })
  if (pathname === '/drafts' || pathname.startsWith('/drafts/'))
    return serveDrafts(request, pathname.slice('/drafts'.length), {
      ...{ ...context, actorOf },
      store: openWhole(context).store,
    })
  if (pathname === '/apps' || pathname.startsWith('/apps/'))
    return serveApps(request, pathname.slice('/apps'.length), {
      ...{ apps: context.apps, pages: context.pages, passkeys: context.passkeys, audit, actorOf },
      files: openWhole(context).store,
    })
  if (pathname === '/notices') return serveNotices(request, context)
  if (pathname === '/checkpoints' || pathname.startsWith('/checkpoints/'))
    return serveCheckpoints(request, pathname.slice('/checkpoints'.length), {
      ...{ checkpoints: context.checkpoints, audit, workspace: openWhole(context) },
      actor: actorOf(request),
    })
  if (pathname === '/requests' || pathname.startsWith('/requests/'))
    return serveRequests(request, pathname.slice('/requests'.length), { ...context, actorOf })
  if (pathname === '/passkeys' || pathname.startsWith('/passkeys/'))
    return servePasskeys(request, pathname.slice('/passkeys'.length), { ...context, actorOf })
  if (pathname === '/sessions') return sessionRoutes.all(request)
  if (pathname.startsWith('/sessions/')) {
    const [id = '', what] = pathname.slice('/sessions/'.length).split('/')
    return what === 'allowed' ? sessionRoutes.allowed(request, id) : sessionRoutes.one(request, id)
  }
  return refuse(404, 'NOT_FOUND', `Not found: ${pathname}`)
}

/** Rules restrict agents: the person sees and changes the whole workspace. */
function openWhole({ openFor, config }: RoutesContext): CallerWorkspace {
  return openFor(ownerAccess(config.current), null)
}

/** Returns what a route needs to change files for the person. */
function openForPerson(context: RoutesContext, request: Request): FileContext {
  return {
    workspace: openWhole(context),
    actor: actorOf(request),
    limits: limitsOf(context.config.current),
    decision: BY_OWNER,
  }
}

async function serveOne(
  context: RoutesContext,
  request: Request,
  encoded: string,
): Promise<Response> {
  const path = resolvePath(decodePercent(encoded))
  const person = openForPerson(context, request)
  const response = path.ok
    ? await serveFile(request, path.value, person)
    : problem({ reason: 'bad_path', text: encoded, detail: path.error })
  return afterBody(request, response, person.limits)
}

/** An archive has no maximum size, and a refused one is read to its end as one with a mistake is. */
const WHOLE = { fileBytes: Infinity }

async function importInto(context: RoutesContext, request: Request, to: string): Promise<Response> {
  const into = resolvePath(to)
  if (!into.ok)
    return afterBody(request, problem({ reason: 'bad_path', text: to, detail: into.error }), WHOLE)
  if (request.method !== 'POST') return afterBody(request, notAllowed('POST'), WHOLE)
  if (!request.body)
    return refuse(
      400,
      'MISSING_BODY',
      'Cannot import: the body is missing. Send a tar or tar.gz archive.',
    )
  const report = await importTar(request.body, into.value, openForPerson(context, request))
  return Response.json(report, { status: report.error === undefined ? 200 : 422 })
}

function exportFrom(context: RoutesContext, request: Request, from: string): Response {
  if (!isReading(request)) return notAllowed('GET, HEAD')
  const folder = resolvePath(from)
  if (!folder.ok) return problem({ reason: 'bad_path', text: from, detail: folder.error })
  const { store: files } = openWhole(context)
  const type = files.stat(folder.value)?.type
  if (type !== 'folder') {
    return problem({ reason: type ? 'not_a_folder' : 'not_found', path: folder.value })
  }
  const name = folder.value === ROOT ? 'workspace' : nameOf(folder.value)
  return new Response(request.method === 'HEAD' ? null : exportTar(files, folder.value), {
    headers: {
      'content-type': 'application/x-tar',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}.tar`,
      'x-content-type-options': 'nosniff',
    },
  })
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
  return { principal: principalOf(request), session: null, label: null }
}
