/**
 * `/requests`: the access requests that wait for the owner, and the owner's decisions. Only pages of this origin
 * can decide, as with `/drafts`.
 *
 * `test/worker/api/requests.test.ts` has the cases, `test/e2e/requests-attacks.test.ts` the attacks.
 *
 * @module
 */

import { describeActor } from '#core/actor.ts'
import type { Config } from '#core/config.ts'
import { resolvePath } from '#core/path.ts'
import * as z from 'zod'
import type { Audit } from '../audit/audit.ts'
import { BY_OWNER, noteDecision, quoteNote } from '../call/audit-note.ts'
import { MAX_NOTE_LENGTH } from '../drafts/limits.ts'
import { codeOf, sentence } from '../errors/problem.ts'
import type { Act } from '../passkeys/challenges.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import type { Requests } from '../requests/requests.ts'
import { listScopes, type AccessRequest } from '../requests/request.ts'
import { missingRoots, type NewRoot } from '../requests/rules.ts'
import { ALLOWED_CALL_SECONDS, MAX_REQUESTED_SCOPES } from '../requests/limits.ts'
import type { OwnerConfig } from '../access/owner-config.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Actor } from '../store/change-note.ts'
import { effective } from '../store/limits.ts'
import { readArguments } from '../tools/lib/arguments.ts'
import { describeOwner } from './describe-owner.ts'
import { problem, refuse } from './files.ts'
import { notAllowed, readSentJson } from './json.ts'
import { isFromOwnPage, notFromOwnPage } from './own-page.ts'
import { answerProblem, deciderOf, readProof } from './passkey-proof.ts'

/** The services that these routes use. */
export interface RequestRoutesParts {
  readonly requests: Requests
  readonly passkeys: Pick<Passkeys, 'ask' | 'isMissing' | 'prove'>
  readonly sessions: Pick<Sessions, 'namesOf'>
  readonly config: Pick<OwnerConfig, 'current'>
  readonly audit: Audit
  readonly actorOf: (request: Request) => Actor
}

/** An entry of the rules, as it was shown. */
const Root = z.strictObject({ path: z.string(), immutable: z.tuple([z.literal('**')]).optional() })

const Allow = z.discriminatedUnion('for', [
  z.strictObject({ for: z.enum(['call', 'session']) }),
  z.strictObject({ for: z.literal('rules'), roots: z.array(Root).max(MAX_REQUESTED_SCOPES) }),
])
const Refuse = z.strictObject({ note: z.string().max(MAX_NOTE_LENGTH).default('') })

/** Serves `/requests` and everything below it. `path` is what follows `/requests`. */
export async function serveRequests(
  request: Request,
  path: string,
  parts: RequestRoutesParts,
): Promise<Response> {
  const { requests, config } = parts
  const [, id = '', what = '', ...more] = path.split('/')
  // What has waited too long cannot be decided, even before the alarm.
  requests.expire(Date.now(), lifetimeMs(config.current))
  if (id === '')
    return request.method === 'GET' || request.method === 'HEAD'
      ? Response.json(listRequests(parts))
      : notAllowed('GET, HEAD')
  const body = await readSentJson(request)
  if (what === '') return takeBack(request, id, parts)
  if ((what !== 'allow' && what !== 'refuse') || more.length > 0)
    return refuse(404, 'NOT_FOUND', `Not found: ${path}`)
  if (request.method !== 'POST') return notAllowed('POST')
  if (!isFromOwnPage(request)) return notFromOwnPage()
  if (!body.ok) return body.error
  return what === 'allow'
    ? allow(request, id, body.value, parts)
    : turnDown(request, id, body.value, parts)
}

const lifetimeMs = (config: Config) => effective(config, 'draft_ttl_seconds') * 1000

function listRequests(parts: RequestRoutesParts) {
  const { requests } = parts
  const waiting = requests.waiting()
  return {
    waiting: waiting.length,
    requests: waiting.map((one) => describe(one, parts)),
    allowed: requests.allowedCalls().map((one) => describeAllowed(one, parts)),
  }
}

