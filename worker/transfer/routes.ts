/**
 * The routes of a workspace beside MCP: files, archives, configuration, sessions and the audit log. They are
 * for the person; a session link gives no access to them.
 *
 * @module
 */

import { nameOf, resolvePath, ROOT } from '#core/path.ts'
import { ownerAccess } from '../access/access.ts'
import type { OpenFor } from '../access/workspace.ts'
import { createAttempts } from '../auth/attempts.ts'
import { principalOf, type Callers } from '../sessions/callers.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Audit } from '../store/audit.ts'
import type { Actor } from '../store/note.ts'
import { limitsOf } from '../store/limits.ts'
import { serveAudit } from './audit.ts'
import { exportTar } from './export.ts'
import { BY_HAND, problem, refuse, serveFile } from './files.ts'
import { createGovern } from './govern.ts'
import { importTar } from './import.ts'
import { notAllowed } from './json.ts'

/** The services that these routes use. */
export interface RoutesParts {
  readonly openFor: OpenFor
  readonly sessions: Sessions
  readonly callers: Callers
  readonly audit: Audit
  /** Returns the size of the workspace, for `/status`. */
  readonly totals: () => Readonly<Record<string, number>>
}

/** Creates the handler of these routes. */
export function createRoutes({ openFor, sessions, callers, audit, totals }: RoutesParts) {
  const attempts = createAttempts()
  const govern = createGovern({ sessions, callers, audit, actorOf })
  /** Rules restrict agents: the person sees and changes the whole workspace. */
  const workspace = () => openFor(ownerAccess(callers.config), null)
  const desk = (request: Request) => {
    return {
      workspace: workspace(),
      actor: actorOf(request),
      limits: limitsOf(callers.config),
      decision: BY_HAND,
    }
  }

  function file(request: Request, encoded: string): Response | Promise<Response> {
    const path = resolvePath(decoded(encoded))
    if (!path.ok) return problem({ reason: 'bad_path', text: encoded, detail: path.error })
    return serveFile(request, path.value, desk(request))
  }

  async function importInto(request: Request, to: string): Promise<Response> {
    const into = resolvePath(to)
    if (!into.ok) return problem({ reason: 'bad_path', text: to, detail: into.error })
    if (request.method !== 'POST') return notAllowed('POST')
    if (!request.body) return refuse(400, 'MISSING_BODY', 'Send a tar or tar.gz archive')
    const report = await importTar(request.body, into.value, desk(request))
    return Response.json(report, { status: report.error === undefined ? 200 : 422 })
  }

  function exportFrom({ method }: Request, from: string): Response {
    if (method !== 'GET' && method !== 'HEAD') return notAllowed('GET, HEAD')
    const folder = resolvePath(from)
    if (!folder.ok) return problem({ reason: 'bad_path', text: from, detail: folder.error })
    const { store: files } = workspace()
    const type = files.stat(folder.value)?.type
    if (type !== 'folder') {
      return problem({ reason: type ? 'not_a_folder' : 'not_found', path: folder.value })
    }
    const name = folder.value === ROOT ? 'workspace' : nameOf(folder.value)
    return new Response(method === 'HEAD' ? null : exportTar(files, folder.value), {
      headers: {
        'content-type': 'application/x-tar',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}.tar`,
        'x-content-type-options': 'nosniff',
      },
    })
  }

  function signInAttempt({ method }: Request, from: string): Response {
    if (method === 'POST') return new Response(String(attempts.count(from)))
    attempts.forget(from)
    return new Response(null, { status: 204 })
  }

  return async function route(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/files' || pathname.startsWith('/files/'))
      return file(request, pathname.slice('/files'.length) || '/')
    if (pathname === '/import') return importInto(request, searchParams.get('to') ?? '/')
    if (pathname === '/export') return exportFrom(request, searchParams.get('from') ?? '/')
    if (pathname === '/status') return Response.json(totals())
    // Only the front can request `/attempt` and `/grant`.
    if (pathname === '/attempt') return signInAttempt(request, searchParams.get('from') ?? '')
    if (pathname === '/grant')
      return request.method === 'DELETE' ? govern.endGrant(request) : govern.grant(request)
    if (pathname === '/audit' || pathname === '/audit/check') return serveAudit(request, audit)
    if (pathname === '/config') return govern.configuration(request)
    if (pathname === '/sessions') return govern.all(request)
    if (pathname.startsWith('/sessions/'))
      return govern.one(request, pathname.slice('/sessions/'.length))
    return refuse(404, 'NOT_FOUND', `There is nothing at ${pathname}`)
  }
}

/** Returns the person as the actor; only the person reaches these routes. */
function actorOf(request: Request): Actor {
  return { principal: principalOf(request), session: null, label: null }
}

/** Percent-decodes a path. Text that cannot be decoded is kept, and then refused or not found. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
