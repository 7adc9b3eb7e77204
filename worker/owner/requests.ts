/**
 * `/requests`: the access requests that wait for the owner, and the owner's decisions. Only pages of this origin
 * can decide, as with `/drafts`.
 *
 * `test/worker/owner/requests.test.ts` has the cases, `test/e2e/requests-attacks.slow.test.ts` the attacks.
 *
 * @module
 */

import { describeActor } from '#core/actor.ts'
import { resolvePath } from '#core/path.ts'
import * as z from 'zod/mini'
import { quoteNote } from '../audit/decision-note.ts'
import type { Act } from '../passkeys/challenges.ts'
import type { Requests } from '../requests/requests.ts'
import { listScopes, type AccessRequest } from '../access/access-request.ts'
import { missingRoots, type NewRoot } from '../access/allow-by-rule.ts'
import { ALLOWED_CALL_SECONDS } from '../access/limits.ts'
import { MAX_REQUESTED_SCOPES } from '../requests/limits.ts'
import { describeOwner } from './describe-owner.ts'
import { problem } from '../errors/respond.ts'
import {
  defineOwnerAct,
  defineOwnerActWith,
  type Asked,
  type OwnerAct,
  type OwnerServices,
} from './act.ts'
import * as fields from './fields.ts'
import { groundsOf, proofFor } from './passkey-proof.ts'

/** An entry of the rules, as it was shown. */
const Root = z.strictObject({
  path: fields.text,
  immutable: z.optional(z.tuple([z.literal('**')])),
})

const Allow = z.discriminatedUnion('for', [
  z.strictObject({ for: z.enum(['call', 'session']) }),
  z.strictObject({
    for: z.literal('rules'),
    roots: fields.listOf(Root, MAX_REQUESTED_SCOPES),
  }),
])
const Refuse = z.strictObject({ note: fields.note })

/** The requests, the owner's decisions on them, and what was allowed. */
export const REQUEST_ACTS: readonly OwnerAct[] = [
  defineOwnerAct('list_requests', async ({ answer }, services) =>
    answer(await listRequests(services)),
  ),
  defineOwnerActWith('allow_access', { input: Allow, run: allow }),
  defineOwnerActWith('refuse_access', { input: Refuse, run: turnDown }),
  defineOwnerAct('take_back_call', takeBack),
]

/** What has waited too long cannot be decided, even before the alarm. */
function currentOf({ requests, inbox }: OwnerServices): Requests {
  inbox.expire(Date.now())
  return requests
}

/** Descriptions after which other requests get a turn: each tries the rules with the entries that they lack. */
const TURN_REQUESTS = 4

async function listRequests(parts: OwnerServices) {
  const requests = currentOf(parts)
  const waiting = requests.waiting()
  const described: ReturnType<typeof describe>[] = []
  for (const one of waiting) {
    described.push(describe(one, parts))
    if (described.length % TURN_REQUESTS === 0) await scheduler.wait(0)
  }
  const allowed = requests.allowedCalls().map((one) => describeAllowed(one, parts))
  return { waiting: waiting.length, requests: described, allowed }
}

function describe(one: AccessRequest, parts: OwnerServices) {
  const { scopes, opened } = one
  const { requests, config, inbox } = parts
  return {
    ...describeCall(one, parts),
    opened,
    expires: opened + inbox.lifetimeMs(),
    ended: requests.hasEnded(one),
    can: requests.waysOf(one, config.current),
    roots: missingRoots(scopes, config.current),
  }
}

function describeCall(one: AccessRequest, { sessions }: OwnerServices) {
  const { id, owner, tool, intent, scopes, paths } = one
  return { id, ...describeOwner(owner, sessions), tool, intent, scopes, paths }
}

/** A call that was allowed and not made yet, with the time until which it can be made. */
function describeAllowed(one: AccessRequest, parts: OwnerServices) {
  return { ...describeCall(one, parts), until: (one.decided ?? 0) + ALLOWED_CALL_SECONDS * 1000 }
}

async function allow(
  asked: Asked<'allow_access', z.infer<typeof Allow>>,
  services: OwnerServices,
): Promise<Response> {
  const { input, segment, note, answer } = asked
  const { passkeys, config } = services
  const requests = currentOf(services)
  const id = segment('request')
  const scopes = requests.waiting().find((one) => one.id === id)?.scopes ?? []
  const act: Act = ['allow_access', id, input, scopes]
  // Rules that permit more are looser rules, whichever route writes them.
  const kind = input.for === 'rules' ? 'loosen' : 'allow'
  const proof = await proofFor(asked, { act, kind }, passkeys)
  if (!proof.ok) return proof.error
  const done =
    input.for === 'rules'
      ? requests.allowInRules(id, input.roots.flatMap(readRoot), config.current)
      : requests.allow(id, input.for)
  if (!done.ok) return problem(done.error)
  const intent = describeDecision(done.value, input.for)
  const decision = groundsOf(proof.value)
  const { paths } = done.value
  note({ tool: 'allow_access', intent, decision, paths, request: { id, ...input } })
  return answer({ id, state: 'allowed', for: input.for })
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
  { segment, note, answer }: Asked<'take_back_call'>,
  services: OwnerServices,
): Response {
  const id = segment('request')
  const taken = currentOf(services).takeBackCall(id)
  if (!taken) return problem({ reason: 'no_request', request: id })
  const { paths } = taken
  const intent = `Take back ${listScopes(taken.scopes)} for one call from ${describeActor(taken.owner)}`
  note({ tool: 'take_back_access', intent, paths, request: id })
  return answer(null)
}

function turnDown(
  { input, segment, note, answer }: Asked<'refuse_access', z.infer<typeof Refuse>>,
  services: OwnerServices,
): Response {
  const id = segment('request')
  const done = currentOf(services).refuse(id, input.note)
  if (!done.ok) return problem(done.error)
  const { owner, scopes, paths } = done.value
  const intent = `Refuse ${describeActor(owner)} ${listScopes(scopes)}${quoteNote(input.note)}`
  note({ tool: 'refuse_access', intent, paths, request: { id, note: input.note } })
  return answer({ id, state: 'refused' })
}
