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
import * as z from 'zod/mini'
import { NO_METADATA } from '../access/metadata.ts'
import { noteDecision } from '../audit/decision-note.ts'
import { codeOf, sentence } from '../errors/problem.ts'
import { linkTo } from '../sessions/make-link.ts'
import { delegate } from '../sessions/delegate.ts'
import { makeGrant } from '../sessions/grants.ts'
import { listScopes } from '../access/access-request.ts'
import type { Listed, Session } from '../access/session.ts'
import type { Actor } from '../audit/change-note.ts'
import { personRequest } from '../tools/delegate.ts'
import { refuse } from '../errors/respond.ts'
import {
  defineOwnerAct,
  defineOwnerActWith,
  type Asked,
  type OwnerAct,
  type OwnerServices,
} from './act.ts'
import { readJsonBody } from './body.ts'

/** The grounds of the end of a grant without the owner. */
const REVOKED: readonly Ground[] = [{ kind: 'revoked' }]

const Ended = z.strictObject({ session: z.string() })

/** The sessions, the links that the owner makes, and their end. */
export const SESSION_ACTS: readonly OwnerAct[] = [
  defineOwnerAct('list_sessions', ({ answer }, { sessions }) => {
    const { sessions: listed, left } = sessions.list()
    return answer({ sessions: listed.map(toJson), left })
  }),
  defineOwnerAct('list_clients', ({ answer }, { clients }) => answer({ clients: clients.list() })),
  defineOwnerActWith('make_link', { input: personRequest, run: makeLink }),
  defineOwnerAct('end_session', endSession),
  defineOwnerAct('take_back_access', takeBack),
]

async function makeLink(
  { request, input, note, answer }: Asked<'make_link', z.infer<typeof personRequest>>,
  { callers, sessions, config }: OwnerServices,
): Promise<Response> {
  const caller = await callers.of(request)
  if (caller instanceof Response) return caller
  const asker = { caller, metadata: NO_METADATA }
  const made = await delegate(input, asker, sessions, config.current, 'human')
  if (!made.ok) return refuse(400, codeOf(made.error), sentence(made.error))
  const { session, secret } = made.value
  const intent = `Create a link for ${quoteName(session.label)}${describeScopes(session)}`
  note({ tool: 'make_link', intent, request: input })
  const url = linkTo(caller, secret)
  return answer({ ...toJson({ ...session, kind: 'link', uses: 0 }), url }, { status: 201 })
}

function endSession(
  { segment, note, answer }: Asked<'end_session'>,
  { sessions }: OwnerServices,
): Response {
  const id = segment('session')
  const names = sessions.namesOf(id)
  if (!sessions.end(id))
    return refuse(404, 'NOT_FOUND', 'Cannot end the session: it does not exist.')
  const intent = `End ${describe(names)} and its child sessions`
  note({ tool: 'end_session', intent, request: id })
  return answer(null)
}

/** Names a session in a sentence, by names that an agent may have chosen. */
const describe = (names: SessionNames | null) =>
  names ? `the session of ${describeSession(names)}` : 'an expired session'

/** Takes back what the owner allowed a session: one scope, or everything. The session goes on. */
function takeBack(
  { query, segment, note, answer }: Asked<'take_back_access'>,
  { sessions, requests }: OwnerServices,
): Response {
  const id = segment('session')
  const taken = requests.takeBackFrom(id, query.get('scope'))
  if (taken.length === 0)
    return refuse(404, 'NOT_FOUND', 'Cannot take it back: the session was not allowed it.')
  const intent = `Take back ${listScopes(taken)} from ${describe(sessions.namesOf(id))}`
  note({ tool: 'take_back_access', intent, request: [id, taken] })
  return answer(null)
}

type GrantServices = Pick<OwnerServices, 'sessions' | 'audit'>

/** Serves `/grant`, which only the front requests: the session of a grant, after consent or when the grant ends. */
export const serveGrant = (
  request: Request,
  actor: Actor,
  services: GrantServices,
): Promise<Response> =>
  request.method === 'DELETE' ? endGrant(request, actor, services) : createGrant(request, services)

async function createGrant(
  request: Request,
  { sessions, audit }: GrantServices,
): Promise<Response> {
  const given = await readJsonBody(request)
  const session = makeGrant(sessions, given)
  const actor = { principal: session.principal, session: null, label: null }
  const intent = `Grant access to ${quoteName(session.label)}${describeScopes(session)}`
  noteDecision({ actor, tool: 'grant', intent, request: given }, audit)
  return new Response(session.id, { status: 201 })
}

/** The authorization server has ended the grant: it was revoked, or used twice. */
async function endGrant(
  request: Request,
  actor: Actor,
  { sessions, audit }: GrantServices,
): Promise<Response> {
  const { session: id } = Ended.parse(await readJsonBody(request))
  const session = sessions.find(id)
  if (!sessions.end(id)) return new Response(null, { status: 204 })
  const name = session ? quoteName(session.label) : 'a client'
  const intent = `End the access of ${name} and its child sessions`
  noteDecision({ actor, tool: 'end_grant', intent, request: id, decision: REVOKED }, audit)
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
    id,
    parent,
    principal,
    label,
    kind,
    policy,
    scopes,
    config,
    created,
    expires,
    allowed: session.allowed ?? [],
    ...(transfer && { transfer: { path: transfer.path, direction: transfer.direction }, uses }),
  }
}
