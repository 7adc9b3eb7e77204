/**
 * `/config` and `/sessions`: the workspace's configuration, and links and grants made by the person. Each
 * decision is an entry of the audit log, like those of tool calls.
 *
 * @module
 */

import * as z from 'zod'
import { formatConfig } from '#core/config.ts'
import { NO_METADATA } from '../access/metadata.ts'
import { withoutVersion } from '../account.ts'
import { MAX_SESSIONS } from '../limits.ts'
import { codeOf, sentence } from '../problem.ts'
import type { Callers } from '../sessions/callers.ts'
import { delegate } from '../sessions/delegate.ts'
import { makeGrant } from '../sessions/grants.ts'
import type { Listed, Session, Sessions } from '../sessions/sessions.ts'
import { digestOf, type Audit } from '../store/audit.ts'
import type { Actor } from '../store/note.ts'
import { readArguments } from '../tools/arguments.ts'
import { personsWish } from '../tools/delegate.ts'
import { BY_HAND, refuse } from './files.ts'
import { jsonOf, notAllowed } from './json.ts'

/** The decision of a grant that ended without the person. */
const REVOKED = 'its tokens were revoked, or used twice'

const Ended = z.strictObject({ session: z.string() })

/** The services that these routes use. */
export interface GovernParts {
  readonly sessions: Sessions
  readonly callers: Callers
  readonly audit: Audit
  readonly actorOf: (request: Request) => Actor
}

/** Creates the handlers of these routes. */
export function createGovern({ sessions, callers, audit, actorOf }: GovernParts) {
  function decided(
    actor: Actor,
    tool: string,
    intent: string,
    asked: unknown,
    decision: string = BY_HAND,
  ): void {
    audit.record({
      id: '',
      tool,
      intent,
      actor,
      decision,
      digest: digestOf(asked),
      ...withoutVersion('applied', []),
    })
  }

  async function configuration(request: Request): Promise<Response> {
    if (request.method === 'GET') return Response.json(formatConfig(callers.config))
    if (request.method !== 'PUT') return notAllowed('GET, PUT')
    const asked = await jsonOf(request)
    const read = callers.configure(asked)
    if (!read.ok) return refuse(400, 'INVALID_CONFIG', read.error)
    const fields = Object.keys(asked ?? {})
    const what = fields.length === 0 ? 'as it was deployed' : fields.join(', ')
    decided(actorOf(request), 'configure', `Set the rules of the workspace: ${what}`, asked)
    return Response.json(formatConfig(read.value))
  }

  async function all(request: Request): Promise<Response> {
    const caller = await callers.of(request)
    if (caller instanceof Response) return caller
    if (request.method === 'GET')
      return Response.json({ sessions: sessions.list(MAX_SESSIONS).map(shown) })
    if (request.method !== 'POST') return notAllowed('GET, POST')
    const wish = readArguments(personsWish, await jsonOf(request))
    if (!wish.ok) return refuse(400, codeOf(wish.error), sentence(wish.error))
    const made = await delegate(
      wish.value,
      { caller, metadata: NO_METADATA },
      sessions,
      callers.config,
      'human',
    )
    if (!made.ok) return refuse(400, codeOf(made.error), sentence(made.error))
    const { session, secret } = made.value
    decided(
      actorOf(request),
      'make_link',
      `Make a link for ${session.label}${reachOf(session)}`,
      wish.value,
    )
    const url = callers.linkTo(caller, secret)
    return Response.json({ ...shown({ ...session, kind: 'link', uses: 0 }), url }, { status: 201 })
  }

  function one(request: Request, id: string): Response {
    if (request.method !== 'DELETE') return notAllowed('DELETE')
    const session = sessions.find(id)
    if (!sessions.end(id)) return refuse(404, 'NOT_FOUND', 'There is no such session')
    const whose = session ? `the session of ${session.label}` : 'a session that was over'
    decided(actorOf(request), 'end_session', `End ${whose}, and all under it`, id)
    return new Response(null, { status: 204 })
  }

  /** Creates the session of a grant, after consent in the front. */
  async function grant(request: Request): Promise<Response> {
    const asked = await jsonOf(request)
    const session = makeGrant(sessions, asked)
    decided(
      { principal: session.principal, session: null, label: null },
      'grant',
      `Let ${session.label} in${reachOf(session)}`,
      asked,
    )
    return new Response(session.id, { status: 201 })
  }

  /** Ends the session of a grant that the authorization server has ended: revoked, or used twice. */
  async function endGrant(request: Request): Promise<Response> {
    const { session: id } = Ended.parse(await jsonOf(request))
    const session = sessions.find(id)
    if (!sessions.end(id)) return new Response(null, { status: 204 })
    const whose = session ? session.label : 'a client'
    decided(
      actorOf(request),
      'end_grant',
      `End the access of ${whose}, and all under it`,
      id,
      REVOKED,
    )
    return new Response(null, { status: 204 })
  }

  return { configuration, all, one, grant, endGrant }
}

function reachOf({ scopes, expires }: Session): string {
  const reach = scopes === null ? '' : `, with ${scopes.join(', ')}`
  return expires === null ? reach : `${reach}, until ${new Date(expires).toISOString()}`
}

/** Converts a session to its form in a list, without its secret. */
function shown(session: Listed) {
  const { id, parent, principal, label, kind, policy, scopes, config, created, expires } = session
  const { transfer, uses } = session
  return {
    ...{ id, parent, principal, label, kind, policy, scopes, config, created, expires },
    ...(transfer && { transfer, uses }),
  }
}
