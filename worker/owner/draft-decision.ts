/**
 * `POST /drafts/{id}/approve`, `/turn-down` and `/hand-over`: the owner's decisions. Only pages of this origin can decide:
 * a request must come from one, which a browser states in headers that no page can set.
 *
 * `test/worker/drafts/decide.test.ts` has cases of decisions, `test/e2e/drafts-attacks.slow.test.ts` the attacks.
 *
 * @module
 */

import { MAX_AMENDED_FILES, MAX_AMENDMENT_EDITS } from '#core/owner/limits.ts'
import * as z from 'zod/mini'
import type { DecisionRequest } from '../drafts/decide.ts'
import { MAX_DRAFT_CHANGES, MAX_UNSEEN_PATHS } from '../drafts/limits.ts'
import type { Act } from '../passkeys/challenges.ts'
import type { Decider } from '../passkeys/passkeys.ts'
import { problem, refuse } from '../errors/respond.ts'
import { defineOwnerActWith, type Asked, type OwnerAct, type OwnerServices } from './act.ts'
import * as fields from './fields.ts'
import { answerProblem, readProof } from './passkey-proof.ts'

const Decision = z.strictObject({
  revision: fields.id,
  /** Groups of the shown changes, or single changes by id; everything without both. */
  groups: z.optional(fields.listOf(z.int().check(z.minimum(0)), MAX_DRAFT_CHANGES)),
  changes: z.optional(fields.listOf(fields.id, MAX_DRAFT_CHANGES)),
  digest: z.optional(fields.id),
  unseen: z.optional(fields.listOf(fields.text, MAX_UNSEEN_PATHS)),
  note: fields.note,
  /** The reason of the agent that was shown; another one is not kept with the decision. */
  reason: z.optional(fields.text),
})

const Amendment = z.strictObject({
  path: fields.text,
  edits: fields.listOf(
    z.strictObject({
      at: z.int().check(z.minimum(1)),
      remove: z.int().check(z.minimum(0)),
      insert: z.string(),
    }),
    MAX_AMENDMENT_EDITS,
  ),
  hash: fields.id,
})

const Approval = z.extend(Decision, {
  amended: z.optional(fields.listOf(Amendment, MAX_AMENDED_FILES)),
})

const Receiver = z.strictObject({ session: fields.id })

/** The owner's decisions on a draft. */
export const DECISION_ACTS: readonly OwnerAct[] = [
  defineOwnerActWith('approve_draft', { input: Approval, run: approve }),
  defineOwnerActWith('turn_down_draft', {
    input: Decision,
    async run({ input, segment, decider, answer }, { drafts }) {
      const name = segment('draft')
      if (!drafts.named(name)) return problem({ reason: 'no_draft', draft: name })
      const done = await drafts.turnDown(name, { ...input, ...namesOf(decider) })
      return done.ok ? answer(done.value) : problem(done.error)
    },
  }),
  defineOwnerActWith('hand_over_draft', {
    input: Receiver,
    run({ input: { session }, segment, decider, answer }, { drafts }) {
      const draft = segment('draft')
      if (!drafts.named(draft)) return problem({ reason: 'no_draft', draft })
      return drafts.handOver(draft, { session, actor: decider.actor })
        ? answer(null)
        : problem({ reason: 'draft_changed', draft })
    },
  }),
]

const namesOf = ({ actor: { principal: by, email } }: Decider) => ({ by, email })

async function approve(
  { request, input, segment, decider, answer }: Asked<'approve_draft', z.infer<typeof Approval>>,
  { drafts, passkeys }: OwnerServices,
): Promise<Response> {
  const name = segment('draft')
  if (!drafts.named(name)) return problem({ reason: 'no_draft', draft: name })
  const decision: DecisionRequest = { ...input, ...namesOf(decider) }
  const { revision, groups = null, changes = null, digest = null } = decision
  const { unseen = [], note, amended = [] } = decision
  if (digest === null && (groups ?? changes) !== null) return missingDigest()
  const act: Act = ['approve_draft', name, revision, groups, changes, digest, unseen, note, amended]
  const proof = await readProof(request, act, decider, passkeys)
  if (!proof.ok) return problem(proof.error)
  const done = await drafts.approve(name, { ...decision, passkey: proof.value })
  return done.ok ? answer(done.value) : answerProblem(done.error, act, decider, passkeys)
}

/** The revision names everything that was shown; a part of it has a digest of its own. */
function missingDigest(): Response {
  const message =
    'digest is missing. Name what was shown of these groups or changes: `digest` of `GET /drafts/{id}`, or of `GET /drafts/{id}/changes/{change}`.'
  return refuse(400, 'MISSING_DIGEST', message)
}
