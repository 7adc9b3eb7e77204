/**
 * What a workspace serves beside MCP: files, archives, its configuration and its sessions. These are
 * for the person; a session link leads to none of them.
 *
 * @module
 */

import { formatConfig } from '#core/config.ts'
import { nameOf, resolvePath, ROOT } from '#core/path.ts'
import { createAttempts } from '../auth/attempts.ts'
import { PRINCIPAL_HEADER } from '../auth/identity.ts'
import type { Surroundings } from '../call.ts'
import { MAX_SESSIONS } from '../limits.ts'
import { isRecord } from '../mcp/plain.ts'
import type { Callers } from '../sessions/callers.ts'
import { delegate } from '../sessions/delegate.ts'
import { makeGrant } from '../sessions/grants.ts'
import type { Session, Sessions } from '../sessions/sessions.ts'
import { codeOf, sentence } from '../problem.ts'
import { readArguments } from '../tools/arguments.ts'
import { personsWish } from '../tools/delegate.ts'
import { limitsOf } from '../store/limits.ts'
import { serveAudit } from './audit.ts'
import { exportTar } from './export.ts'
import { problem, refuse, serveFile } from './files.ts'
import { importTar } from './import.ts'

export interface RoutesParts {
  readonly around: Surroundings
  readonly sessions: Sessions
  readonly callers: Callers
}

export function createRoutes({ around, sessions, callers }: RoutesParts) {
  const { store, search, changed } = around
  const attempts = createAttempts()
  const desk = (request: Request) => {
    const actor = { principal: principalOf(request), session: null, label: null }
    return { store, changed, actor, limits: limitsOf(callers.config) }
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

  function exportFrom(from: string): Response {
    const folder = resolvePath(from)
    if (!folder.ok) return problem({ reason: 'bad_path', text: from, detail: folder.error })
    const type = store.stat(folder.value)?.type
    if (type !== 'folder') {
      return problem({ reason: type ? 'not_a_folder' : 'not_found', path: folder.value })
    }
    const name = folder.value === ROOT ? 'workspace' : nameOf(folder.value)
    return new Response(exportTar(store, folder.value), {
      headers: {
        'content-type': 'application/x-tar',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}.tar`,
        'x-content-type-options': 'nosniff',
      },
    })
  }

  async function configuration(request: Request): Promise<Response> {
    if (request.method === 'GET') return Response.json(formatConfig(callers.config))
    if (request.method !== 'PUT') return notAllowed('GET, PUT')
    const read = callers.configure(await jsonOf(request))
    return read.ok
      ? Response.json(formatConfig(read.value))
      : refuse(400, 'INVALID_CONFIG', read.error)
  }

  async function sessionList(request: Request): Promise<Response> {
    const caller = await callers.of(request)
    if (caller instanceof Response) return caller
    if (request.method === 'GET') {
      return Response.json({ sessions: sessions.list(MAX_SESSIONS).map(shown) })
    }
    if (request.method !== 'POST') return notAllowed('GET, POST')
    const wish = readArguments(personsWish, await jsonOf(request))
    if (!wish.ok) return refuse(400, codeOf(wish.error), sentence(wish.error))
    const made = await delegate(wish.value, caller, sessions, callers.config, 'human')
    if (!made.ok) return refuse(400, codeOf(made.error), sentence(made.error))
    const { session, secret } = made.value
    return Response.json({ ...shown(session), url: callers.linkTo(secret) }, { status: 201 })
  }

  function oneSession(request: Request, id: string): Response {
    if (request.method !== 'DELETE') return notAllowed('DELETE')
    if (sessions.end(id)) return new Response(null, { status: 204 })
    return refuse(404, 'NOT_FOUND', 'There is no such session')
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
    if (pathname === '/export') return exportFrom(searchParams.get('from') ?? '/')
    if (pathname === '/status')
      return Response.json({ ...store.totals, unindexed: search.unindexed() })
    // Only the front knows of these two.
    if (pathname === '/attempt') return signInAttempt(request, searchParams.get('from') ?? '')
    if (pathname === '/grant')
      return new Response(makeGrant(sessions, await jsonOf(request)).id, { status: 201 })
    if (pathname === '/audit' || pathname === '/audit/check')
      return serveAudit(request, store.audit)
    if (pathname === '/config') return configuration(request)
    if (pathname === '/sessions') return sessionList(request)
    if (pathname.startsWith('/sessions/'))
      return oneSession(request, pathname.slice('/sessions/'.length))
    return refuse(404, 'NOT_FOUND', `There is nothing at ${pathname}`)
  }
}

/** A session as a person sees it: what it may do, and never its secret. */
function shown({
  id,
  parent,
  principal,
  label,
  policy,
  scopes,
  config,
  initialize,
  created,
  expires,
}: Session) {
  const kind = initialize === null ? 'link' : 'client'
  return { id, parent, principal, label, kind, policy, scopes, config, created, expires }
}

function principalOf({ headers }: Request): string {
  return headers.get(PRINCIPAL_HEADER) ?? 'local'
}

function notAllowed(allow: string): Response {
  return refuse(405, 'METHOD_NOT_ALLOWED', `Only ${allow} is possible here`, { allow })
}

async function jsonOf(request: Request): Promise<unknown> {
  try {
    const body: unknown = await request.json()
    return isRecord(body) ? body : null
  } catch {
    return null
  }
}

/** Percent-decodes a path; what cannot be decoded stays, and is refused or not found as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