function describe(one: AccessRequest, parts: RequestRoutesParts) {
  const { scopes, opened } = one
  const { requests, config } = parts
  return {
    ...describeCall(one, parts),
    opened,
    expires: opened + lifetimeMs(config.current),
    ended: requests.hasEnded(one),
    can: requests.waysOf(one, config.current),
    roots: missingRoots(scopes, config.current),
  }
}

function describeCall(one: AccessRequest, { sessions }: RequestRoutesParts) {
  const { id, owner, tool, intent, scopes, paths } = one
  return { id, ...describeOwner(owner, sessions), tool, intent, scopes, paths }
}

/** A call that was allowed and not made yet, with the time until which it can be made. */
function describeAllowed(one: AccessRequest, parts: RequestRoutesParts) {
  return { ...describeCall(one, parts), until: (one.decided ?? 0) + ALLOWED_CALL_SECONDS * 1000 }
}

async function allow(
  request: Request,
  id: string,
  body: unknown,
  parts: RequestRoutesParts,
): Promise<Response> {
  const { requests, passkeys, config, audit, actorOf } = parts
  const read = readArguments(Allow, body)
  if (!read.ok) return refuse(400, codeOf(read.error), sentence(read.error))
  const actor = actorOf(request)
  const decider = deciderOf(request, actor)
  const scopes = requests.waiting().find((one) => one.id === id)?.scopes ?? []
  const act: Act = ['allow_access', id, read.value, scopes]
  const proof = await readProof(request, act, decider, passkeys)
  if (!proof.ok) return problem(proof.error)
  // Rules that permit more are looser rules, whichever route writes them.
  const decision = read.value.for === 'rules' ? 'loosen' : 'allow'
  if (passkeys.isMissing(decision, proof.value))
    return answerProblem({ reason: 'passkey_required' }, act, decider, passkeys)
  const done =
    read.value.for === 'rules'
      ? requests.allowInRules(id, read.value.roots.flatMap(readRoot), config.current)
      : requests.allow(id, read.value.for)
  if (!done.ok) return problem(done.error)
  const intent = describeDecision(done.value, read.value.for)
  const grounds = [...BY_OWNER, ...(proof.value ? [proof.value] : [])]
  const { paths } = done.value
  const note = { actor, tool: 'allow_access', intent, decision: grounds, paths }
  noteDecision({ ...note, request: { id, ...read.value } }, audit)
  return Response.json({ id, state: 'allowed', for: read.value.for })
}

const EXTENTS = { call: 'for one call', session: 'for this session', rules: 'in the rules' }

const describeDecision = (request: AccessRequest, duration: keyof typeof EXTENTS): string =>
  `Allow ${describeActor(request.owner)} ${listScopes(request.scopes)} ${EXTENTS[duration]}`

function readRoot({ path: text, immutable }: z.infer<typeof Root>): NewRoot[] {
  const path = resolvePath(text)
  return path.ok ? [{ path: path.value, ...(immutable && { immutable }) }] : []
}

/** Takes back the permission of a call that was not made yet. */
function takeBack(
  request: Request,
  id: string,
  { requests, audit, actorOf }: RequestRoutesParts,
): Response {
  if (request.method !== 'DELETE') return notAllowed('DELETE')
  const taken = requests.takeBackCall(id)
  if (!taken) return problem({ reason: 'no_request', request: id })
  const { paths } = taken
  const intent = `Take back ${listScopes(taken.scopes)} for one call from ${describeActor(taken.owner)}`
  const decided = { actor: actorOf(request), tool: 'take_back_access', intent, paths }
  noteDecision({ ...decided, request: id }, audit)
  return new Response(null, { status: 204 })
}

async function turnDown(
  request: Request,
  id: string,
  body: unknown,
  { requests, audit, actorOf }: RequestRoutesParts,
): Promise<Response> {
  const read = readArguments(Refuse, body)
  if (!read.ok) return refuse(400, codeOf(read.error), sentence(read.error))
  const { note } = read.value
  const done = requests.refuse(id, note)
  if (!done.ok) return problem(done.error)
  const { owner, scopes, paths } = done.value
  const intent = `Refuse ${describeActor(owner)} ${listScopes(scopes)}${quoteNote(note)}`
  const decided = { actor: actorOf(request), tool: 'refuse_access', intent, paths }
  noteDecision({ ...decided, request: { id, note } }, audit)
  return Response.json({ id, state: 'refused' })
}
