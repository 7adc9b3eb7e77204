/**
 * The proof of a decision: a request is answered with a question for a passkey, and sent again with the answer in
 * a header. The question is made from the decision as it was parsed, so an answer is good for no other one.
 *
 * `test/worker/passkeys/attacks.test.ts` has the cases.
 *
 * @module
 */

import type { Ground } from '#core/grounds.ts'
import { err, ok, type Result } from '#core/result.ts'
import { PASSKEY_HEADER } from '#core/wire.ts'
import { BY_OWNER } from '../audit/decision-note.ts'
import { codeOf, sentence, statusOf, type Problem } from '../errors/problem.ts'
import type { Act } from '../passkeys/challenges.ts'
import type { Decider, Decision, PasskeyProof, Passkeys } from '../passkeys/passkeys.ts'
import type { Actor } from '../audit/change-note.ts'
import { problem } from '../errors/respond.ts'
import type { ActRequest } from './act.ts'
import { ownAddress } from './own-page.ts'

/** Returns who decides in a request, and on which page. */
export const deciderOf = (request: Request, actor: Actor): Decider => ({
  actor,
  page: ownAddress(request),
})

/** Checks the passkey of a request for an act; null if the request has none. */
export async function readProof(
  { headers }: Request,
  act: Act,
  decider: Decider,
  passkeys: Pick<Passkeys, 'prove'>,
): Promise<Result<PasskeyProof | null, Problem>> {
  const answer = headers.get(PASSKEY_HEADER)
  return answer === null ? ok(null) : passkeys.prove(answer, act, decider)
}

/** Checks the passkey of a decision that may need one. The error is the response, which asks for it if it is missing. */
export async function proofFor(
  { request, decider }: Pick<ActRequest, 'request' | 'decider'>,
  { act, kind }: { readonly act: Act; readonly kind: Decision | null },
  passkeys: Pick<Passkeys, 'ask' | 'isMissing' | 'prove'>,
): Promise<Result<PasskeyProof | null, Response>> {
  const proof = await readProof(request, act, decider, passkeys)
  if (!proof.ok) return err(problem(proof.error))
  if (kind === null || !passkeys.isMissing(kind, proof.value)) return proof
  return err(answerProblem({ reason: 'passkey_required' }, act, decider, passkeys))
}

/** The grounds of a decision of the owner, with the passkey if there was one. */
export const groundsOf = (proof: PasskeyProof | null): Ground[] => [
  ...BY_OWNER,
  ...(proof ? [proof] : []),
]

/** Builds the response to a problem of a decision; where a passkey is missing, with the question for it. */
export function answerProblem(
  fault: Problem,
  act: Act,
  { page }: Decider,
  passkeys: Pick<Passkeys, 'ask'>,
): Response {
  if (fault.reason !== 'passkey_required') return problem(fault)
  const question = passkeys.ask(act, page)
  if (!question.ok) return problem(question.error)
  const body = { code: codeOf(fault), message: sentence(fault), passkey: question.value }
  return Response.json(body, { status: statusOf(fault) })
}
