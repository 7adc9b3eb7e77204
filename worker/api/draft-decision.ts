/**
 * `POST /drafts/{id}/approve` and `/turn-down`: the owner's decisions. Only pages of this origin can decide: a request
 * must come from one, which a browser states in headers that no page can set.
 *
 * `test/worker/drafts/decide.test.ts` has cases of decisions, `test/e2e/drafts-attacks.test.ts` the attacks.
 *
 * @module
 */

import * as z from 'zod'
import type { DecisionRequest } from '../drafts/decide.ts'
import type { Draft } from '../drafts/draft.ts'
import type { Drafts } from '../drafts/drafts.ts'
import { MAX_DRAFT_CHANGES, MAX_NOTE_LENGTH, MAX_UNSEEN_PATHS } from '../drafts/limits.ts'
import { codeOf, sentence } from '../errors/problem.ts'
import type { Act } from '../passkeys/challenges.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import type { Actor } from '../store/change-note.ts'
import { readArguments } from '../tools/lib/arguments.ts'
import { problem, refuse } from './files.ts'
import { readSentJson } from './json.ts'
import { isFromOwnPage, notFromOwnPage } from './own-page.ts'
import { answerProblem, deciderOf, readProof } from './passkey-proof.ts'

/** What decisions use. */
export interface DecisionParts {
  readonly drafts: Pick<Drafts, 'approve' | 'turnDown'>
  readonly passkeys: Pick<Passkeys, 'ask' | 'prove'>
  readonly actorOf: (request: Request) => Actor
}

const Decision = z.strictObject({
  revision: z.string().max(100),
  /** Groups of the shown changes, or single changes by id; everything without both. */
  groups: z.array(z.int().min(0)).max(MAX_DRAFT_CHANGES).optional(),
  changes: z.array(z.string().max(100)).max(MAX_DRAFT_CHANGES).optional(),
  digest: z.string().max(100).optional(),
  unseen: z.array(z.string().max(2_000)).max(MAX_UNSEEN_PATHS).optional(),
  note: z.string().max(MAX_NOTE_LENGTH).default(''),
})

/** Carries a decision on a draft out. */
export async function decideOn(
  request: Request,
  draft: Draft,
  what: 'approve' | 'turn-down',
  parts: DecisionParts,
): Promise<Response> {
  const body = await readSentJson(request)
  if (!isFromOwnPage(request)) return notFromOwnPage()
  if (!body.ok) return body.error
  const read = readArguments(Decision, body.value)
  if (!read.ok) return refuse(400, codeOf(read.error), sentence(read.error))
  const actor = parts.actorOf(request)
  const decision: DecisionRequest = { ...read.value, by: actor.principal }
  if (what === 'approve') return approve(request, draft, decision, { ...parts, actor })
  const done = await parts.drafts.turnDown(draft.name, decision)
  return done.ok ? Response.json(done.value) : problem(done.error)
}

async function approve(
  request: Request,
  { name }: Draft,
  decision: DecisionRequest,
  { drafts, passkeys, actor }: DecisionParts & { readonly actor: Actor },
): Promise<Response> {
  const { revision, groups = null, changes = null, digest = null, unseen = [], note } = decision
  if (digest === null && (groups ?? changes) !== null) return missingDigest()
  const act: Act = ['approve_draft', name, revision, groups, changes, digest, unseen, note]
  const decider = deciderOf(request, actor)
  const proof = await readProof(request, act, decider, passkeys)
  if (!proof.ok) return problem(proof.error)
  const done = await drafts.approve(name, { ...decision, passkey: proof.value })
  return done.ok ? Response.json(done.value) : answerProblem(done.error, act, decider, passkeys)
}

/** The revision names everything that was shown; a part of it has a digest of its own. */
function missingDigest(): Response {
  const message =
    'digest is missing. Name what was shown of these groups or changes: `digest` of `GET /drafts/{id}`, or of `GET /drafts/{id}/changes/{change}`.'
  return refuse(400, 'MISSING_DIGEST', message)
}
