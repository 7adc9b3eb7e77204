/**
 * `/sessions`: lists, creates and ends sessions; and the sessions of grants, which only the front requests.
 * Each decision is an entry of the audit log, like those of tool calls.
 *
 * @module
 */

import { describeSession, type SessionNames } from '#core/actor.ts'
import { quoteName } from '#core/quote.ts'
import type { Ground } from '#core/grounds.ts'
import { describeScope } from '#core/intent/words.ts'
import * as z from 'zod'
import { NO_METADATA } from '../access/metadata.ts'
import { noteDecision } from '../call/audit-note.ts'
import { codeOf, sentence } from '../errors/problem.ts'
import type { Caller } from '../sessions/caller.ts'
import type { OwnerConfig } from '../access/owner-config.ts'
import type { Callers } from '../sessions/callers.ts'
import { linkTo } from '../sessions/make-link.ts'
import { delegate } from '../sessions/delegate.ts'
import { makeGrant } from '../sessions/grants.ts'
import type { Requests } from '../requests/requests.ts'
import { listScopes } from '../requests/request.ts'
import type { Listed, Session } from '../sessions/session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Audit } from '../audit/audit.ts'
import type { Actor } from '../store/change-note.ts'
import { readArguments } from '../tools/lib/arguments.ts'
import { personRequest } from '../tools/delegate.ts'
import { refuse } from './files.ts'
import { notAllowed, readJsonBody, readSentJson } from './json.ts'

/** The grounds of the end of a grant without the owner. */
const REVOKED: readonly Ground[] = [{ kind: 'revoked' }]

const Ended = z.strictObject({ session: z.string() })

/** The services that these routes use. */
export interface SessionsParts {
  readonly sessions: Sessions
  readonly callers: Callers
  readonly config: Pick<OwnerConfig, 'current'>
  readonly requests: Pick<Requests, 'takeBackFrom'>
  readonly audit: Audit
  readonly actorOf: (request: Request) => Actor
}

/** Creates the handlers of these routes. */
export function createSessionRoutes(parts: SessionsParts) {
  return {
    all: (request: Request) => serveAll(parts, request),
    one: (request: Request, id: string) => serveOne(parts, request, id),
    /** Takes back what the owner allowed a session. */
    allowed: (request: Request, id: string) => takeBack(parts, request, id),
    /** Creates the session of a grant, after consent in the front. */
    grant: (request: Request) => createGrant(parts, request),
    /** Ends the session of a grant that the authorization server has ended: revoked, or used twice. */
    endGrant: (request: Request) => endGrant(parts, request),
  }
}

async function serveAll(parts: SessionsParts, request: Request): Promise<Response> {
  const caller = await parts.callers.of(request)
  if (caller instanceof Response) return caller
  if (request.method === 'GET') {
    const { sessions, left } = parts.sessions.list()
    return Response.json({ sessions: sessions.map(toJson), left })
  }
  if (request.method !== 'POST') return notAllowed('GET, POST')
  return createLink(parts, request, caller)
}

async function createLink(
  { sessions, config, audit, actorOf }: SessionsParts,
  request: Request,
  caller: Caller,
): Promise<Response> {
  const body = await readSentJson(request)
  if (!body.ok) return body.error
  const requested = readArguments(personRequest, body.value)
  if (!requested.ok) return refuse(400, codeOf(requested.error), sentence(requested.error))
  const made = await delegate(
    requested.value,
    { caller, metadata: NO_METADATA },
    sessions,
    config.current,
    'human',
  )
  if (!made.ok) return refuse(400, codeOf(made.error), sentence(made.error))
  const { session, secret } = made.value
  const intent = `Create a link for ${quoteName(session.label)}${describeScopes(session)}`
  noteDecision(
    { actor: actorOf(request), tool: 'make_link', intent, request: requested.value },
    audit,
  )
  const url = linkTo(caller, secret)
  return Response.json({ ...toJson({ ...session, kind: 'link', uses: 0 }), url }, { status: 201 })
}

function serveOne(parts: SessionsParts, request: Request, id: string): Response {
  const { sessions, audit, actorOf } = parts
  if (request.method !== 'DELETE') return notAllowed('DELETE')
  const names = sessions.namesOf(id)
  if (!sessions.end(id))
    return refuse(404, 'NOT_FOUND', 'Cannot end the session: it does not exist.')
  const intent = `End ${describe(names)} and its child sessions`
  noteDecision({ actor: actorOf(request), tool: 'end_session', intent, request: id }, audit)
  return new Response(null, { status: 204 })
}

/** Names a session in a sentence, by names that an agent may have chosen. */
const describe = (names: SessionNames | null) =>
  names ? `the session of ${describeSession(names)}` : 'an expired session'

/** Takes back what the owner allowed a session: one scope, or everything. The session goes on. */
function takeBack(parts: SessionsParts, request: Request, id: string): Response {
  const { sessions, requests, audit, actorOf } = parts
  if (request.method !== 'DELETE') return notAllowed('DELETE')
  const scope = new URL(request.url).searchParams.get('scope')
  const taken = requests.takeBackFrom(id, scope)
  if (taken.length === 0)
    return refuse(404, 'NOT_FOUND', 'Cannot take it back: the session was not allowed it.')
  const intent = `Take back ${listScopes(taken)} from ${describe(sessions.namesOf(id))}`
  const decided = { actor: actorOf(request), tool: 'take_back_access', intent }
  noteDecision({ ...decided, request: [id, taken] }, audit)
  return new Response(null, { status: 204 })
}

async function createGrant(
  { sessions, audit }: SessionsParts,
  request: Request,
): Promise<Response> {
  const given = await readJsonBody(request)
  const session = makeGrant(sessions, given)
  const actor = { principal: session.principal, session: null, label: null }
  const intent = `Grant access to ${quoteName(session.label)}${describeScopes(session)}`
  noteDecision({ actor, tool: 'grant', intent, request: given }, audit)
  return new Response(session.id, { status: 201 })
}

async function endGrant(parts: SessionsParts, request: Request): Promise<Response> {
  const { sessions, audit, actorOf } = parts
  const { session: id } = Ended.parse(await readJsonBody(request))
  const session = sessions.find(id)
  if (!sessions.end(id)) return new Response(null, { status: 204 })
  const name = session ? quoteName(session.label) : 'a client'
  const intent = `End the access of ${name} and its child sessions`
  const decided = { actor: actorOf(request), tool: 'end_grant', intent, request: id }
  noteDecision({ ...decided, decision: REVOKED }, audit)
  return new Response(null, { status: 204 })
}

/** Describes the scopes of a session and its end, to follow its name. */
function describeScopes({ scopes, expires }: Session): string {
  const extent = scopes === null ? '' : `, to ${scopes.map(describeScope).join(', ')}`
  return expires === null ? extent : `${extent}, until ${new Date(expires).toISOString()}`
}

/** Converts a session to its form in a list, without its secret. */
function toJson(session: Listed) {
  const { id, parent, principal, label, kind, policy, scopes, config, created, expires } = session
  const { transfer, uses } = session
  return {
    ...{ id, parent, principal, label, kind, policy, scopes, config, created, expires },
    allowed: session.allowed ?? [],
    ...(transfer && { transfer, uses }),
  }
}
